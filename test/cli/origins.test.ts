import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { allowedOrigins } from '../../src/daemon/origins.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { temporaryFolder, uid } from '../helpers/sockets.ts';
import { temporaryOf } from '../helpers/temporary-name.ts';
import { fakeIo } from './fake-io.ts';

const APP = '300000000000000001';

it('origins add prints a note for an id that no app can have, and allows the id', async () => {
  await using emulator = await startEmulator();
  const origins = async (...argv: readonly string[]) => {
    const io = fakeIo(emulator.env);
    const code = await runProgram(['origins', ...argv], commandTable, io);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };
  const add = (...argv: readonly string[]) => origins('add', ...argv);
  expect(await add('123', 'http://localhost:3000')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/123 +http:\/\/localhost:3000/),
    stderr: 'note: 123 is shorter than the id of any application: no app may have it.\n',
  });
  for (const argv of [[APP, 'http://localhost:3000'], ['streamkit']])
    expect(await add(...argv)).toMatchObject({ code: 0, stderr: '' });
  expect((await origins('remove', '123', 'http://localhost:3000')).stderr).toBe('');
  // A script reads stdout alone.
  const scripted = await add('124', 'http://localhost:3000', '--json');
  expect(JSON.parse(scripted.stdout)).toHaveProperty('origins');
  expect(scripted.stderr).toContain('note: 124 ');
});

it('origins works without a bridge, on the list that the next bridge reads', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const origins = async (...argv: readonly string[]) => {
    const io = fakeIo({ XDG_RUNTIME_DIR: folder });
    const code = await runProgram(['origins', ...argv, '--data-dir', data], commandTable, io);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };
  const stderr = `note: no bridge runs here; the next one reads ${join(data, 'origins.json')}.\n`;
  expect(await origins('add', APP, 'http://localhost:3000')).toMatchObject({ code: 0, stderr });
  expect(await origins('add', 'streamkit')).toMatchObject({ code: 0, stderr });
  expect(await origins('remove', APP, 'http://localhost:3000')).toMatchObject({ code: 0, stderr });
  expect(await origins()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('streamkit.discord.com'),
    stderr,
  });
  expect(readdirSync(data)).toEqual(['origins.json']);
  const list = allowedOrigins({
    path: join(data, 'origins.json'),
    uid,
    native: { kind: 'absent', reason: 'for the test' },
    onDamaged: () => {},
  });
  expect(list.allows(undefined, 'https://streamkit.discord.com')).toBe(true);
  // No bridge has the change in force, so nothing has changed where it cannot be stored.
  mkdirSync(temporaryOf(join(data, 'origins.json')));
  expect(await origins('add', 'overlayed')).toMatchObject({
    code: 78,
    stdout: '',
    stderr: expect.stringMatching(/cannot be written: [^\n]+\. Nothing was changed\./),
  });
  expect((await origins()).stdout).not.toContain('overlayed');
  chmodSync(data, 0o777);
  expect((await origins('add', 'overlayed')).stderr).toContain('other users can put files in it');
});
