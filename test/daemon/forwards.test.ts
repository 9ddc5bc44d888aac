import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readForwards } from '../../src/daemon/config/forwards.ts';
import { Forwards } from '../../src/daemon/forwards.ts';
import type { Logger } from '../../src/server/options.ts';
import { eventually } from '../helpers/eventually.ts';
import { recordingLogger } from '../helpers/memory-bridge.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

/** A program in place of footbridge that notes its start and stays until its channel closes, or as the script says. */
function bench(script = '', minPauseMs = 5) {
  const folder = temporaryFolder();
  const file = join(folder, 'program.mjs');
  const log = join(folder, 'starts');
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ pid: process.pid, args: process.argv.slice(2) }) + '\\n');
process.on('disconnect', () => process.exit());
setInterval(() => {}, 1000);
${script}`,
  );
  const lines: string[] = [];
  const write = (fields: object, message: string): void =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  const forwards = new Forwards({
    env: { PATH: process.env['PATH'] },
    logger,
    program: [process.execPath, file],
    minPauseMs,
  });
  onTestFinished(() => forwards.close());
  const starts = (): { readonly pid: number; readonly args: readonly string[] }[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : [];
  return { forwards, starts, lines };
}

const one = { from: '/tmp/a', to: 'auto', rights: 'presence', name: 'a' } as const;
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

it('a forward of the configuration runs with its options', async () => {
  const { forwards, starts } = bench();
  forwards.apply([{ ...one, name: 'box' }]);
  await eventually(() => expect(starts()).toHaveLength(1));
  expect(starts()[0]?.args).toEqual([
    'forward',
    '--from',
    '/tmp/a',
    '--to',
    'auto',
    '--rights',
    'presence',
    '--name',
    'box',
  ]);
  await forwards.close();
  expect(isAlive(starts()[0]?.pid ?? 0)).toBe(false);
});

it('a forward that ends is started again, and its last message is logged', async () => {
  const { forwards, starts, lines } = bench(
    `console.error('footbridge: exec:x: the command ended.'); process.exit(1);`,
  );
  forwards.apply([one]);
  await eventually(() => expect(starts().length).toBeGreaterThan(2));
  expect(lines.find((line) => line.startsWith('a forward ended'))).toContain('exec:x: the command ended.');
});

it('a forward that ends is started again although a process of its command keeps its standard error open', async () => {
  const { forwards, starts, lines } = bench(
    `const { spawn } = await import('node:child_process');
