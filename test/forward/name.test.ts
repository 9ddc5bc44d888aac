import { expect, it } from 'vitest';
import { parseForwardEndpoint } from '../../src/forward/endpoint.ts';
import { asName, defaultName, hostIn, isName, uniqueName } from '../../src/forward/name.ts';

it.each([
  ['/run/user/1000/box/discord-ipc-0', 'box'],
  ['/run/user/1000/discord-ipc-0', 'discord-ipc-0'],
  ['/tmp/box/apps.sock', 'apps.sock'],
  ['exec:ssh -vF /etc/ssh desk footbridge forward', 'desk'],
  ['exec:ssh desk -F config footbridge forward', 'desk'],
  ['exec:ssh -i key -F config desk node /opt/footbridge.js forward', 'desk'],
  ['exec:ssh ssh://you:hunter2@pier footbridge', 'ssh'],
  ['/tmp/garage box/discord-ipc-0', 'garage-box'],
  ['exec:ssh -p 22 you@build.example footbridge forward --from /tmp/a --to stdio:', 'you@build.example'],
  ['exec:docker exec -i web /usr/bin/footbridge forward --from /tmp/a --to stdio:', 'web'],
  ['exec:wsl.exe footbridge forward --from /tmp/a --to stdio:', 'wsl'],
  ['exec:cmd.exe /c footbridge forward --from /tmp/a --to stdio:', 'cmd'],
  ['exec:/usr/bin/node /opt/footbridge.js forward', 'node'],
  ['exec:some-tool --flag', 'some-tool'],
  ['exec:docker exec web env footbridge', 'web'],
  ['exec:sshpass -p hunter2 ssh pier env TOKEN=hunter2 footbridge', 'pier'],
  ['exec:docker exec -e TOKEN=hunter2 web footbridge', 'web'],
  ['exec:reach wss://pier/?token=hunter2 footbridge', 'reach'],
  ['exec:TOKEN=hunter2 footbridge', 'forward'],
  [`exec:ssh ${'x'.repeat(100)} footbridge`, 'x'.repeat(64)],
  ['stdio:', ''],
  ['/run/1a/discord-ipc-0', '1a'],
  ['/run/a1/discord-ipc-0', 'a1'],
  ['/run/pipe/discord-ipc-0', 'discord-ipc-0'],
  ['/run/pipes/discord-ipc-0', 'pipes'],
  ['/run/apipe/discord-ipc-0', 'apipe'],
  ['/run/box/discord-ipc-10', 'discord-ipc-10'],
  ['/run/box/x-discord-ipc-0', 'x-discord-ipc-0'],
  ['/discord-ipc-0', 'discord-ipc-0'],
  ['/tmp/--a  b--', 'a-b'],
  ['/tmp/  ', 'forward'],
  ['exec:/opt/tools/reach.exe x=y', 'reach'],
  ['exec:reach.exe.sh', 'reach.exe.sh'],
  ['exec:myssh desk', 'myssh'],
  ['exec:C:/bin/ssh.exe desk', 'desk'],
  ['exec:ssh.exex desk footbridge', 'desk'],
  ['exec:/usr/bin/ssh desk', 'desk'],
  ['exec:a host myfootbridge x', 'a'],
  ['exec:a host /bin/footbridge.js x', 'host'],
  ['exec:a host footbridge.j-s x', 'a'],
  ['exec:a "b;c" "d|e" "f&g" "h i" /j -k', 'a'],
  ['exec:footbridge host', 'footbridge'],
])('the name of the apps at %s is %j', (from, name) => {
  expect(defaultName(parseForwardEndpoint('--from', from, 'linux'))).toBe(name);
});

it('a pipe of Windows is named by itself', () => {
  const pipe = parseForwardEndpoint('--from', String.raw`\\.\pipe\discord-ipc-0`, 'win32');
  expect(defaultName(pipe)).toBe('discord-ipc-0');
});

it('uniqueName adds the first number that is free, and stays within 64 characters', () => {
  const taken = new Set(['a', 'a-2', 'x'.repeat(64)]);
  expect(uniqueName('a', (name) => taken.has(name))).toBe('a-3');
  expect(uniqueName('b', (name) => taken.has(name))).toBe('b');
  expect(uniqueName('x'.repeat(64), (name) => taken.has(name))).toBe(`${'x'.repeat(60)}-2`);
});

it.each(['a', 'A_1.b@c:d-e', 'x'.repeat(64)])('%s is a name', (text) => {
  expect(isName(text)).toBe(true);
});

it.each(['', 'x'.repeat(65), 'a b', ' a', 'a/', 'ü'])('%j is no name', (text) => {
  expect(isName(text)).toBe(false);
});

it('asName makes a name of any text', () => {
  expect(['-a--b-', ' a  b/c ', '-', '', '--'].map(asName)).toEqual([
    'a--b',
    'a-b-c',
    'forward',
    'forward',
    'forward',
  ]);
});

it('auto is this machine', () => {
  expect(defaultName({ kind: 'auto' })).toBe('this machine');
});

it.each([
  [['ssh', '-p', '22', 'desk'], 'desk'],
  [['ssh', '-4vp', '22', 'desk'], 'desk'],
  [['ssh', '-v', 'desk', 'x'], 'desk'],
  [['ssh', 'user=x'], undefined],
  [['ssh', '-v'], undefined],
  [['docker', 'exec', 'web'], undefined],
  [['tool'], undefined],
  [['tool', '/path', '-x'], undefined],
])('hostIn(%j) is %s', (words, host) => {
  expect(hostIn(words)).toBe(host);
});
