import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileStore } from '../../../../../src/emulator/accounts/oauth2/storage/file-store.ts';
import { emptyState, type StoredState } from '../../../../../src/emulator/accounts/oauth2/storage/state.ts';
import { anybodyMayAnswer } from '../../../../../src/emulator/api/waiting-request.ts';
import { createEmulator } from '../../../../../src/emulator/compose/create-emulator.ts';
import type { Emulator } from '../../../../../src/emulator/compose/emulator.ts';
import { defaultFixture } from '../../../../../src/emulator/compose/fixture/default.ts';
import { eventually } from '../../../../helpers/eventually.ts';
import { ManualClock } from '../../../../helpers/manual-clock.ts';
import { temporaryOf } from '../../../../helpers/temporary-name.ts';

let root: string;
let folder: string;
let path: string;
let lines: string[];
const clock = new ManualClock();
const open = () =>
  fileStore(path, { clock, log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) } });
const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'ignore' });
const stateOf = (kid: string): StoredState => ({
  ...emptyState,
  keys: [{ kty: 'RSA', kid, n: 'n', e: 'e', d: 'd' }],
});

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'emulator-store-'));
  folder = join(root, 'state');
  path = join(folder, 'emulator.json');
  lines = [];
});

afterEach(async () => {
  await chmod(folder, 0o700).catch(() => undefined);
  await rm(root, { recursive: true, force: true });
});

describe('saving', () => {
  it('stores the state for the next start, readable by its owner alone', async () => {
    const store = open();
    expect(await store.load()).toEqual({ kind: 'empty' });
    expect(await store.save(stateOf('a'))).toEqual({ kind: 'saved' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toEqual(['emulator.json']);
    expect(await open().load()).toEqual({ kind: 'loaded', state: stateOf('a') });
    expect(lines).toEqual([]);
  });

  it('writes the last of many states, and each save waits until its own state is written', async () => {
    const store = open();
    const saves = Array.from({ length: 50 }, (_, index) => store.save(stateOf(`k${index}`)));
    expect(new Set((await Promise.all(saves)).map((result) => result.kind))).toEqual(new Set(['saved']));
    expect(await open().load()).toEqual({ kind: 'loaded', state: stateOf('k49') });
    await store.save(stateOf('after'));
    expect(await open().load()).toEqual({ kind: 'loaded', state: stateOf('after') });
  });

  it('never exposes a partial file to a reader', async () => {
    const store = open();
    await store.save(stateOf('first'));
    let reading = true;
    const writer = (async () => {
      for (let i = 0; i < 40; i += 1) await store.save(stateOf(`${i}`.repeat(500)));
      reading = false;
    })();
    let reads = 0;
    while (reading) {
      expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ version: 1 });
      reads += 1;
    }
    await writer;
    expect(reads).toBeGreaterThan(0);
  });

  it('does not follow a link planted at its temporary name', async () => {
    await mkdir(folder);
    const victim = join(root, 'victim');
    await writeFile(victim, 'mine');
    await symlink(victim, temporaryOf(path));
    expect(await open().save(emptyState)).toEqual({ kind: 'saved' });
    expect(await readFile(victim, 'utf8')).toBe('mine');
  });

  it('preserves the minor version of a newer release', async () => {
    await open().save({ ...emptyState, links: [] } as StoredState);
    const newer = (await readFile(path, 'utf8')).replace('"minor":0', '"minor":3');
    const { createHash } = await import('node:crypto');
    const state = { ...emptyState, links: [] };
    const sum = createHash('sha256')
      .update(JSON.stringify([1, 3, state]))
      .digest('hex');
    await writeFile(path, newer.replace(/"sha256":"\w+"/, `"sha256":"${sum}"`));
    const store = open();
    const loaded = await store.load();
    if (loaded.kind !== 'loaded') throw new Error(loaded.kind);
    await store.save({ ...loaded.state, keys: stateOf('b').keys });
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ minor: 3, state: { links: [] } });
  });
});

