import { dirname, join } from 'node:path';
import { lstatOf } from '../files/inode.ts';
import { type Environment, isTrustedOwner, sessionEnvironment } from './endpoints.ts';

const WRITABLE_BY_OTHERS = 0o022n;
const STICKY = 0o1000n;

/**
 * Returns the address of the session's D-Bus if it certainly belongs to this user: the user owns the socket, and no
 * other user can replace it in its folder. Undefined for every other kind of address, such as TCP or a command to run.
 */
export function ownSessionBus(env: Environment, uid: number | undefined): string | undefined {
  const path = pathOf(env);
  if (path === undefined || uid === undefined) return undefined;
  try {
    const [socket, folder] = [lstatOf(path), lstatOf(dirname(path))];
    if (socket?.isSocket() !== true || socket.uid !== BigInt(uid) || folder === undefined) return undefined;
    const owned = isTrustedOwner(Number(folder.uid), uid);
    const closed = (folder.mode & WRITABLE_BY_OTHERS) === 0n || (folder.mode & STICKY) !== 0n;
    return owned && closed && folder.isDirectory() ? `unix:path=${path}` : undefined;
  } catch {
    // A path that cannot be inspected is treated as foreign.
    return undefined;
  }
}

function pathOf(env: Environment): string | undefined {
  const configured = env['DBUS_SESSION_BUS_ADDRESS'] ?? '';
  // The pattern does not allow escapes: an address with escapes belongs to a bus that we do not use.
  if (configured !== '') return /^unix:path=(\/[\w./@:+-]+)(?:,guid=[0-9a-f]*)?$/.exec(configured)?.[1];
  const runtime = sessionEnvironment(env)['XDG_RUNTIME_DIR'] ?? '';
  return /^\/[\w./@:+-]+$/.test(runtime) ? join(runtime, 'bus') : undefined;
}
