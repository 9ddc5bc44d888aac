// `probe.mjs FILE PACKAGE`: tries what the hardening of the unit is there to prevent, and writes what came of it.
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [, , file = '', root = ''] = process.argv;
const koffi = createRequire(`${root}/dist/footbridge.js`)('koffi') as typeof import('koffi');
const libc = koffi.load(null);
const call = libc.func('long syscall(long, ...)');
/** The result, or the errno as a text. */
const tried = (number: number, ...args: number[]): string => {
  const result = call(number, ...args.flatMap((arg) => ['long', arg])) as number;
  return result === -1 ? `errno ${koffi.errno()}` : 'done';
};
const status = (name: string): string =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';

writeFileSync(file, '');
const seen: Record<string, unknown> = {
  UMask: status('Umask'),
  LimitCORE: /^Max core file size\s+(\S+\s+\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1],
  UnsetEnvironment: process.env['NODE_OPTIONS'] ?? 'unset',
  NoNewPrivileges: status('NoNewPrivs'),
  // Numbers of x86-64. keyctl: the session keyring's serial number.
  KeyringMode: call(250, 'long', 0, 'long', -3, 'long', 0),
  // personality(ADDR_NO_RANDOMIZE), and back.
  LockPersonality: [tried(135, 0x0040000), tried(135, 0)].join(),
  // socket(AF_PACKET, SOCK_RAW): a user may not, which is another error than that of a family that does not exist.
  RestrictAddressFamilies: tried(41, 17, 3, 0),
  // unshare(CLONE_NEWUSER): not in a program with threads, but that is looked at later.
  RestrictNamespaces: tried(272, 0x10000000),
  // sched_setscheduler(SCHED_RR) without a priority.
  RestrictRealtime: tried(144, 0, 2, 0),
  RestrictSUIDSGID: (() => {
    try {
      chmodSync(file, 0o4755);
      return (statSync(file).mode & 0o4000) === 0 ? 'ignored' : 'done';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    } finally {
      chmodSync(file, 0o644);
    }
  })(),
  SystemCallArchitectures: status('Seccomp_filters'),
};
writeFileSync(file, JSON.stringify(seen));
// adjtimex() that changes nothing: allowed to everybody, and no call of a service. It may end us.
const time = koffi.alloc('uint8_t', 512);
const adjtimex = libc.func('int adjtimex(void *)');
seen['SystemCallFilter'] = adjtimex(time) >= 0 ? 'done' : `errno ${koffi.errno()}`;
writeFileSync(file, JSON.stringify(seen));
