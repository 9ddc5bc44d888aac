// What fifty emulators in one process take. `npm run bench -- testing`
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROGRAM } from './built.ts';
import type { CoreFigure } from './cores.ts';
import { median } from './statistics.ts';

const EMULATORS = 50;

/** Run in a process of its own: the first emulator brings the program, the others only themselves. */
const SCRIPT = `
  const { startEmulator } = await import(process.argv[1]);
  const resident = () => { globalThis.gc(); return process.memoryUsage.rss() / 1e6; };
  const used = async (bridge) => {
    await fetch(bridge.api + '/v10/users/@me');
    await bridge.expect('GET /users/@me').toHaveBeenCalled();
  };
  await used(await startEmulator());
  const before = resident();
  const begun = performance.now();
  const bridges = await Promise.all(Array.from({ length: ${EMULATORS} }, () => startEmulator()));
  const ms = performance.now() - begun;
  await Promise.all(bridges.map(used));
  const after = resident();
  await Promise.all(bridges.map((bridge) => bridge.close()));
  console.log(JSON.stringify({ each: (after - before) / ${EMULATORS}, ms: ms / ${EMULATORS} }));
  process.exit(0);
`;

/** Measures memory and time of one of fifty. */
export function measureTesting(passes: number, tell: (text: string) => void): CoreFigure[] {
  tell('fifty emulators');
  const entry = pathToFileURL(join(PROGRAM, '../testing.js')).href;
  const runs = Array.from({ length: passes }, () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--expose-gc', '--input-type=module', '-e', SCRIPT, entry],
      { encoding: 'utf8' },
    );
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as { readonly each: number; readonly ms: number };
  });
  const each = runs.map((run) => run.each / 1.048576);
  const more = ` (${Math.min(...each).toFixed(2)} to ${Math.max(...each).toFixed(2)}; ${median(runs.map(({ ms }) => ms)).toFixed(1)} ms to start one)`;
  return [
    { name: `one of ${EMULATORS} emulators in one process`, value: median(each), most: 8, unit: 'MiB', more },
  ];
}
