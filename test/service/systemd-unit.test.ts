import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACTIVATED_NAME } from '../../platform/endpoint/activation.ts';
import { MAX_BACKLOG } from '../../platform/endpoint/backlog.ts';
import { HARDENING, quoteWord, serviceUnit, socketUnit } from '../../service/systemd-unit.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const definition = {
  argv: [process.execPath, '--flag', '/opt/foot bridge/dist/footbridge.js', 'run', '--service'],
  env: { XDG_CONFIG_HOME: '/home/some one/100%' },
  native: true,
} as const;

/** Written apart from the code: one that is missing or weaker must be seen here, where no systemd runs. */
const HARDENED = [
  'UMask=0077',
  'LimitCORE=0',
  'UnsetEnvironment=NODE_OPTIONS',
  'NoNewPrivileges=yes',
  'KeyringMode=private',
  'LockPersonality=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallErrorNumber=EPERM',
];

describe('an argument in a unit file', () => {
  it.each([
    ['/usr/bin/node', '/usr/bin/node'],
    ['--core=a,b', '--core=a,b'],
    ['', '""'],
    ['/opt/foot bridge', '"/opt/foot bridge"'],
    ['100%', '100%%'],
    ['%h', '%%h'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["it's", '"it\'s"'],
    ['$HOME', '"$HOME"'],
    [';', '";"'],
    ['a\nExecStartPre=b', '"a\\x0aExecStartPre=b"'],
    ['a\tb', '"a\\x09b"'],
    ['ünï', '"ünï"'],
  ])('%j is written as %s', (word, written) => {
    expect(quoteWord(word)).toBe(written);
  });
});

describe('the service unit', () => {
  const head = [
    '# Written by "footbridge install"; "footbridge uninstall" takes it away. Change it with a drop-in:',
    '# systemctl --user edit footbridge.service',
    '',
    '[Unit]',
    'Description=Footbridge, the local RPC bridge',
    'StartLimitIntervalSec=60',
    'StartLimitBurst=10',
    '',
    '[Service]',
  ];
  const rest = [
    `ExecStart=:${process.execPath} --flag "/opt/foot bridge/dist/footbridge.js" run --service`,
    'ExecReload=kill -HUP $MAINPID',
    'Environment="XDG_CONFIG_HOME=/home/some one/100%%"',
    'SyslogIdentifier=footbridge',
    'Nice=5',
    'Restart=on-failure',
    'RestartSec=0',
    'RestartPreventExitStatus=64 78',
    'TimeoutStopSec=10',
    ...HARDENED,
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ];
  it('has every directive, and waits for a readiness message where the native part can send it [T72]', () => {
    expect(serviceUnit(definition).split('\n')).toEqual([
      ...head,
      'Type=notify',
      'NotifyAccess=main',
      'WatchdogSec=60',
      ...rest,
    ]);
  });
  it('does not wait for a message without the native part', () => {
    expect(serviceUnit({ ...definition, native: false }).split('\n')).toEqual([
      ...head,
      'Type=exec',
      ...rest,
    ]);
  });
  it('has no hardening directive that has no effect or breaks Node', () => {
    expect(HARDENING.map(([key]) => key).join(' ')).not.toMatch(
      /Protect|Private(?:Tmp|Network|Devices|Users)|MemoryDeny|ReadWrite|Inaccessible|Dynamic/,
    );
  });
});

it('the socket unit binds no path that another program may hold', () => {
  expect(socketUnit().split('\n')).toEqual([
    '# Written by "footbridge install"; "footbridge uninstall" takes it away. Change it with a drop-in:',
    '# systemctl --user edit footbridge.socket',
    '',
    '[Unit]',
    'Description=Endpoint of Footbridge, the local RPC bridge',
    '',
    '[Socket]',
    'ListenStream=%t/footbridge-%U/activation.sock',
    `FileDescriptorName=${ACTIVATED_NAME}`,
    'SocketMode=0600',
    `Backlog=${MAX_BACKLOG}`,
    'DirectoryMode=0700',
    'RemoveOnStop=yes',
    'ExecStartPost=-ln -T %t/footbridge-%U/activation.sock %t/discord-ipc-0',
    'ExecStopPre=-find %t -maxdepth 1 -name discord-ipc-? -samefile %t/footbridge-%U/activation.sock -delete',
    '',
    '[Install]',
    'WantedBy=sockets.target',
    '',
  ]);
});

const analyze = spawnSync('systemd-analyze', ['--version']);
it.skipIf(analyze.status !== 0)('systemd-analyze accepts both units (needs systemd-analyze)', () => {
  const folder = temporaryFolder();
  const service = join(folder, 'footbridge.service');
  const socket = join(folder, 'footbridge.socket');
  for (const native of [true, false]) {
    writeFileSync(service, serviceUnit({ ...definition, native }));
    writeFileSync(socket, socketUnit());
    const env = { ...process.env, XDG_RUNTIME_DIR: folder, SYSTEMD_LOG_LEVEL: 'warning' };
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--user', '--man=no', service, socket],
      {
        env,
        encoding: 'utf8',
      },
    );
    // A key it does not know is only said, with an exit code of 0.
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }
});