it.skipIf(process.getuid?.() !== 0)(
  'neither reads, moves nor overwrites the file of another user (needs root)',
  async () => {
    await open().save(stateOf('theirs'));
    await chown(path, 65534, 65534);
    await chmod(path, 0o644);
    const before = await readFile(path, 'utf8');
    const store = fileStore(path, { log: { info: () => {}, warn: (line) => lines.push(line) }, uid: 0 });
    expect(await store.load()).toEqual({
      kind: 'unusable',
      reason: 'it belongs to another user (uid 65534)',
    });
    expect(await store.save(stateOf('ours'))).toMatchObject({ kind: 'failed' });
    expect(await readFile(path, 'utf8')).toBe(before);
    expect((await stat(path)).mode & 0o777).toBe(0o644);
    expect(lines.join()).toContain(path);
  },
);

describe('a failing disk', () => {
  it('leaves the old file in place, is logged once, and again when writing works', async () => {
    const store = open();
    await store.save(stateOf('old'));
    // A folder at the temporary name stops the write for every user, root included.
    await mkdir(temporaryOf(path));
    for (let i = 0; i < 3; i += 1) {
      expect(await store.save(stateOf('new'))).toMatchObject({
        kind: 'failed',
        reason: expect.stringContaining(path),
      });
    }
    expect(lines).toHaveLength(1);
    expect(await open().load()).toEqual({ kind: 'loaded', state: stateOf('old') });
    await rm(temporaryOf(path), { recursive: true });
    expect(await store.save(stateOf('new'))).toEqual({ kind: 'saved' });
    expect(lines).toHaveLength(2);
    expect(await open().load()).toEqual({ kind: 'loaded', state: stateOf('new') });
  });

  const isRoot = process.getuid?.() === 0;
  it.skipIf(!isRoot || process.platform !== 'linux')(
    'that is full leaves the old file in place (needs root to mount a small tmpfs) [T66, R13]',
    async (context) => {
      await mkdir(folder);
      try {
        run('mount', '-t', 'tmpfs', '-o', 'size=64k,mode=0700', 'none', folder);
      } catch {
        context.skip('mounting a tmpfs is not permitted here');
      }
      try {
        const store = open();
        await store.save(stateOf('old'));
        expect(await store.save(stateOf('x'.repeat(200_000)))).toMatchObject({ kind: 'failed' });
        expect(lines.join()).toContain('ENOSPC');
        expect(await open().load()).toEqual({ kind: 'loaded', state: stateOf('old') });
        expect(await readdir(folder)).toEqual(['emulator.json']);
        expect(await store.save(stateOf('small'))).toEqual({ kind: 'saved' });
        // A name has room where a byte has none.
        await writeFile(join(folder, 'rest'), 'x'.repeat(65_536)).catch(() => undefined);
        const gone = { userId: '1', clientId: '2' };
        expect(await store.save(stateOf('x'), gone)).toMatchObject({ kind: 'failed', marked: true });
        expect(await readdir(folder)).toContain('emulator.json.revoked-1-2');
        await rm(join(folder, 'rest'));
        expect(await store.save(stateOf('x'))).toEqual({ kind: 'saved' });
        expect(await readdir(folder)).toEqual(['emulator.json']);
      } finally {
        run('umount', folder);
      }
    },
  );

  const clientId = '300000000000000001';
  const credentials = { clientId, clientSecret: 'x' };
  const start = () => createEmulator({ fixture: defaultFixture(), storage: open(), clock });
  const allow = async ({ oauth2, requests }: Emulator) => {
    const asked = oauth2.authorize({
      clientId,
      scopes: ['rpc'],
      peer: { transport: 'ipc' },
      signal: new AbortController().signal,
    });
    const [request] = requests.list();
    const yes = { answer: 'allow', always: true, by: { via: 'test' } } as const;
    requests.answer(request?.id ?? '', yes, anybodyMayAnswer);
    const { code } = await asked;
    return oauth2.exchangeCode(credentials, { code, issuer: 'i' });
  };
  const revoke = ({ oauth2 }: Emulator) => oauth2.revokeGrant(oauth2.grants()[0]?.id ?? '');
  const marks = async () => (await readdir(folder)).filter((name) => name.includes('.revoked-'));

  it('is reported to the caller of a revocation, which is tried again until it is written', async () => {
    const emulator = await start();
    const { access_token } = await allow(emulator);
    await mkdir(temporaryOf(path));
    expect(await revoke(emulator)).toMatchObject({
      stored: false,
      reason: expect.stringContaining(path),
      comesBack: false,
    });
    expect(await marks()).toEqual([`emulator.json.revoked-200000000000000001-${clientId}`]);
    // Killed here, it starts without the grant, and goes on trying as well.
    const meanwhile = await start();
    expect(meanwhile.oauth2.grants()).toEqual([]);
    expect(meanwhile.oauth2.introspect(access_token).state).toBe('invalid');
    await rm(temporaryOf(path), { recursive: true });
    clock.advance(60_000);
    await eventually(async () => expect(await marks()).toEqual([]));
    expect(await open().load()).toMatchObject({ kind: 'loaded', state: { grants: [], tokens: [] } });
    // What is given after that is not taken back by anything that was left.
    await allow(emulator);
    expect((await start()).oauth2.grants()).toHaveLength(1);
  });

  it('lets a revocation be tried once more when the emulator closes, and by the next start', async () => {
    const first = await start();
    await allow(first);
    await mkdir(temporaryOf(path));
    await revoke(first);
    await first.close();
    expect(await marks()).toHaveLength(1);
    const second = await start();
    await rm(temporaryOf(path), { recursive: true });
    await second.close();
    expect(await marks()).toEqual([]);
    expect(await open().load()).toMatchObject({ kind: 'loaded', state: { grants: [], tokens: [] } });
  });

  it('does not restore a replayed token family, and does not affect other families', async () => {
    const emulator = await start();
    const stolen = await allow(emulator);
    const other = await allow(emulator);
    const next = await emulator.oauth2.refresh(credentials, { refreshToken: stolen.refresh_token });
    await mkdir(temporaryOf(path));
    await expect(
      emulator.oauth2.refresh(credentials, { refreshToken: stolen.refresh_token }),
    ).rejects.toThrow('invalid_grant');
    const { oauth2 } = await start();
    expect(oauth2.grants()).toHaveLength(1);
    const states = [stolen, next, other].map(({ access_token }) => oauth2.introspect(access_token).state);
    expect(states).toEqual(['invalid', 'invalid', 'active']);
  });

  it('makes a revocation report that the grant returns, where no mark can be written', async () => {
    const emulator = await start();
    await allow(emulator);
    const store = fileStore(path, { clock, readOnly: 'somebody else may write' });
    const reader = await createEmulator({ fixture: defaultFixture(), storage: store, clock });
    const pending = clock.pending;
    expect(await revoke(reader)).toMatchObject({ stored: false, comesBack: true });
    expect(clock.pending).toBe(pending);
    expect(await readdir(folder)).toEqual(['emulator.json']);
  });

  it('leaves marks that the next good save removes, also where the file is missing or damaged', async () => {
    const emulator = await start();
    for (const harm of [() => rm(path), () => writeFile(path, '{')]) {
      await allow(emulator);
      await mkdir(temporaryOf(path));
      await revoke(emulator);
      await rm(temporaryOf(path), { recursive: true });
      await harm();
      const next = await start();
      await allow(next);
      expect(await marks()).toEqual([]);
      expect((await start()).oauth2.grants()).toHaveLength(1);
    }
  });

  it('does not stop the emulator: tokens are issued and valid', async () => {
    await mkdir(temporaryOf(path), { recursive: true });
    const emulator = await createEmulator({
      fixture: defaultFixture(),
      storage: open(),
      consent: { policy: 'allow' },
    });
    const clientId = '300000000000000001';
    const { code } = await emulator.oauth2.authorize({
      clientId,
      scopes: ['rpc'],
      peer: { transport: 'ipc' },
      signal: new AbortController().signal,
    });
    const client = { clientId, clientSecret: 'x' };
    const answer = await emulator.oauth2.exchangeCode(client, { code, issuer: 'http://x' });
    expect(emulator.oauth2.introspect(answer.access_token).state).toBe('active');
    expect(lines).toHaveLength(1);
    await emulator.close();
  });
});

