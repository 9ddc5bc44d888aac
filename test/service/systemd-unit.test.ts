import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
  it('waits for a readiness message only where the native part can send it', () => {
    expect(serviceUnit(definition)).toMatch(/^Type=notify\nNotifyAccess=main\nWatchdogSec=60$/m);
    const without = serviceUnit({ ...definition, native: false });
    expect(without).toMatch(/^Type=exec$/m);
    expect(without).not.toMatch(/Notify|Watchdog/);
  });
  it('restarts on failure, but not after exit codes 64 and 78, and at most 10 times in 60 s', () => {
    const text = serviceUnit(definition);
    for (const line of [
      'Restart=on-failure',
      'RestartPreventExitStatus=64 78',
      'StartLimitIntervalSec=60',
      'StartLimitBurst=10',
      'WantedBy=default.target',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });
  it('has every hardening directive, and none that has no effect or breaks Node [T72]', () => {
    const lines = serviceUnit(definition).split('\n');
    for (const line of HARDENED) expect(lines).toContain(line);
    expect(HARDENING.map(([key, value]) => `${key}=${value}`)).toEqual(HARDENED);
    const names = HARDENING.map(([key]) => key).join(' ');
    expect(names).not.toMatch(
      /Protect|Private(?:Tmp|Network|Devices|Users)|MemoryDeny|ReadWrite|Inaccessible|Dynamic/,
    );
  });
  it('has its command and its variables unchanged', () => {
    const text = serviceUnit(definition);
    expect(text).toContain(
      `ExecStart=:${process.execPath} --flag "/opt/foot bridge/dist/footbridge.js" run --service\n`,
    );
    expect(text).toContain('Environment="XDG_CONFIG_HOME=/home/some one/100%%"\n');
  });
});

describe('the socket unit', () => {
  it('binds no path that another program may hold', () => {
    const text = socketUnit();
    expect(text).toContain('ListenStream=%t/footbridge-%U/activation.sock\n');
    expect(text.match(/discord-ipc-0/g)).toHaveLength(1);
    expect(text).toContain('ExecStartPost=-ln -T %t/footbridge-%U/activation.sock %t/discord-ipc-0\n');
    expect(text).toContain('SocketMode=0600\n');
    expect(text).toContain('DirectoryMode=0700\n');
  });
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
