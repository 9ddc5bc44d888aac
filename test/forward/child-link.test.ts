import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../platform/process/program.ts';
import { ChildLink, type ChildLinkOptions } from '../../src/forward/child-link.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const NO_HELLO = 'Run the command itself in a terminal to see why.';
const hello = (side: string, version = 1): string => `echo 'footbridge-forward/${version} ${side} full "x"'`;

/** A link over a shell that runs `script`, with what it reports. */
function bench(script: string, more: Partial<ChildLinkOptions> = {}) {
  const log: string[] = [];
  const words = ['sh', '-c', script, temporaryFolder()] as const;
  const child = new ChildLink({
    command: { kind: 'exec', command: 'sh -c secret', words },
    own: { side: 'apps', rights: 'full', name: 'x' },
    onUp: () => log.push('up'),
    onDown: () => log.push('down'),
    report: (text) => log.push(text),
    timing: { minPauseMs: 1, maxPauseMs: 3, steadyMs: 1e9 },
    ...more,
  });
  onTestFinished(() => child.stop());
  return { child, log, folder: words[3] };
}

describe('the first attempt of a command', () => {
  it.each([
    ['ends', 'exit 3', `ended before it said hello (exit code 3). ${NO_HELLO}`],
    [
      'prints and ends',
      'echo no; exit 0',
      `ended before it said hello after it printed "no" (exit code 0). ${NO_HELLO}`,
    ],
    ['is killed', 'kill -9 $$', `ended before it said hello (SIGKILL). ${NO_HELLO}`],
    [
      'does not find its program',
      'exit 127',
      'ended before it said hello (exit code 127: its shell did not find a program. Is Footbridge installed there? Over ssh, PATH is shorter: name it with its full path).',
    ],
    [
      'is the same end',
      `${hello('apps')}; read x`,
      'is the same end of a forward as this one: it needs --from stdio:.',
    ],
    [
      'has another version',
      `${hello('bridge', 2)}; exec sleep 5`,
      'speaks version 2 of the forward protocol, and this end version 1: install the same release of Footbridge at both ends.',
    ],
  ])('that %s is the fault of the start', async (_what, script, fault) => {
    const { child, log } = bench(script);
    await expect(child.start()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_FORWARD',
      message: expect.stringContaining(`exec:sh …: the command ${fault.replace(/\.$/, '')}`),
    });
    expect([log, child.connection, child.lastFault]).toEqual([
      [],
      { kind: 'down', fault: undefined },
      undefined,
    ]);
  });

  it('that has the bridge at both ends needs the other option', async () => {
    const own = { side: 'bridge', rights: 'full', name: 'x' } as const;
    await expect(bench(`${hello('bridge')}; read x`, { own }).child.start()).rejects.toThrow(
      'it needs --to stdio:',
    );
  });

  it.each([
    [['/nowhere/x'], 'cannot be started: there is no such file or folder (ENOENT).'],
    [['a\0b'], 'cannot be started: '],
  ] as const)('of a program that does not exist is the fault of the start: %j', async (words, fault) => {
    const { child } = bench('', { command: { kind: 'exec', command: 'x', words } });
    await expect(child.start()).rejects.toThrow(`exec:x: the command ${fault}`);
  });

  it('reports what the command prints before its hello', async () => {
    const { child, log } = bench(`echo Welcome; ${hello('bridge')}; cat > /dev/null`);
    await child.start();
    expect(log).toEqual([
      'exec:sh …: the command printed "Welcome" before its hello, which was skipped. Make its shell silent.',
      'up',
    ]);
    expect(child.connection).toEqual({ kind: 'up', since: expect.any(Number) });
  });

  it('gives the command the hello of this end', async () => {
    const { child, folder } = bench(
      `${hello('bridge')}; read line; echo "$line" > "$0/line"; cat > /dev/null`,
    );
    await child.start();
    await eventually(() =>
      expect(readFileSync(join(folder, 'line'), 'utf8')).toBe('footbridge-forward/1 apps full "x"\n'),
    );
  });
});

it.skipIf(process.platform !== 'linux')(
  'the messages of a command are those of this process (Linux only)',
  async () => {
    const same = `[ "$(readlink /proc/$PPID/fd/2)" = "$(readlink /proc/$$/fd/2)" ] || exit 9`;
    const { child } = bench(`${same}; ${hello('bridge')}; cat > /dev/null`);
    await child.start();
    expect(child.connection.kind).toBe('up');
  },
);

