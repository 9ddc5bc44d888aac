import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findChromium } from '../../../platform/process/chromium-program.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

function program(folder: string, name: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
  return path;
}

describe('the browser for pictures', () => {
  it.each([
    [['microsoft-edge', 'chromium', 'google-chrome'], 'chromium'],
    [['microsoft-edge', 'google-chrome'], 'google-chrome'],
    [['microsoft-edge'], 'microsoft-edge'],
    [['chromium-headless-shell'], 'chromium-headless-shell'],
  ])('is of the programs %j in PATH %s', (names, expected) => {
    const folder = temporaryFolder();
    for (const name of names) program(folder, name);
    expect(findChromium('linux', { PATH: folder })).toEqual({ kind: 'found', path: join(folder, expected) });
  });

  it('is not a program that every user may replace, nor one that nobody may run', () => {
    const open = temporaryFolder();
    program(open, 'chromium');
    chmodSync(open, 0o777);
    const idle = temporaryFolder();
    program(idle, 'chromium', 0o644);
    const own = temporaryFolder();
    const path = program(own, 'google-chrome');
    expect(findChromium('linux', { PATH: [open, idle, own].join(delimiter) })).toEqual({
      kind: 'found',
      path,
    });
  });

  it('is the program that FOOTBRIDGE_CHROMIUM names', () => {
    const folder = temporaryFolder();
    program(folder, 'chromium');
    const path = program(folder, 'my-browser');
    const env = { PATH: folder, FOOTBRIDGE_CHROMIUM: path };
    expect(findChromium('linux', env)).toEqual({ kind: 'found', path });
    expect(findChromium('linux', { ...env, FOOTBRIDGE_CHROMIUM: '' })).toEqual({
      kind: 'found',
      path: join(folder, 'chromium'),
    });
  });

  it.each(['/no/such/program', '/usr', 'chromium', '/etc/passwd'])(
    'is none where FOOTBRIDGE_CHROMIUM is %s, with that as the reason',
    (named) => {
      const folder = temporaryFolder();
      program(folder, 'chromium');
      expect(findChromium('linux', { PATH: folder, FOOTBRIDGE_CHROMIUM: named })).toEqual({
        kind: 'missing',
        reason: `FOOTBRIDGE_CHROMIUM: "${named}" is no program. Give the absolute path of a Chromium, Chrome or Edge.`,
      });
    },
  );

  it.each(['linux', 'win32'] as const)('is missing where %s has none, with the remedy', (os) => {
    expect(findChromium(os, { PATH: temporaryFolder() })).toEqual({
      kind: 'missing',
      reason:
        'no Chromium, Chrome or Edge is installed here, and none is downloaded. Install one ' +
        '(Debian: apt install chromium), or name its program in FOOTBRIDGE_CHROMIUM.',
    });
  });
});
