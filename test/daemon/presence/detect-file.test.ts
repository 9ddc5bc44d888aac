import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDetectables } from '../../../src/daemon/presence/detect-file.ts';
import { place } from '../../helpers/fault-bridge.ts';

const REMEDY =
  'Give a JSON list of applications with executables: [{"id": "…", "name": "…", "executables": [{"name": "…"}]}].';
const write = (text: string): string => {
  const path = join(place().folder, 'games.json');
  writeFileSync(path, text);
  return path;
};

it('a list of detectable applications is read from a file', async () => {
  const path = write('[{"id":"1","name":"Game","aliases":[],"executables":[{"name":"game","os":"linux"}]}]');
  const list = await readDetectables(path);
  expect(list.match({ paths: ['/opt/game'], arguments: '' })).toEqual({ id: '1', name: 'Game' });
});

it.each([
  ['[{"id": "1",', `is not JSON: it ends too early. ${REMEDY}`],
  ['[1 2]', `is not JSON: see character 4. ${REMEDY}`],
  ['', `is not JSON: it ends too early. ${REMEDY}`],
  ['{}', `is no list. ${REMEDY}`],
  ['[]', `names no executable. ${REMEDY}`],
  [
    '[{"id":"1","name":"Game","executables":[{"name":"x","is_launcher":true}]}]',
    `names no executable. ${REMEDY}`,
  ],
])('%s is refused with the remedy', async (text, message) => {
  const path = write(text);
  await expect(readDetectables(path)).rejects.toMatchObject({
    code: 'FOOTBRIDGE_CONFIG',
    message: `detect: ${path} ${message}`,
  });
});

it('a file that is too large, missing or no file is refused', async () => {
  const path = write('');
  truncateSync(path, 50 * 1024 * 1024);
  await expect(readDetectables(path)).rejects.toThrow(
    `detect: ${path}: is too large: at most 33554432 bytes are read. Give a smaller one.`,
  );
  const { folder } = place();
  await expect(readDetectables(join(folder, 'none'))).rejects.toThrow(
    `detect: ${join(folder, 'none')}: cannot be read`,
  );
  await expect(readDetectables(folder)).rejects.toThrow(/^detect: .*only a regular file can be read here/);
});
