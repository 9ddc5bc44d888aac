// The commands of the recipes, run as they are typed in a copy of the checkout where every recipe was applied.
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply, copyOf, filesOf, recipes } from './recipes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PLAIN = 'npx vitest run --config test/vitest.config.ts';
const TIMEOUT_MS = 600_000;

describe('after all recipes', () => {
  let copy: string;
  const run = (command: string): void => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: copy, encoding: 'utf8' });
    expect(status, `${command}\n${stdout}\n${stderr}`).toBe(0);
  };
  const commands = [...new Set(recipes().flatMap((recipe) => recipe.commands))];
  /** Commands that name files of the first configuration alone: one run takes less time than one for each recipe. */
  const plain = commands.filter((one) => one.startsWith(PLAIN) && !/ -[tu]\b/.test(one));
  const others = commands.filter((one) => one.startsWith('npx') && !plain.includes(one));

  beforeAll(() => {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    });
    copy = copyOf(
      ...new Set(
        listed
          .split('\0')
          .slice(0, -1)
          .map((file) => file.split('/')[0] ?? ''),
      ),
    );
    for (const recipe of recipes()) apply(recipe, copy);
    for (const command of commands.filter((one) => !one.startsWith('npx'))) run(command);
  }, TIMEOUT_MS);
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('the types of all sources and tests are right', { timeout: TIMEOUT_MS }, () => run('npx tsc -p .'));
  it('the blocks have the format of the checkout', { timeout: TIMEOUT_MS }, () => {
    const files = recipes().flatMap((one) => [...filesOf(one, 'changed'), ...filesOf(one, 'new')]);
    run(`npx biome ci --error-on-warnings ${[...new Set(files)].join(' ')}`);
  });
  it.each(others)('the command passes: %s', { timeout: TIMEOUT_MS }, run);
  it('the tests that the recipes name pass', { timeout: TIMEOUT_MS }, () => {
    expect(plain.length).toBeGreaterThan(5);
    const files = plain.flatMap((one) => one.slice(PLAIN.length).trim().split(' '));
    for (const file of files) expect(() => execFileSync('test', ['-e', join(copy, file)])).not.toThrow();
    run(`${PLAIN} ${[...new Set(files)].join(' ')}`);
  });
});
