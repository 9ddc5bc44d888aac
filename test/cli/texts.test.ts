import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { isLengthOf } from '../../src/conformance/client/framing.ts';
import { noDaemon, otherUsersText } from '../../src/control/address.ts';
import { faultOperations } from '../../src/daemon/faults.ts';
import { findChannel } from '../../src/emulator/api/lookup.ts';
import { emulatorWorld, ids } from '../helpers/emulator-world.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { fakeIo } from './fake-io.ts';

it('emulate and record report that an option of the command belongs after --', async () => {
  for (const words of [
    ['emulate', 'npm', 'test', '--silent'],
    ['record', 'f', 'npm', 'test', '--silent'],
  ]) {
    const io = fakeIo();
    expect(await runProgram(words, commandTable, io)).toBe(64);
    expect(io.stderr()).toMatch(/goes behind --: footbridge \w+ -- COMMAND/);
  }
});

it('with sudo the error names the bridge of the calling user', () => {
  const folder = temporaryFolder();
  const place = { os: 'linux', uid: 0 } as const;
  const env = { XDG_RUNTIME_DIR: folder, SUDO_UID: '4242', SUDO_USER: 'ada' };
  expect(otherUsersText(place, env)).toBeUndefined();
  mkdirSync(join(folder, 'footbridge-4242'));
  writeFileSync(join(folder, 'footbridge-4242', 'control.sock'), '');
  const text = `The bridge in ${folder} is that of ada: run the command without sudo`;
  expect(otherUsersText(place, env)).toBe(text);
  expect(noDaemon(place, env).message).toContain(text);
  expect(otherUsersText({ os: 'linux', uid: 4242 }, env)).toBeUndefined();
});

it('fault.add rejects a probability that is not above 0 and at most 1', () => {
  const args = faultOperations.find(({ name }) => name === 'fault.add')?.args();
  for (const probability of [2, 0, '2']) {
    expect(args?.safeParse({ fault: 'drop', probability })).toMatchObject({
      error: { issues: [{ message: 'is a number above 0 and at most 1, such as 0.5' }] },
    });
  }
});

it('isLengthOf accepts the length of data from any JSON writer', () => {
  const data = { note: 'né€😀/', list: [1, 2] };
  const compact = JSON.stringify(data);
  const spaced = compact.replace(/([,:])/g, '$1 ');
  const escaped = spaced.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  for (const text of [compact, spaced, escaped]) {
    expect(isLengthOf(text.length, data)).toBe(true);
    expect(isLengthOf(Buffer.byteLength(text), data)).toBe(true);
    expect(isLengthOf(Array.from(text).length, data)).toBe(true);
  }
  for (const wrong of [0, compact.length - 2, escaped.length * 2, '9', undefined])
    expect(isLengthOf(wrong, data)).toBe(false);
});

it('an ambiguous channel name is reported with the guild of each channel', async () => {
  const { emulator } = await emulatorWorld({
    guilds: [
      { id: '51', name: 'Harbour', owner: ids.otter, channels: [{ id: '52', name: 'lounge', type: 'text' }] },
      { id: '61', name: 'River', owner: ids.otter, channels: [{ id: '62', name: 'lounge', type: 'text' }] },
    ],
  });
  expect(() => findChannel(emulator.tables, 'lounge', () => true)).toThrow(
    'several channels are called "lounge"; give the id: 52 (in "Harbour"), 62 (in "River")',
  );
});
