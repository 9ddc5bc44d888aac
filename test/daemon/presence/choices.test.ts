import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { currentOs } from '../../../platform/operating-system.ts';
import { choiceStore } from '../../../src/daemon/presence/choices.ts';
import { StateFiles } from '../../../src/daemon/state-files.ts';
import { silentLogger } from '../../../src/server/options.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const os = await currentOs();

function store() {
  const path = temporaryFolder();
  return {
    file: join(path, 'presence.json'),
    open: () =>
      choiceStore({
        os,
        data: { kind: 'folder', path, chosen: true },
        logger: silentLogger,
        stateFiles: new StateFiles(),
      }),
  };
}

it('the last 1,000 names of applications are remembered, in the bridge as in its file', () => {
  const { open } = store();
  const choices = open();
  const names = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`9000000000000000${at}`, 'n']));
  choices.change({ names });
  const kept = Object.keys(names).slice(-1000);
  expect(Object.keys(choices.current.names)).toEqual(kept);
  expect(Object.keys(open().current.names)).toEqual(kept);
});

it('a link that leads nowhere is no missing file, because the file may have held a pause', () => {
  const { file, open } = store();
  symlinkSync('/nowhere/presence.json', file);
  expect(open).toThrow(`${file} is no file of choices about presence: it is no file. Move it away`);
});
