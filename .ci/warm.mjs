// Keeps V8's code of the built program for this Node, unless it is kept already: see src/cli/boot/warm.ts.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';

/** The flags of `npm start`; commands have none. */
const STARTS = [['--max-semi-space-size=1'], []];

export function warm(dist) {
  const ours = `-${cachedDataVersionTag()}.cache`;
  if (readdirSync(dist).some((name) => name.endsWith(ours))) return;
  for (const flags of STARTS) {
    const { status } = spawnSync(process.execPath, [...flags, join(dist, 'warm.js')], { stdio: 'ignore' });
    if (status === 0) continue;
    process.stderr.write('footbridge: V8 kept no code of the program, so that starts are slower\n');
  }
}
