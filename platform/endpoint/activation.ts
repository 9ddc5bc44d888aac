import { readFileSync, readlinkSync } from 'node:fs';
import { LocalError, systemCode } from '../../src/base/local-error.ts';
import type { Environment } from './endpoints.ts';

/** A listening socket that the service manager made for us, and its address. */
export interface ActivatedSocket {
  readonly fd: number;
  readonly path: string;
}

/** Source of the kernel's facts about this process and its sockets; another process and folder for tests. */
export interface ActivationOptions {
  readonly pid?: number;
  readonly proc?: string;
}

/** Variables of a service manager's handover; a child process must not use them. */
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
/** `__SO_ACCEPTCON` of the kernel's `net.h`: the socket listens. `SOCK_STREAM` is 0001. */
const LISTENING = 0x10000;
const STREAM = '0001';

/**
 * The socket that a service manager handed over (sd_listen_fds(3)), if those variables are meant for this process. The
 * descriptor is checked in full: one that is no listening unix stream socket throws `LocalError` FOOTBRIDGE_ACTIVATION,
 * because a substitute would leave the real one unanswered.
 */
export function activatedSocket(
  env: Environment,
  { pid = process.pid, proc = '/proc/self' }: ActivationOptions = {},
): ActivatedSocket | undefined {
  // Inherited variables of another process: no socket was handed to us.
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

/** proc(5) `net/unix`: `Num RefCount Protocol Flags Type St Inode Path`. */
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
