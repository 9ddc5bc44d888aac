import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addEndpoint } from '../../../src/cli/endpoints/endpoints.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { fakeIo } from '../fake-io.ts';

it('an endpoint whose name exists is not added, and the error has the command that removes the other one', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'footbridge.toml');
  const before = `[[endpoints]]\nname = "box"\npath = "${folder}/box/discord-ipc-0"\n`;
  writeFileSync(file, before);
  const table = { name: 'box', path: `${folder}/other/discord-ipc-0` };
  await expect(addEndpoint(table, file, false, fakeIo({ XDG_RUNTIME_DIR: folder }))).rejects.toThrow(
    `${file} already has an endpoint "box". Give this one another --name, or remove that one: footbridge endpoints remove box`,
  );
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('a configuration file that was named is created, in a folder that exists', async () => {
  const folder = temporaryFolder();
  const table = { name: 'box', path: `${folder}/box/discord-ipc-0` };
  const io = fakeIo({ XDG_RUNTIME_DIR: folder });
  expect(await addEndpoint(table, join(folder, 'new.toml'), false, io)).toBe(0);
  expect(readFileSync(join(folder, 'new.toml'), 'utf8')).toContain('name = "box"');
  const missing = join(folder, 'missing/new.toml');
  await expect(addEndpoint(table, missing, false, io)).rejects.toThrow('cannot be read');
  expect(existsSync(join(folder, 'missing'))).toBe(false);
});

it('a link to an empty configuration file stays a link', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'real.toml'), '');
  symlinkSync('real.toml', join(folder, 'link.toml'));
  const table = { name: 'box', path: `${folder}/box/discord-ipc-0` };
  await addEndpoint(table, join(folder, 'link.toml'), false, fakeIo({ XDG_RUNTIME_DIR: folder }));
  expect(lstatSync(join(folder, 'link.toml')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'real.toml'), 'utf8')).toContain('name = "box"');
});
