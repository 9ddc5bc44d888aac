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

it.each([
  ['an end of another version', 'footbridge-forward/2 bridge full "x"\n', 'version 2'],
  ['a hello without a side', 'footbridge-forward/1 both full "x"\n', 'not valid'],
  ['a hello with unknown rights', 'footbridge-forward/1 bridge root "x"\n', 'not valid'],
  ['a hello without a name', 'footbridge-forward/1 bridge full\n', 'not valid'],
  ['a name that is too long', `footbridge-forward/1 bridge full "${'x'.repeat(65)}"\n`, 'not valid'],
  ['a flood without a hello', 'x'.repeat(70_000), 'no hello'],
  ['a flood of lines without a hello', 'noise\n'.repeat(2000), 'no hello'],
])('%s is a fault', async (_what, text, problem) => {
  const result = await reading(text).result;
  expect(result.kind !== 'hello' && result.fault).toContain(problem);
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
  expect(result.kind !== 'hello' && result.fault).toContain('did not say hello');
});