spawn('sleep', ['20'], { stdio: ['ignore', 'ignore', 'inherit'] });
console.error('footbridge: exec:x: the command did not say hello.');
process.exit(1);`,
  );
  forwards.apply([one]);
  await eventually(() => expect(starts().length).toBeGreaterThan(1));
  expect(lines.find((line) => line.startsWith('a forward ended'))).toContain('did not say hello.');
});

it('a change of the configuration ends what is gone and keeps what is not', async () => {
  const { forwards, starts } = bench();
  const two = { ...one, from: '/tmp/b' };
  forwards.apply([one, two]);
  await eventually(() => expect(starts()).toHaveLength(2));
  const [first, second] = ['/tmp/a', '/tmp/b'].map(
    (from) => starts().find(({ args }) => args[2] === from)?.pid ?? 0,
  );
  forwards.apply([two]);
  await eventually(() => expect(isAlive(first as number)).toBe(false));
  expect(isAlive(second as number)).toBe(true);
  expect(starts()).toHaveLength(2);
});

it('neither the status nor the log has the arguments of a command, or a secret that it prints', async () => {
  const { forwards, lines } = bench(
    `console.error('footbridge: refused: password=hunter2'); process.exit(1);`,
  );
  forwards.apply([
    { ...one, from: 'exec:sshpass -p hunter2 ssh pier', to: 'exec:docker exec -e X=hunter2 web' },
  ]);
  await eventually(async () => expect(await forwards.list()).toMatchObject([{ state: 'waiting' }]));
  expect(await forwards.list()).toMatchObject([
    { from: 'exec:sshpass …', to: 'exec:docker …', why: 'refused: password=[hidden]' },
  ]);
  expect(lines.filter((line) => line.startsWith('message of a forward')).length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes('hunter2'))).toEqual([]);
});

it('a program that cannot be started is tried again', async () => {
  const { lines } = bench();
  const forwards = new Forwards({
    env: {},
    logger: {
      debug: () => {},
      info: () => {},
      warn: (fields, text) => void lines.push(`${text} ${fields.reason}`),
      error: () => {},
    },
    program: ['/nowhere/footbridge'],
    minPauseMs: 5,
  });
  onTestFinished(() => forwards.close());
  forwards.apply([one]);
  await eventually(() => expect(lines.length).toBeGreaterThan(1));
  expect(lines[0]).toContain('ENOENT');
});

it('a program whose name no system takes is tried again, and not for ever after the end', async () => {
  const lines: string[] = [];
  const forwards = new Forwards({
    env: {},
    logger: { ...recordingLogger().logger, warn: ({ reason, ms }) => void lines.push(`${reason} ${ms}`) },
    program: ['a\0b'],
    minPauseMs: 1,
  });
  forwards.apply([one]);
  expect(await forwards.list()).toMatchObject([{ state: 'waiting', why: expect.any(String), sessions: 0 }]);
  await eventually(() => expect(lines.length).toBeGreaterThan(2));
  expect(lines.slice(0, 3).map((line) => line.split(' ').at(-1))).toEqual(['1', '2', '4']);
  await forwards.close();
  const count = lines.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(lines).toHaveLength(count);
});

it('each pause before a forward is started again is longer, and the first again after a minute of running', async () => {
  const { forwards, starts, lines } = bench();
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  forwards.apply([one]);
  const pauses = () =>
    lines.filter((line) => line.startsWith('a forward ended')).map((line) => /"ms":(\d+)/.exec(line)?.[1]);
  for (const [at, ran] of [59_999, 0, 60_000, 0].entries()) {
    await eventually(() => expect(starts()).toHaveLength(at + 1));
    now += ran;
    process.kill(starts()[at]?.pid ?? 0, 'SIGKILL');
    await eventually(() => expect(pauses()).toHaveLength(at + 1));
  }
  expect(pauses()).toEqual(['5', '10', '5', '10']);
});

it('tables [[forward]] are read', () => {
  const table = { from: '/tmp/a', to: "exec:ssh desk 'x y'", rights: 'full', name: 'desk' };
  expect(readForwards([table, { from: '/tmp/b', to: 'auto' }], 'f.toml', 'linux')).toEqual([
    table,
    { from: '/tmp/b', to: 'auto', rights: 'presence', name: 'b' },
  ]);
});

it('forwards without a name get a short one that no other forward of the file has', () => {
  const names = readForwards(
    [
      { from: '/run/user/1000/box/discord-ipc-0', to: 'auto' },
      { from: '/tmp/box/discord-ipc-1', to: 'auto' },
      { from: 'exec:ssh box footbridge forward --from /tmp/a --to stdio:', to: 'auto', name: 'box-2' },
    ],
    'f.toml',
    'linux',
  ).map(({ name }) => name);
  expect(names).toEqual(['box', 'box-3', 'box-2']);
});

it('lists each forward with its state, the reason while it waits, and its sessions', async () => {
  const { forwards, starts } = bench(
    `if (process.argv[4] === '/tmp/a') {
  const send = () => process.send({ sessions: 3, why: null, since: 0, lastError: 'token=hunter2' });
  process.on('message', send);
  send();
}
if (process.argv[4] === '/tmp/b') {
  console.error('footbridge: exec:x: the command ended.');
  process.exit(1);
}`,
    60_000,
  );
  const two = { ...one, from: '/tmp/b', name: 'b' };
  const three = { ...one, from: '/tmp/c', name: 'c' };
  forwards.apply([one, two, three]);
  await eventually(() => expect(starts()).toHaveLength(3));
  const ended = 'exec:x: the command ended.';
  await eventually(async () =>
    expect(await forwards.list()).toEqual([
      {
        ...one,
        state: 'running',
        why: null,
        since: '1970-01-01T00:00:00.000Z',
        lastError: 'token=[hidden]',
        sessions: 3,
      },
      { ...two, state: 'waiting', why: ended, since: null, lastError: ended, sessions: 0 },
      { ...three, state: 'starting', why: null, since: null, lastError: null, sessions: 0 },
    ]),
  );
});

it.each([
  [{}, 'forward: tables [[forward]] are expected'],
  [
    Array.from({ length: 33 }, (_, at) => ({ from: `/tmp/${at}`, to: 'auto' })),
    'forward: at most 32 are kept running',
  ],
  [['x'], 'forward 1: a table is expected'],
  [[{ from: '/tmp/a', to: 'auto', right: 'full' }], 'right: there is no such key. Did you mean "rights"?'],
  [[{ kind: 'x' }], 'kind: there is no such key. Known are from, to, '],
  [[{ to: 'auto' }], 'from: nothing is not a path'],
  [[{ from: '/tmp/a', to: 7 }], 'to: 7 is not a path'],
  [[{ from: 'stdio:', to: 'auto' }], 'the service has no stdio:'],
  [[{ from: '/tmp/a', to: 'localhost:80' }], 'network'],
  [[{ from: 'C:\\a', to: 'auto' }], 'path of Windows'],
  [[{ from: '/tmp/a', to: 'auto', rights: 'admin' }], 'rights: "admin"'],
  [[{ from: '/tmp/a', to: 'auto', name: '' }], 'name: ""'],
  [[{ from: '/tmp/a', to: '/tmp/a' }], 'are the same'],
  [
    [
      { from: '/tmp/a', to: 'auto' },
      { from: '/tmp/a', to: 'exec:x' },
    ],
    'two have from',
  ],
  [[{ from: 'exec:sshpass -p pw', to: 'exec:sshpass -p pw' }], 'are the same, "exec:sshpass …"'],
  [[{ from: `exec:sshpass -p ${'x'.repeat(4096)}`, to: 'auto' }], 'from: "exec:sshpass …" is not a path'],
])('%j is refused in one line', (value, problem) => {
  expect(() => readForwards(value, '/etc/f.toml', 'linux')).toThrow(problem);
  expect(() => readForwards(value, '/etc/f.toml', 'linux')).toThrow(/^\/etc\/f\.toml: [^\n]+[.?]$/);
});

it.each([
  ['process.exit(3);', 'exit code 3'],
  ["process.kill(process.pid, 'SIGKILL');", 'SIGKILL'],
  ["process.stderr.write('one\\ntwo\\npart', () => process.exit(3));", 'two'],
  ["process.stderr.write('x'.repeat(2000) + '\\n', () => process.exit(3));", 'x'.repeat(1000)],
  [
    "console.error('footbridge: a footbridge: b'); process.exitCode = 3; process.disconnect();",
    'a footbridge: b',
  ],
  ["console.error('a footbridge: b'); process.exitCode = 3; process.disconnect();", 'a footbridge: b'],
])('a forward whose program does %j waits because of %j', async (script, why) => {
  const { forwards, lines } = bench(script, 60_000);
  forwards.apply([one]);
  await eventually(async () => expect(await forwards.list()).toMatchObject([{ state: 'waiting' }]));
  expect(await forwards.list()).toEqual([
    { ...one, state: 'waiting', why, since: null, lastError: why, sessions: 0 },
  ]);
  expect(lines.at(-1)).toBe(
    `a forward ended and is started again ${JSON.stringify({ path: '/tmp/a', reason: why, ms: 60_000 })}`,
  );
});

it('a forward that no longer tells its status is still listed, with what its end was before', async () => {
  const { forwards } = bench('process.send({ sessions: 3, why: null, since: 0, lastError: null });', 60_000);
  forwards.apply([one]);
  await eventually(async () => expect(await forwards.list()).toMatchObject([{ state: 'running' }]));
  expect(await forwards.list()).toEqual([
    { ...one, state: 'running', why: null, since: null, lastError: null, sessions: 0 },
  ]);
});

it('a forward whose other end is not reached waits, with the reason that it tells', async () => {
  const { forwards } = bench(
    `const send = () => process.send({ sessions: 0, why: 'refused: token=hunter2', since: null, lastError: 'x' });
