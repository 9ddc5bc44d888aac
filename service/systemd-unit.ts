import { ACTIVATED_NAME } from '../platform/endpoint/activation.ts';
import { LONGEST_BACKLOG } from '../platform/endpoint/backlog.ts';
import type { ServiceDefinition } from './manager.ts';

/** The names of our units. */
export const SERVICE_UNIT = 'footbridge.service';
export const SOCKET_UNIT = 'footbridge.socket';

/** Definition of a crash loop: a higher number of starts within that many seconds ends it. */
export const START_LIMIT = { burst: 10, seconds: 60 } as const;

/**
 * Directives that a user manager really enforces on its own, each proven by test/system. Those that need a mount or
 * network namespace have no effect there without further rights, or hide our own resources from us: the runtime folder,
 * /proc and the home. MemoryDenyWriteExecute= ends Node.
 */
export const HARDENING: readonly (readonly [string, string])[] = [
  ['UMask', '0077'],
  ['LimitCORE', '0'],
  ['UnsetEnvironment', 'NODE_OPTIONS'],
  ['NoNewPrivileges', 'yes'],
  ['KeyringMode', 'private'],
  ['LockPersonality', 'yes'],
  // AF_NETLINK: the bridge queries the kernel for the program that connects to a port of 127.0.0.1.
  ['RestrictAddressFamilies', 'AF_UNIX AF_INET AF_INET6 AF_NETLINK'],
  ['RestrictNamespaces', 'yes'],
  ['RestrictRealtime', 'yes'],
  ['RestrictSUIDSGID', 'yes'],
  ['SystemCallArchitectures', 'native'],
  ['SystemCallFilter', '@system-service'],
  ['SystemCallErrorNumber', 'EPERM'],
];

const HEAD =
  '# Written by "footbridge install"; "footbridge uninstall" takes it away. Change it with a drop-in:\n';

/** The service unit. Exit codes 64 and 78 (wrong command line, wrong setting) would only repeat after a restart. */
export function serviceUnit({
  argv,
  env,
  native,
}: Pick<ServiceDefinition, 'argv' | 'env' | 'native'>): string {
  const ready = native
    ? [
        ['Type', 'notify'],
        ['NotifyAccess', 'main'],
        ['WatchdogSec', '60'],
      ]
    : // No native calls can notify the manager: it takes a start as readiness, and does not detect a hang.
      [['Type', 'exec']];
  return sections(`${HEAD}# systemctl --user edit ${SERVICE_UNIT}\n`, {
    Unit: [
      ['Description', 'Footbridge, the local RPC bridge'],
      ['StartLimitIntervalSec', String(START_LIMIT.seconds)],
      ['StartLimitBurst', String(START_LIMIT.burst)],
    ],
    Service: [
      ...ready,
      // The colon leaves dollar signs as they are.
      ['ExecStart', `:${argv.map(quoteWord).join(' ')}`],
      ['ExecReload', 'kill -HUP $MAINPID'],
      ...Object.entries(env).map(([name, value]) => ['Environment', quoteWord(`${name}=${value}`)] as const),
      ['SyslogIdentifier', 'footbridge'],
      ['Restart', 'on-failure'],
      // An app that waits meanwhile should not notice, and systemd rounds the minimum pause up to a third of a second.
      // The limit above ends a loop.
      ['RestartSec', '0'],
      ['RestartPreventExitStatus', '64 78'],
      ['TimeoutStopSec', '10'],
      ...HARDENING,
    ],
    Install: [['WantedBy', 'default.target']],
  });
}

/**
 * The socket unit. It listens in our private folder, because systemd removes any file at the path it binds, and names
 * that socket `discord-ipc-0` only if the name is free: a hard link replaces no file. The daemon handles the rest: a
 * dead socket there, another index, and a return to the first one.
 */
export function socketUnit(): string {
  const own = '%t/footbridge-%U/activation.sock';
  return sections(`${HEAD}# systemctl --user edit ${SOCKET_UNIT}\n`, {
    Unit: [['Description', 'Endpoint of Footbridge, the local RPC bridge']],
    Socket: [
      ['ListenStream', own],
      ['FileDescriptorName', ACTIVATED_NAME],
      ['SocketMode', '0600'],
      // The system's maximum; before systemd 250 the default was low.
      ['Backlog', String(LONGEST_BACKLOG)],
      ['DirectoryMode', '0700'],
      ['RemoveOnStop', 'yes'],
      ['ExecStartPost', `-ln -T ${own} %t/discord-ipc-0`],
      // Its names are removed before it; another's socket is another file.
      ['ExecStopPre', `-find %t -maxdepth 1 -name discord-ipc-? -samefile ${own} -delete`],
    ],
    Install: [['WantedBy', 'sockets.target']],
  });
}

/**
 * Formats one argument for a unit file: quoted if it has blanks, quotes, backslashes or control characters, with the
 * percent signs doubled (systemd.syntax(7), systemd.unit(5) "Specifiers").
 */
export function quoteWord(word: string): string {
  const plain = word.replaceAll('%', '%%');
  if (/^[\w@%+=:,./-]+$/.test(plain)) return plain;
  const escaped = plain
    .replace(/[\\"]/g, (sign) => `\\${sign}`)
    .replace(/\p{Cc}/gu, (sign) =>
      sign < '\u0080' ? `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}` : sign,
    );
  return `"${escaped}"`;
}

function sections(head: string, body: Readonly<Record<string, readonly (readonly string[])[]>>): string {
  const blocks = Object.entries(body).map(
    ([name, lines]) => `[${name}]\n${lines.map(([key, value]) => `${key}=${value}\n`).join('')}`,
  );
  return `${head}\n${blocks.join('\n')}`;
}
