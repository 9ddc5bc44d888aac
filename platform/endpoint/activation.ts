import { readFileSync, readlinkSync } from 'node:fs';
import { LocalError, systemCode } from '../../src/base/local-error.ts';
import type { Environment } from './endpoints.ts';

/** A listening socket that the service manager has created for the bridge, and its path. */
export interface ActivatedSocket {
  readonly fd: number;
  readonly path: string;
}

/** Process id and `/proc` folder from which the socket is read; tests pass others. */
export interface ActivationOptions {
  readonly pid?: number;
  readonly proc?: string;
}

/** Environment variables with which a service manager passes sockets; a child process must not inherit them. */
export const MANAGER_VARIABLES = [
  'LISTEN_FDS',
  'LISTEN_PID',
  'LISTEN_FDNAMES',
  'LISTEN_PIDFDID',
  'NOTIFY_SOCKET',
  'WATCHDOG_USEC',
  'WATCHDOG_PID',
] as const;

/** Name of the descriptor in our socket unit. */
export const ACTIVATED_NAME = 'discord-ipc';

/** sd_listen_fds(3): the first inherited descriptor. */
const FIRST = 3;
/** Flag of a listening socket (`__SO_ACCEPTCON` in the kernel's `net.h`), and the type `SOCK_STREAM`, which is 0001. */
const LISTENING = 0x10000;
const STREAM = '0001';

/**
 * Returns the socket that a service manager passed to this process (sd_listen_fds(3)); undefined when it passed none.
 * The descriptor is checked in full. Throws `LocalError` FOOTBRIDGE_ACTIVATION for a descriptor that is no listening
 * unix stream socket, because a new socket in its place would leave the manager's socket unanswered.
 */
export function activatedSocket(
  env: Environment,
  { pid = process.pid, proc = '/proc/self' }: ActivationOptions = {},
): ActivatedSocket | undefined {
  // The variables were inherited from another process, so no socket was passed to this one.
  if (env['LISTEN_PID'] !== String(pid)) return undefined;
  const count = env['LISTEN_FDS'] ?? '';
  if (count === '0' || count === '') return undefined;
  if (count !== '1')
    throw unusable(`LISTEN_FDS is ${JSON.stringify(count.slice(0, 20))}, and one socket is served`);
  const name = env['LISTEN_FDNAMES'];
  if (name !== undefined && name !== ACTIVATED_NAME) {
    throw unusable(
      `LISTEN_FDNAMES is ${JSON.stringify(name.slice(0, 40))}, and "${ACTIVATED_NAME}" is served`,
    );
  }
  return { fd: FIRST, path: listeningPath(proc, FIRST) };
}

/**
 * Returns the path of a listening socket from `net/unix` (proc(5)): `Num RefCount Protocol Flags Type St Inode Path`.
 */
function listeningPath(proc: string, fd: number): string {
  const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`${proc}/fd/${fd}`))?.[1];
  if (inode === undefined) throw unusable(`descriptor ${fd} is no socket`);
  const rows = readFileSync(`${proc}/net/unix`, 'utf8').split('\n');
  const row = rows
    .map((line) => /^\S+ \S+ \S+ (\S+) (\S+) \S+ +(\d+) ?(.*)$/.exec(line) ?? [])
    .find((fields) => fields[3] === inode);
  if (row === undefined) throw unusable(`descriptor ${fd} is no unix socket`);
  const [, flags = '', type, , path = ''] = row;
  if (type !== STREAM || (Number.parseInt(flags, 16) & LISTENING) === 0) {
    throw unusable(`descriptor ${fd} is not a stream socket that listens`);
  }
  if (!path.startsWith('/')) throw unusable(`descriptor ${fd} is bound to no path`);
  return path;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    throw unusable(`descriptor ${FIRST} is not there (${systemCode(error) ?? 'unknown error'})`);
  }
}

function unusable(problem: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_ACTIVATION',
    `The service manager handed over a socket that cannot be served: ${problem}. ` +
      'Run "footbridge install" again, or mend the socket unit.',
  );
}
