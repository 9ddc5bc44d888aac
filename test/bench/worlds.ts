// What a world of 50 channels and 200 members takes behind one emulator. `npm run bench -- testing`
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROGRAM } from './built.ts';
import type { CoreFigure } from './cores.ts';
import { median } from './statistics.ts';

const WORLDS = 100;

/** Run in a process of its own. The first worlds bring the code, which the others share. */
const SCRIPT = `
  const { startEmulator } = await import(process.argv[1]);
  const users = Array.from({ length: 200 }, (_, n) => ({ id: String(100000000000000000n + BigInt(n)), username: 'user' + n }));
  const channels = Array.from({ length: 50 }, (_, n) => ({ id: String(300000000000000000n + BigInt(n)), name: 'c' + n, type: 0 }));
  const members = users.map(({ id }) => ({ user: id }));
  const fixture = { me: users[0].id, users, guilds: [{ id: '200000000000000000', name: 'G', channels, members }] };
  const bridge = await startEmulator();
  const timed = async (task) => {
    const begun = performance.now();
    const result = await task();
    return [performance.now() - begun, result];
  };
  const add = (args) => timed(() => bridge.operations.call('world.add', args));
  for (let n = 0; n < 20; n += 1) await add({ fixture });
  const held = () => { globalThis.gc(); return process.memoryUsage().heapUsed; };
  const before = held();
  const made = [];
  for (let n = 0; n < ${WORLDS}; n += 1) made.push(await add({ fixture }));
  const bytes = (held() - before) / ${WORLDS};
  const resets = [];
  for (const [, { name }] of made) resets.push(await timed(() => bridge.operations.call('world.reset', { name })));
  const middle = (runs) => runs.map(([ms]) => ms).sort((a, b) => a - b)[runs.length >> 1];
  console.log(JSON.stringify({ bytes, make: middle(made), reset: middle(resets) }));
  process.exit(0);
`;

/** Measures the memory of a world, and the times to make one and to reset it. */
export function measureWorlds(passes: number, tell: (text: string) => void): CoreFigure[] {
  tell('a hundred worlds');
  const entry = pathToFileURL(join(PROGRAM, '../testing.js')).href;
  const runs = Array.from({ length: passes }, () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--expose-gc', '--input-type=module', '-e', SCRIPT, entry],
      { encoding: 'utf8' },
    );
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Readonly<Record<'bytes' | 'make' | 'reset', number>>;
  });
  const rangeOf = (values: readonly number[]): string =>
    ` (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
  const figure = (
    name: string,
    key: keyof (typeof runs)[number],
    most: number,
    unit: CoreFigure['unit'],
    by = 1,
  ) => {
    const values = runs.map((run) => run[key] / by);
    return { name, value: median(values), most, unit, more: rangeOf(values) };
  };
  return [
    figure(`one of ${WORLDS} worlds in one process`, 'bytes', 2, 'MiB', 1_048_576),
    figure('to make a world', 'make', 10, 'ms'),
    figure('to reset a world', 'reset', 3, 'ms'),
  ];
}
