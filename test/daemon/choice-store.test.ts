import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileChoiceStore } from '../../src/daemon/choice-store.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

function store() {
  const path = join(temporaryFolder(), 'upstream.json');
  const damaged: string[] = [];
  return {
    path,
    damaged,
    ...fileChoiceStore(path, process.getuid?.(), ({ reason }) => damaged.push(reason)),
  };
}

it('the choice of chat clients is stored for the user alone, and everything is free without a file', () => {
  const { path, load, save } = store();
  expect(load()).toEqual({ primary: null, only: null });
  const choice = { primary: 'stable', only: ['vesktop', 'user:*', 'can*'] };
  expect(save(choice)).toEqual({ kind: 'saved' });
  expect(load()).toEqual(choice);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it.each<[string, (text: string) => string, string]>([
  ['two primary clients', (text) => text.replace('"stable"', '["stable","canary"]'), 'its checksum is wrong'],
  ['another name', (text) => text.replace('stable', 'canary'), 'its checksum is wrong'],
  ['no JSON', () => '{', 'it is not JSON'],
  ['a list as primary, without a checksum', () => '{"primary":["a","b"],"only":null}', '"primary" in it '],
  ['a pattern as primary', () => '{"primary":"a*","only":null}', '"primary" in it must be one name'],
  ['no name', () => '{"primary":null,"only":["a b"]}', '"only.0" in it must be the name of a chat client'],
])('a choice that was edited into %s is moved aside, and no client shows anything', (_what, edit, reason) => {
  const { path, damaged, load, save } = store();
  save({ primary: 'stable', only: null });
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
  expect(load()).toEqual({ primary: null, only: [] });
  expect(damaged).toEqual([expect.stringContaining(reason)]);
});

it('a link in the place of the choice refuses the start with path and remedy', () => {
  const { path, load } = store();
  symlinkSync('/dev/null', path);
  expect(load).toThrow(
    `${path} is no choice of chat clients: it is no file. Move it away, and choose again: footbridge upstream`,
  );
});

it('a choice that cannot be written is reported', () => {
  const { path } = store();
  writeFileSync(path, '');
  const { save } = fileChoiceStore(join(path, 'x.json'), undefined, () => {});
  expect(save({ primary: null, only: null })).toMatchObject({
    kind: 'failed',
    reason: expect.stringContaining('x.json cannot be written'),
  });
});