describe('a command that was connected', () => {
  /** Runs with each line of a file once, and then until its input ends. */
  const steps = `read line < "$0/steps"; sed -i 1d "$0/steps"; eval "$line"`;

  it('is started again when it ends, after pauses that double up to their maximum', async () => {
    const { child, log, folder } = bench(steps);
    writeFileSync(
      join(folder, 'steps'),
      [
        `${hello('bridge')}; exit 3`,
        'exit 4',
        'exit 5',
        `${hello('bridge')}; sleep 0; exit 6`,
        `${hello('bridge')}; cat > /dev/null`,
        '',
      ].join('\n'),
    );
    await child.start();
    await eventually(() => expect(log.filter((text) => text === 'up')).toHaveLength(3));
    await eventually(() => expect(log.at(-1)).toContain('connected again'));
    const name = 'exec:sh …: the command';
    expect(log).toEqual([
      'up',
      'down',
      `${name} ended (exit code 3). It is started again in 0.001 s.`,
      `${name} ended before it said hello (exit code 4). ${NO_HELLO} It is started again in 0.002 s.`,
      `${name} ended before it said hello (exit code 5). ${NO_HELLO} It is started again in 0.003 s.`,
      'up',
      'exec:sh …: connected again.',
      'down',
      `${name} ended (exit code 6). It is started again in 0.003 s.`,
      'up',
      'exec:sh …: connected again.',
    ]);
    expect(child.lastFault).toBe(`${name} ended (exit code 6).`);
    expect(child.connection.kind).toBe('up');
  });

  it('is started again after the first pause once a link has held', async () => {
    const timing = { minPauseMs: 1, maxPauseMs: 100, steadyMs: 0 };
    const { child, log, folder } = bench(steps, { timing });
    const ending = `${hello('bridge')}; exit 0`;
    writeFileSync(
      join(folder, 'steps'),
      [ending, ending, ending, `${hello('bridge')}; cat > /dev/null`, ''].join('\n'),
    );
    await child.start();
    await eventually(() => expect(log.filter((text) => text === 'up')).toHaveLength(4));
    const pauses = log.flatMap((text) => / in ([\d.]+) s/.exec(text)?.[1] ?? []);
    expect(pauses).toEqual(['0.001', '0.001', '0.001']);
  });

  it('is started again after a longer pause while no link has held for long, however long the process runs', async () => {
    const timing = { minPauseMs: 1, maxPauseMs: 100, steadyMs: 1.9 * performance.now() };
    const { child, log, folder } = bench(steps, { timing });
    const ending = `${hello('bridge')}; exit 0`;
    writeFileSync(
      join(folder, 'steps'),
      [ending, ending, `${hello('bridge')}; cat > /dev/null`, ''].join('\n'),
    );
    await child.start();
    await eventually(() => expect(log.filter((text) => text === 'up')).toHaveLength(3));
    const pauses = log.flatMap((text) => / in ([\d.]+) s/.exec(text)?.[1] ?? []);
    expect(pauses).toEqual(['0.001', '0.002']);
  });

  it('is ended and started again when it breaks the protocol', async () => {
    const { child, log, folder } = bench(steps);
    const pid = join(folder, 'pid');
    writeFileSync(
      join(folder, 'steps'),
      [
        `${hello('bridge')}; echo $$ > "$0/pid"; echo not a frame; exec sleep 60`,
        `${hello('bridge')}; cat > /dev/null`,
        '',
      ].join('\n'),
    );
    await child.start();
    await eventually(() => expect(log).toContain('exec:sh …: connected again.'));
    expect(log).toContain(
      'exec:sh …: the command sent a frame of the unknown kind 110. It is started again in 0.001 s.',
    );
    await eventually(() => expect(isAlive(Number(readFileSync(pid, 'utf8')))).toBe(false));
  });

  it('that breaks the protocol and ends is told of its fault', async () => {
    const { child, log, folder } = bench(steps);
    const broken = `${hello('bridge')}; echo not a frame; exit 0`;
    writeFileSync(join(folder, 'steps'), [broken, `${hello('bridge')}; cat > /dev/null`, ''].join('\n'));
    await child.start();
    await eventually(() => expect(log).toContain('exec:sh …: connected again.'));
    expect(log[2]).toBe(
      'exec:sh …: the command sent a frame of the unknown kind 110. It is started again in 0.001 s.',
    );
  });

  it.each([
    ['its input', 'exec 0<&-', 'hung up'],
    ['its output', 'exec 1>&-', 'ended'],
  ])('that closes %s and stays is ended and started again', async (_, closing, fault) => {
    const timing = { minPauseMs: 1, maxPauseMs: 3, steadyMs: 1e9, pingMs: 10 };
    const { child, log, folder } = bench(steps, { timing });
    const stays = `echo $$ > "$0/pid"; ${hello('bridge')}; read line; ${closing}; exec sleep 60 0< /dev/null`;
    writeFileSync(join(folder, 'steps'), [stays, `${hello('bridge')}; cat > /dev/null`, ''].join('\n'));
    await child.start();
    await eventually(() => expect(log).toContain('exec:sh …: connected again.'));
    expect(log[2]).toBe(`exec:sh …: the command ${fault}. It is started again in 0.001 s.`);
    await eventually(() => expect(isAlive(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false));
  });

  it('that does not end at SIGTERM is killed', async () => {
    const { child, folder } = bench(
      `trap '' TERM; echo $$ > "$0/pid"; ${hello('bridge')}; while :; do sleep 0.01; done`,
      { timing: { killMs: 50 } },
    );
    await child.start();
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    expect(isAlive(pid)).toBe(true);
    child.stop();
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });

  it('is ended by a stop, and started no more', async () => {
    const { child, log, folder } = bench(
      `echo x >> "$0/starts"; trap 'echo > "$0/term"; exit' TERM; ${hello('bridge')}; while :; do sleep 0.01; done`,
    );
    await child.start();
    child.stop();
    await eventually(() => expect(existsSync(join(folder, 'term'))).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(readFileSync(join(folder, 'starts'), 'utf8')).toBe('x\n');
    expect(log.filter((text) => text.startsWith('exec:'))).toEqual([]);
  });

  it('is not started by a pause that a stop has ended', async () => {
    const timing = { minPauseMs: 60_000, maxPauseMs: 60_000 };
    const { child, log, folder } = bench(`echo x >> "$0/starts"; ${hello('bridge')}; exit 0`, { timing });
    await child.start();
    await eventually(() => expect(log.at(-1)).toContain('started again in 60 s'));
    expect(child.connection).toEqual({ kind: 'down', fault: 'exec:sh …: the command ended (exit code 0).' });
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    child.stop();
    await new Promise((resolve) => setImmediate(resolve));
    // A timer would keep the process running.
    expect(timers()).toBeLessThan(before);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(readFileSync(join(folder, 'starts'), 'utf8')).toBe('x\n');
  });
});
