import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram, temporaryPlace } from '../cli/spawn.ts';
import { bundledModule } from '../helpers/bundled.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORKERS = 4;
const WORLDS = 100;

/**
 * A file of tests as a user writes it: each test in a world of its own, all at once. The library is bundled for this run: in
 * dist, a build meanwhile takes files away that are loaded later.
 */
const tests = () => `
import { afterAll, expect, it } from 'vitest';
import { startEmulator } from ${bundledModule('testing')};

const bridge = await startEmulator();
afterAll(() => bridge.close());

it.concurrent.each(Array.from({ length: ${WORLDS / WORKERS} }, (_, n) => n))('world %i', async (n) => {
  const world = await bridge.world({ name: 'number-' + n });
  const token = world.bots[0].token;
  for (let times = 0; times <= n % 3; times += 1) {
    const answer = await fetch(world.api + '/v10/users/@me', { headers: { authorization: 'Bot ' + token } });
    expect(answer.status).toBe(200);
  }
  await world.users.create({ username: 'user-' + n });
  await world.expect('GET /users/@me').toHaveBeenCalledTimes(1 + (n % 3));
  const names = (await world.users.list()).map(({ username }) => username);
  expect(names.filter((name) => name.startsWith('user-'))).toEqual(['user-' + n]);
  await world.reset();
  expect((await world.users.list()).map(({ username }) => username)).not.toContain('user-' + n);
  await world.close();
});

it('leaves none', async () => {
  expect(await bridge.operations.call('world.list')).toEqual([]);
});
`;

it('100 worlds at once, from four workers of vitest', async () => {
  const place = temporaryPlace();
  for (let worker = 0; worker < WORKERS; worker += 1)
    writeFileSync(join(place.folder, `${worker}.test.mjs`), tests());
  const config = join(place.folder, 'vitest.config.mjs');
  const test = {
    root: place.folder,
    include: ['*.test.mjs'],
    maxWorkers: WORKERS,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  };
  writeFileSync(config, `export default ${JSON.stringify({ test })};`);
  const { code, stdout, stderr } = await startProgram(
    [process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config],
    { cwd: ROOT, env: { ...place.env, NO_COLOR: '1' } },
  ).ended;
  expect(`${stdout}${stderr}`).toMatch(
    new RegExp(`Tests {2}${WORLDS + WORKERS} passed \\(${WORLDS + WORKERS}\\)`),
  );
  expect(code).toBe(0);
}, 120_000);
