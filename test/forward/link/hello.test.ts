import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Hello, helloLine, parseHello, readHello } from '../../../src/forward/link/hello.ts';

const own: Hello = { side: 'apps', rights: 'presence', name: 'ssh "build" host' };

function reading(...parts: readonly string[]) {
  const input = new PassThrough();
  const result = readHello(input, new PassThrough(), 5000);
  for (const part of parts) input.write(part);
  return { input, result };
}

it('a hello line has the side, the rights and the name', () => {
  expect(parseHello(helloLine(own).trim())).toEqual(own);
});

it('a hello is read, and what follows is handed on', async () => {
  const { result } = reading('footbridge-forw', 'ard/1 bridge full "web"\n\x01\x02');
  expect(await result).toEqual({
    kind: 'hello',
    hello: { side: 'bridge', rights: 'full', name: 'web' },
    early: Buffer.from([1, 2]),
    noise: '',
  });
});

it('what a shell prints before the hello is skipped and reported', async () => {
  const { result } = reading('Welcome to\r\n\x1b[1mbuild\x1b[0m\n', helloLine({ ...own, side: 'bridge' }));
  expect(await result).toMatchObject({ kind: 'hello', noise: '"Welcome to / ?[1mbuild?[0m"' });
});

const notValid = (line: string): string => `sent the hello line ${JSON.stringify(line)}, which is not valid`;
const other = (version: string): string =>
  `speaks version ${version} of the forward protocol, and this end version 1: install the same release of Footbridge at both ends`;

it.each<readonly [what: string, line: string, fault: string]>([
  ['another version', 'footbridge-forward/2 bridge full "x"', other('2')],
  ['a long version', `footbridge-forward/${'9'.repeat(21)}`, other('9'.repeat(20))],
  ['a version that no terminal should get', 'footbridge-forward/\x1b', other('?')],
  ...[
    'footbridge-forward/1 both full "x"',
    'footbridge-forward/1 bridge root "x"',
    'footbridge-forward/1 bridge full',
    'footbridge-forward/1 bridge full x',
    'footbridge-forward/1 bridge full 7',
    'footbridge-forward/1 bridge full "x" y',
    'footbridge-forward/1',
  ].map((line) => ['a part that is wrong', line, notValid(line)] as const),
  [
    'a name that is too long',
    `footbridge-forward/1 bridge full "${'x'.repeat(65)}"`,
    notValid(`footbridge-forward/1 bridge full "${'x'.repeat(46)}`),
  ],
])('a hello with %s is a fault: %j', async (_what, line, fault) => {
  expect(parseHello(line)).toBe(fault);
  expect(await reading(`${line}\n`).result).toEqual({ kind: 'wrong hello', fault });
});

it('a line without the name of the protocol is no hello', () => {
  expect(parseHello('hello')).toBeUndefined();
});

it('a hello may begin in a line, and has a name of at most 64 characters, as a terminal may get it', () => {
  expect(parseHello('> footbridge-forward/1 apps presence "a\\u001b b" \r')).toEqual({
    side: 'apps',
    rights: 'presence',
    name: 'a? b',
  });
  expect(parseHello(helloLine({ ...own, name: 'x'.repeat(70) }))).toEqual({ ...own, name: 'x'.repeat(64) });
});

it.each([
  ['of one line', 'x'.repeat(4097), `printed "${'x'.repeat(200)}…" and more, and no hello`],
  ['of lines', `${'noise\n'.repeat(700)}`, `printed "${'noise / '.repeat(25)}…" and more, and no hello`],
])('a flood %s without a hello is a fault', async (_what, text, fault) => {
  expect(await reading(text).result).toEqual({ kind: 'no hello', fault });
});

it('a hello is found after up to 4 KiB, in a line of up to 512 bytes', async () => {
  const line = helloLine({ ...own, side: 'bridge' });
  const noise = `${'x'.repeat(4095)}\n`;
  expect(await reading(noise + line).result).toMatchObject({ kind: 'hello' });
  expect(await reading(`x${noise}${line}`).result).toMatchObject({ kind: 'no hello' });
  expect(await reading(`${'x'.repeat(480)}${line}`).result).toMatchObject({ kind: 'wrong hello' });
});

it('a text of 200 characters is quoted whole, without secrets', async () => {
  const { input, result } = reading(`token=hunter2\n  ${'x'.repeat(181)}  \n\n`);
  input.end();
  expect(await result).toEqual({
    kind: 'no hello',
    fault: `ended before it said hello after it printed "token=[hidden] / ${'x'.repeat(181)}"`,
  });
});

it("the input is paused after the hello, and its later errors are nobody else's", async () => {
  const { input, result } = reading(helloLine({ ...own, side: 'bridge' }));
  await result;
  expect(input.isPaused()).toBe(true);
  expect(input.listenerCount('data')).toBe(0);
  input.destroy(new Error('EPIPE'));
  await setImmediate();
});

it('an end before the hello is a fault with what was printed', async () => {
  const { input, result } = reading('Permission denied\n');
  input.end();
  expect(await result).toEqual({
    kind: 'no hello',
    fault: 'ended before it said hello after it printed "Permission denied"',
  });
});

it('what was printed is quoted without secrets, on one line and up to a bound', async () => {
  const { input, result } = reading(`Permission\u001b denied\r\n\n password=hunter2\n${'x'.repeat(400)}`);
  input.end();
  const text = `Permission? denied / password=[hidden] / ${'x'.repeat(400)}`.slice(0, 200);
  expect(await result).toEqual({
    kind: 'no hello',
    fault: `ended before it said hello after it printed "${text}…"`,
  });
});

it('blanks before the end are not quoted', async () => {
  const { input, result } = reading(' \n\n');
  input.end();
  expect(await result).toEqual({ kind: 'no hello', fault: 'ended before it said hello' });
});

it('what an end prints that does not read is quoted', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const result = readHello(input, output, 5000);
  output.destroy(new Error('EPIPE'));
  await setImmediate();
  input.end('hello world\n');
  expect(await result).toEqual({
    kind: 'no hello',
    fault: 'ended before it said hello after it printed "hello world"',
  });
});

it('an end that does not read and continues is a fault in time', async () => {
  const output = new PassThrough();
  const result = readHello(new PassThrough(), output, 60_000);
  output.destroy(new Error('EPIPE'));
  expect(await result).toEqual({ kind: 'no hello', fault: 'ended before it said hello' });
});

it('an end that says nothing is a fault in time', async () => {
  const result = await readHello(new PassThrough(), new PassThrough(), 1);
  expect(result).toEqual({ kind: 'no hello', fault: 'did not say hello within 0.001 s' });
});
