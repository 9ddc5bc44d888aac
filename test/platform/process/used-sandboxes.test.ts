import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usedSandboxes } from '../../../platform/process/used-sandboxes.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

it('usedSandboxes finds Flatpaks of the system and of the user, and snaps, on Linux only', () => {
  const root = temporaryFolder();
  const env = { HOME: join(root, 'home') };
  expect(usedSandboxes('linux', env, root)).toEqual([]);
  mkdirSync(join(root, 'home/.local/share/flatpak/app'), { recursive: true });
  expect(usedSandboxes('linux', env, root)).toEqual([]);
  mkdirSync(join(root, 'home/.local/share/flatpak/app/org.a'));
  expect(usedSandboxes('linux', env, root)).toEqual(['flatpak']);
  mkdirSync(join(root, 'snap/bin/firefox'), { recursive: true });
  expect(usedSandboxes('linux', env, root)).toEqual(['flatpak', 'snap']);
  expect(usedSandboxes('linux', { XDG_DATA_HOME: join(root, 'other') }, root)).toEqual(['snap']);
  expect(usedSandboxes('darwin', env, root)).toEqual([]);
});
