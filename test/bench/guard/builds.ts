// Builds of the program to compare with: that of an earlier commit, and one with a cost planted into it.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOURCES } from '../packed.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SESSION = 'src/session/session.ts';

/** A program that can be started, or why there is none. */
export type Built =
  | { readonly ok: true; readonly command: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** The commit that is checked out. */
export function headCommit(): string {
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
}

/** Whether any source of the program differs from that of a commit. */
export function changedSince(commit: string): boolean {
  const { status } = spawnSync('git', ['diff', '--quiet', commit, '--', ...SOURCES], { cwd: ROOT });
  return status !== 0;
}

/** Builds the program as it was at a commit, with the packages that are installed now. */
export function buildCommit(workFolder: string, commit: string): Built {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (git('cat-file', '-e', `${commit}^{commit}`).status !== 0)
    return { ok: false, reason: `this checkout does not have the commit ${commit}` };
  const checkout = join(workFolder, 'reference');
  mkdirSync(checkout);
  const archive = join(workFolder, 'reference.tar');
  const written = git('archive', `--output=${archive}`, commit, ...SOURCES);
  if (written.status !== 0) return { ok: false, reason: written.stderr.trim() };
  execFileSync('tar', ['-xf', archive, '-C', checkout]);
  return bundle(checkout);
}

/** Builds the sources of the checkout; with `percent`, so that all work costs so much more processor time (plant.ts). */
export function buildSources(workFolder: string, percent: number): Built {
  const checkout = join(workFolder, `costing-${percent}`);
  for (const name of SOURCES) cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  if (percent > 0) {
    const plant = fileURLToPath(new URL('plant.ts', import.meta.url));
    copyFileSync(plant, join(checkout, 'src', 'session', 'plant.ts'));
    const wrapper = `
import { costingMore } from './plant.ts';
Session.prototype.frame = costingMore(Session.prototype.frame, ${percent / 100});
`;
    appendFileSync(join(checkout, SESSION), wrapper);
  }
  return bundle(checkout);
}

/** Bundles the program of a folder of sources as `npm run build` does. */
function bundle(checkout: string): Built {
  const modules = join(checkout, 'node_modules');
  if (!existsSync(modules)) symlinkSync(join(ROOT, 'node_modules'), modules);
  const script = join(checkout, '.ci', 'bundle-for-guard.ts');
  writeFileSync(
    script,
    "import { bundleProgram } from './bundle.ts';\nawait bundleProgram(process.argv[2] ?? '');\n",
  );
  const out = join(checkout, 'built');
  mkdirSync(out);
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, out], {
    cwd: checkout,
    encoding: 'utf8',
  });
  if (status !== 0) return { ok: false, reason: `the build failed: ${stderr.trim().slice(-2000)}` };
  return { ok: true, command: [process.execPath, join(out, 'footbridge.js')] };
}
