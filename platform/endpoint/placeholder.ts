import { type InodeIdentity, identityOf, lstatOf } from '../files/inode.ts';
import { sandboxedProcesses } from '../process/sandboxed-processes.ts';

/** Time limit of the search for a running Flatpak (ms). */
const SCAN_MS = 500;

/** Empty file that Flatpak has left at the path of a socket, and whether a Flatpak may still need it. */
export type Placeholder =
  | { readonly kind: 'left'; readonly identity: InodeIdentity }
  | { readonly kind: 'used'; readonly app: string };

/**
 * Finds the empty file that Flatpak makes in `.flatpak/ID/xdg-run` to mount a socket on it, and leaves there when the app
 * has ended. While the app runs, the file must stay: the kernel removes the mount together with the file. Undefined for
 * any other path, and for a file with content or of another user.
 */
export async function placeholderAt(
  path: string,
  uid: number,
  scan: typeof sandboxedProcesses = sandboxedProcesses,
): Promise<Placeholder | undefined> {
  const [, runtime, app] = /^(.*)\/\.flatpak\/([^/]+)\/xdg-run\/[^/]+$/.exec(path) ?? [];
  if (runtime === undefined || app === undefined || emptyFile(path, uid) === undefined) return undefined;
  const { sandboxes, isComplete } = await scan({ timeoutMs: SCAN_MS, runtimes: [runtime] });
  const isRunning = sandboxes.some(
    ({ sandbox }) => sandbox !== 'unverified' && sandbox.kind === 'flatpak' && sandbox.id === app,
  );
  if (isRunning || !isComplete) return { kind: 'used', app };
  const identity = emptyFile(path, uid);
  return identity === undefined ? undefined : { kind: 'left', identity };
}

function emptyFile(path: string, uid: number): InodeIdentity | undefined {
  const status = lstatOf(path);
  if (status?.isFile() !== true || status.size !== 0n || Number(status.uid) !== uid) return undefined;
  return identityOf(status);
}