describe('an unusable file', () => {
  it('is moved aside with a message, and the emulator starts with no grants', async () => {
    await mkdir(folder);
    await writeFile(path, '{"version":1,"gr', { mode: 0o600 });
    const emulator = await createEmulator({ fixture: defaultFixture(), storage: open() });
    expect(emulator.oauth2.grants()).toEqual([]);
    const moved = `${path}.corrupt-${clock.now()}`;
    expect(await readFile(moved, 'utf8')).toBe('{"version":1,"gr');
    expect(lines).toEqual([expect.stringContaining(moved)]);
    await emulator.close();
  });

  it('is never read as another state, whatever its bytes (200 mutations) [R24]', async () => {
    const written = stateOf('key');
    await open().save(written);
    const good = await readFile(path);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.nat(good.length),
        async (edits, length) => {
          const damaged = Buffer.from(good);
          for (const [at, byte] of edits) damaged[at] = byte;
          const bytes = length % 3 === 0 ? damaged.subarray(0, length) : damaged;
          await writeFile(path, bytes);
          const loaded = await open().load();
          if (loaded.kind === 'loaded') expect(loaded.state).toEqual(written);
          // JSON in which nothing of ours is left to be seen is somebody else's: it stays where it is.
          else if (loaded.kind === 'unusable') expect(await readFile(path)).toEqual(bytes);
          else expect(loaded.kind).toBe('quarantined');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is moved aside unread when it is too large', async () => {
    await mkdir(folder);
    await writeFile(path, '');
    const { truncate } = await import('node:fs/promises');
    await truncate(path, 16 * 1024 * 1024 + 1);
    expect(await open().load()).toMatchObject({
      kind: 'quarantined',
      reason: expect.stringMatching(/larger/),
    });
  });

  it.skipIf(process.platform === 'win32')(
    'is left in place when it is a FIFO, and is not overwritten (not on Windows)',
    async () => {
      await mkdir(folder);
      run('mkfifo', path);
      const store = open();
      expect(await store.load()).toMatchObject({ kind: 'unusable' });
      expect(await store.save(emptyState)).toMatchObject({ kind: 'failed' });
      expect((await stat(path)).isFIFO()).toBe(true);
      expect(lines[0]).toMatch(/left alone/);
    },
  );

  it('is left in place when it is a folder or a link', async () => {
    await mkdir(path, { recursive: true });
    expect(await open().load()).toMatchObject({ kind: 'unusable' });
    await rm(path, { recursive: true });
    await writeFile(join(root, 'victim'), 'mine');
    await symlink(join(root, 'victim'), path);
    const store = open();
    expect(await store.load()).toMatchObject({ kind: 'unusable' });
    await store.save(emptyState);
    expect(await readFile(join(root, 'victim'), 'utf8')).toBe('mine');
  });

  it('is set to mode 0600 again when its mode allowed more', async () => {
    await open().save(stateOf('a'));
    await chmod(path, 0o644);
    expect((await open().load()).kind).toBe('loaded');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each(['{"name":"emulator","users":[]}', '[]', '"mine"', '{}'])(
    'is left in place when it is a file of another program with the same name: %s',
    async (text) => {
      await mkdir(folder);
      await writeFile(path, text);
      await chmod(path, 0o644);
      const store = open();
      expect(await store.load()).toMatchObject({ kind: 'unusable' });
      expect(await store.save(emptyState)).toMatchObject({ kind: 'failed' });
      expect(await readFile(path, 'utf8')).toBe(text);
      expect((await stat(path)).mode & 0o777).toBe(0o644);
      expect(await readdir(folder)).toEqual(['emulator.json']);
    },
  );

  it('is not moved by a store that only reads', async () => {
    await mkdir(folder);
    await writeFile(path, '{"version":1,"gr');
    const store = fileStore(path, { readOnly: 'the test says so' });
    expect(await store.load()).toMatchObject({ kind: 'unusable', reason: 'it is not JSON' });
    expect(await readdir(folder)).toEqual(['emulator.json']);
  });

  it('is reported, not thrown, when its folder is not a folder', async () => {
    await writeFile(folder, 'mine');
    const store = open();
    expect(await store.load()).toMatchObject({ kind: 'unusable' });
    expect(await store.save(emptyState)).toMatchObject({ kind: 'failed' });
    expect(await readFile(folder, 'utf8')).toBe('mine');
  });
});
