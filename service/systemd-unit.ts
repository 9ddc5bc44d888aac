import { ACTIVATED_NAME } from '../platform/endpoint/activation.ts';
import { MAX_BACKLOG } from '../platform/endpoint/backlog.ts';
import type { ServiceDefinition } from './manager.ts';

/** The names of our units. */
export const SERVICE_UNIT = 'footbridge.service';
export const SOCKET_UNIT = 'footbridge.socket';

/**
 * Limit of restarts: the service counts as crash-looping, and is not started again, after more than `burst` starts
 * within `seconds`.
 */
export const START_LIMIT = { burst: 10, seconds: 60 } as const;

/**
 * Directives that a user's systemd can enforce without further privileges; test/system proves each of them. Directives
 * that need a mount or network namespace have no effect there, or hide resources that we need: the runtime folder,
 * /proc and the home folder. MemoryDenyWriteExecute= would end Node.
 */
export const HARDENING: readonly (readonly [string, string])[] = [
  ['UMask', '0077'],
  ['LimitCORE', '0'],
  ['UnsetEnvironment', 'NODE_OPTIONS'],
  ['NoNewPrivileges', 'yes'],
  ['KeyringMode', 'private'],
  ['LockPersonality', 'yes'],
  // AF_NETLINK is needed because the bridge asks the kernel for the program that connects to a port of 127.0.0.1.
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

/**
 * Returns the service unit. Exit codes 64 and 78 (invalid command line, invalid setting) cause no restart, because a
 * restart would only repeat them.
 */
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
      // The colon prevents systemd from expanding dollar signs.
      ['ExecStart', `:${argv.map(quoteWord).join(' ')}`],
      ['ExecReload', 'kill -HUP $MAINPID'],
      ...Object.entries(env).map(([name, value]) => ['Environment', quoteWord(`${name}=${value}`)] as const),
      ['SyslogIdentifier', 'footbridge'],
      // An app that floods the bridge may use a whole core, but not the one that a game of the user needs.
      ['Nice', '5'],
      ['Restart', 'on-failure'],
      // The restart has no pause, so that a waiting app does not notice it; systemd would round a minimum pause up to a
      // third of a second. `START_LIMIT` ends a loop of restarts.
      ['RestartSec', '0'],
      ['RestartPreventExitStatus', '64 78'],
      ['TimeoutStopSec', '10'],
      ...HARDENING,
    ],
    Install: [['WantedBy', 'default.target']],
  });
}

/**
 * Returns the socket unit. It listens in our private folder, because systemd removes any file at the path that it
 * binds. It names the socket `discord-ipc-0` only if that name is free, because a hard link replaces no file. The
 * daemon handles the other cases: a dead socket at the name, another index, and the return to the first index.
 */
export function socketUnit(): string {
  const own = '%t/footbridge-%U/activation.sock';
  return sections(`${HEAD}# systemctl --user edit ${SOCKET_UNIT}\n`, {
    Unit: [['Description', 'Endpoint of Footbridge, the local RPC bridge']],
    Socket: [
      ['ListenStream', own],
      ['FileDescriptorName', ACTIVATED_NAME],
      ['SocketMode', '0600'],
      // The backlog is the system's maximum, because the default was low before systemd 250.
      ['Backlog', String(MAX_BACKLOG)],
      ['DirectoryMode', '0700'],
      ['RemoveOnStop', 'yes'],
      ['ExecStartPost', `-ln -T ${own} %t/discord-ipc-0`],
      // Only names of this very socket are deleted before the socket itself; another program's socket is another file.
      ['ExecStopPre', `-find %t -maxdepth 1 -name discord-ipc-? -samefile ${own} -delete`],
    ],
    Install: [['WantedBy', 'sockets.target']],
  });
}

/**
 * Formats one argument for a unit file: it is quoted if it contains blanks, quotes, backslashes or control characters,
 * and percent signs are doubled (systemd.syntax(7), systemd.unit(5) "Specifiers").
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
