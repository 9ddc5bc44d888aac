import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DamagedFile } from '../../src/daemon/checked-file.ts';
import { filePairingStore } from '../../src/daemon/pairing-store.ts';
import { isRoot } from '../helpers/fault-bridge.ts';
import { NOBODY } from '../helpers/other-user.ts';
import { temporaryFolder, uid } from '../helpers/sockets.ts';
import { temporaryOf } from '../helpers/temporary-name.ts';

const clients = [{ name: 'web', tokenHash: 'x', pairedAt: 1 }];

const storeAt = (path: string, damaged: DamagedFile[] = []) =>
  filePairingStore(path, uid, (file) => void damaged.push(file));

describe('the file of paired clients', () => {
  it('is private, replaced as a whole, and follows no link', () => {
    const path = join(temporaryFolder(), 'deeper', 'attached.json');
    const store = storeAt(path);
    expect(store.load()).toEqual([]);
    store.save([]);
    const target = join(temporaryFolder(), 'target');
    writeFileSync(target, 'mine');
    symlinkSync(target, temporaryOf(path));
    store.save(clients);
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(temporaryOf(path))).toBe(false);
    chmodSync(path, 0o644);
    expect(storeAt(path).load()).toEqual(clients);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  it.each<[string, (path: string) => void]>([
    ['a link', (path) => symlinkSync('/etc/hostname', path)],
    ['a FIFO', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
  ])('is refused by name and left in place when it is %s', (_name, make) => {
    const path = join(temporaryFolder(), 'attached.json');
    make(path);
    expect(() => storeAt(path).load()).toThrow(
      `${path} is no list of paired clients: it is no file. Move it away, and pair your clients again.`,
    );
    expect(lstatSync(path)).toBeDefined();
  });

  it('retains its clients without the checksum that earlier releases lack, and then gets a checksum', () => {
    const path = join(temporaryFolder(), 'attached.json');
    writeFileSync(path, JSON.stringify({ version: 1, clients }), { mode: 0o600 });
    const damaged: DamagedFile[] = [];
    const store = storeAt(path, damaged);
    expect([store.load(), damaged]).toEqual([clients, []]);
    store.save(clients);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ sha256: expect.any(String) });
  });

  it.each<[string, (text: string) => string, string]>([
    ['no JSON', () => '{', 'it is not JSON'],
    ['another document', () => '{"version":2,"clients":[]}', 'it has no known version'],
    ['a list of another kind', () => '{"clients":{}}', '"clients" in it must be an array'],
    ['a list with another entry', () => '{"clients":[{"name":7}]}', '"clients.0.name" in it must be a text'],
    ['too large', () => 'x'.repeat(300_000), 'it is larger than 262144 bytes'],
    ['cut short', (text) => text.slice(0, 40), 'it is not JSON'],
    ['changed in one byte', (text) => text.replace('web', 'wee'), 'its checksum is wrong'],
    ['without its checksum', (text) => text.replace(/"sha256":"\w+",/, ''), 'its checksum is wrong'],
  ])('yields no clients and is moved aside when it is %s', (_name, damage, reason) => {
    const path = join(temporaryFolder(), 'attached.json');
    storeAt(path).save(clients);
    const text = damage(readFileSync(path, 'utf8'));
    writeFileSync(path, text);
    const damaged: DamagedFile[] = [];
    expect(storeAt(path, damaged).load()).toEqual([]);
    expect(existsSync(path)).toBe(false);
    expect(damaged).toMatchObject([{ path, reason }]);
    expect(readFileSync(damaged[0]?.movedTo ?? '', 'utf8')).toBe(text);
    storeAt(path).save(clients);
    expect(storeAt(path).load()).toEqual(clients);
  });

  it.skipIf(!isRoot)('is refused by name and left in place when another user owns it (needs root)', () => {
    const path = join(temporaryFolder(), 'attached.json');
    storeAt(path).save(clients);
    chownSync(path, NOBODY, NOBODY);
    chmodSync(path, 0o644);
    expect(() => storeAt(path).load()).toThrow(`${path} is no list of paired clients`);
    expect(lstatSync(path).mode & 0o777).toBe(0o644);
  });
});
