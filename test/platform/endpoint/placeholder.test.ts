import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { placeholderAt } from '../../../platform/endpoint/placeholder.ts';
import type { SandboxScan } from '../../../platform/process/sandboxed-processes.ts';
import { temporaryFolder, uid } from '../../helpers/sockets.ts';

const ID = 'org.example.Game';

/** The path of a socket in the folder of a Flatpak. */
function socketPath(): string {
  const folder = join(temporaryFolder(), '.flatpak', ID, 'xdg-run');
  mkdirSync(folder, { recursive: true });
  return join(folder, 'discord-ipc-0');
}

const scan =
  (id: string, isComplete = true) =>
  (): Promise<SandboxScan> =>
    Promise.resolve({ sandboxes: [{ sandbox: { kind: 'flatpak', id }, pids: [1] }], isComplete });

it('an empty file of ours is left over unless its Flatpak runs, or may run', async () => {
  const path = socketPath();
  writeFileSync(path, '', { mode: 0o444 });
  expect(await placeholderAt(path, uid, scan('org.example.Other'))).toMatchObject({ kind: 'left' });
  expect(await placeholderAt(path, uid, scan(ID))).toEqual({ kind: 'used', app: ID });
  expect(await placeholderAt(path, uid, scan('org.example.Other', false))).toEqual({ kind: 'used', app: ID });
});

it('a file with content, of another user or behind a link is no placeholder', async () => {
  const path = socketPath();
  expect(await placeholderAt(path, uid, scan('x'))).toBeUndefined();
  writeFileSync(path, 'x');
  expect(await placeholderAt(path, uid, scan('x'))).toBeUndefined();
  const empty = `${path}-empty`;
  writeFileSync(empty, '');
  expect(await placeholderAt(empty, uid + 1, scan('x'))).toBeUndefined();
  symlinkSync(empty, `${path}-link`);
  expect(await placeholderAt(`${path}-link`, uid, scan('x'))).toBeUndefined();
});
