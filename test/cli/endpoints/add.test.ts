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

it.each<[table: object, text: string]>([
  [{ path: 'foo/x' }, '--path: "foo/x" is not the absolute path of a socket'],
  [{ path: '/x/y', name: 'a b' }, '--name: "a b" is not 1 to 32 letters'],
  [{ path: '/x/y', rights: ['rpc.nothing'] }, '--rights: there is no scope, command or event "rpc.nothing"'],
  [{ path: '/x/y', rights: [''] }, '--rights: an item is empty'],
  [{ path: '/x/y', client: 'a' }, '--client: a path has none'],
])('options that make %j are refused as a wrong command line, and the file stays', async (table, text) => {
  const file = join(temporaryFolder(), 'footbridge.toml');
  const adding = addEndpoint({ name: 'rel', ...table }, file, false, fakeIo());
  await expect(adding).rejects.toMatchObject({
    code: 'FOOTBRIDGE_USAGE',
    message: expect.stringMatching(/^--[^\n]+ Try: footbridge endpoints add --help$/),
  });
  await expect(adding).rejects.toThrow(text);
  expect(existsSync(file)).toBe(false);
});

it('a second endpoint at one path is not added', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'footbridge.toml');
  const path = `${folder}/box/discord-ipc-0`;
  const io = fakeIo({ XDG_RUNTIME_DIR: folder });
  await addEndpoint({ name: 'box', path }, file, false, io);
  const before = readFileSync(file, 'utf8');
  await expect(addEndpoint({ name: 'other', path }, file, false, io)).rejects.toThrow(
    `Nothing was added to ${file}: endpoints: "box" and "other" have one path`,
  );
  expect(readFileSync(file, 'utf8')).toBe(before);
});
