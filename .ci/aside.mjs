// Around `npm pack`, which takes what is in dist/: `put` keeps the checkout's own build, `take` brings it back.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const aside = `${dist}.checkout`;

if (process.argv[2] === 'put') {
  // One that lies there already is the checkout's: packing was interrupted.
  if (existsSync(dist) && !existsSync(aside)) renameSync(dist, aside);
} else {
  rmSync(dist, { recursive: true, force: true });
  if (existsSync(aside)) renameSync(aside, dist);
}