process.on('message', send);
send();`,
  );
  forwards.apply([one]);
  await eventually(async () =>
    expect(await forwards.list()).toEqual([
      { ...one, state: 'waiting', why: 'refused: token=[hidden]', since: null, lastError: 'x', sessions: 0 },
    ]),
  );
});

it('a forward that does not end by itself is ended, and says nothing any more', async () => {
  const { forwards, starts, lines } = bench(
    `process.on('SIGTERM', () => console.error('not yet'));
process.removeAllListeners('disconnect');`,
  );
  forwards.apply([one]);
  await eventually(() => expect(starts()).toHaveLength(1));
  await forwards.close();
  expect(isAlive(starts()[0]?.pid ?? 0)).toBe(false);
  expect([lines, await forwards.list()]).toEqual([[], []]);
});

it('tables [[forward]] may be 32, and a command 4096 characters', () => {
  const tables = Array.from({ length: 32 }, (_, at) => ({ from: `/tmp/${at}`, to: 'auto' }));
  expect(readForwards(tables, 'f.toml', 'linux')).toHaveLength(32);
  const to = `exec:${'x'.repeat(4091)}`;
  expect(readForwards([{ from: '/tmp/a', to }], 'f.toml', 'linux')[0]?.to).toBe(to);
  expect(() => readForwards([{ from: '/tmp/a', to: `${to}x` }], 'f.toml', 'linux')).toThrow(
    'f.toml: forward 1: to: "exec:xxx',
  );
  expect(() => readForwards([{ from: '/tmp/a', to: 7 }], 'f.toml', 'linux')).toThrow(
    'f.toml: forward 1: to: 7 is not a path, "auto" or "exec:COMMAND".',
  );
  expect(() => readForwards([{ from: 7, to: 'auto' }], 'f.toml', 'linux')).toThrow(
    'f.toml: forward 1: from: 7 is not a path or "exec:COMMAND".',
  );
});
