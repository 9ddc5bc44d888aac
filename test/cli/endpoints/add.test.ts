import { readFileSync, writeFileSync } from 'node:fs';
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
