import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { acquireLock } from '../../platform/native/lock.ts';
import type { NativeAbsence } from '../../platform/native/native.ts';
import { boundOperations } from '../../src/base/admin-operation.ts';
import type { SaveResult } from '../../src/base/saves.ts';
import { type DamagedFile, writeChecked } from '../../src/daemon/checked-file.ts';
import { ANY_APP, originPresets } from '../../src/daemon/origin-list.ts';
import { allowedOrigins, type OriginSources, originOperations } from '../../src/daemon/origins.ts';
import { isRoot } from '../helpers/fault-bridge.ts';
import { NOBODY } from '../helpers/other-user.ts';
import { temporaryFolder, uid } from '../helpers/sockets.ts';
import { temporaryOf } from '../helpers/temporary-name.ts';

const APP = '300000000000000002';
const PAGE = { clientId: APP, origin: 'http://localhost:3000' };
const OTHER = { clientId: APP, origin: 'https://overlay.example' };

type Changed = { readonly origins: readonly object[] };

/** The list of a daemon that keeps it in `path`, changed as the command line does. */
function listAt(path: string | undefined, more: Partial<OriginSources> = {}) {
  const native: NativeAbsence = { kind: 'absent', reason: 'for the test' };
  const list = allowedOrigins({ path, uid, native, onDamaged: () => {}, ...more });
  const change = async (name: string, args: object): Promise<Changed> => {
    const operation = boundOperations(originOperations, { origins: list })[name];
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    const checked = operation.args().safeParse(args);
    if (!checked.success) throw checked.error;
    return (await operation.run(checked.data, { via: 'control' })) as Changed;
  };
  return { ...list, change };
}

describe('the list of allowed origins', () => {
  it('is empty without a file, and reading it creates none', async () => {
    const folder = temporaryFolder();
    const list = listAt(join(folder, 'origins.json'));
    expect(list.allows(APP, PAGE.origin)).toBe(false);
    expect(await list.change('origins.list', {})).toMatchObject({ origins: [], ofCore: [], damaged: [] });
    expect(readdirSync(folder)).toEqual([]);
  });
  it('is empty where a data folder cannot exist', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, '');
    expect(await listAt(join(path, 'origins.json')).change('origins.list', {})).toMatchObject({
      origins: [],
    });
  });
  it('is stored in a private file that the next start reads', async () => {
    const path = join(temporaryFolder(), 'data', 'origins.json');
    await listAt(path).change('origins.add', PAGE);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['origins.json']);
    const next = listAt(path);
    expect(next.allows(APP, PAGE.origin)).toBe(true);
    expect(next.allows('1', PAGE.origin)).toBe(false);
  });
  it('applies a change that its file cannot take, answers that it is not stored, and stores it later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const path = join(temporaryFolder(), 'origins.json');
    const saved: SaveResult['kind'][] = [];
    const list = listAt(path, { onSaved: (_path, { kind }) => void saved.push(kind) });
    await list.change('origins.add', PAGE);
    const before = readFileSync(path, 'utf8');
    // A folder where the new content would stand stops every user's write, root's too.
    mkdirSync(temporaryOf(path));
    expect(await list.change('origins.add', OTHER)).toEqual({
      origins: [PAGE, OTHER],
      stored: false,
      reason: `${path} cannot be written: something is there already (EEXIST)`,
    });
    expect([list.allows(APP, OTHER.origin), readFileSync(path, 'utf8')]).toEqual([true, before]);
    expect(await list.change('origins.remove', PAGE)).toMatchObject({ origins: [OTHER], stored: false });
    rmdirSync(temporaryOf(path));
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(saved).toEqual(['saved', 'failed', 'failed', 'saved']));
    expect(listAt(path).list().origins).toEqual([OTHER]);
  });
  it('stores a failed change when it closes', async () => {
    const path = join(temporaryFolder(), 'origins.json');
    const list = listAt(path);
    mkdirSync(temporaryOf(path));
    await list.change('origins.add', PAGE);
    rmdirSync(temporaryOf(path));
    await list.close();
    expect(listAt(path).list().origins).toEqual([PAGE]);
  });
  it('preserves what another process adds to the file or removes from it', async () => {
    const path = join(temporaryFolder(), 'origins.json');
    const [here, there] = [listAt(path), listAt(path)];
    await Promise.all([here.change('origins.add', PAGE), there.change('origins.add', OTHER)]);
    expect(listAt(path).list().origins).toHaveLength(2);
    await listAt(path).change('origins.remove', PAGE);
    const third = { clientId: '7', origin: OTHER.origin };
    expect(await here.change('origins.add', third)).toEqual({ origins: [OTHER, third], stored: true });
    expect(listAt(path).list().origins).toEqual([OTHER, third]);
    expect(readdirSync(join(path, '..'))).toEqual(['origins.json']);
  });
  it.each(['removed', 'damaged'])(
    'is written anew as a whole when its file was %s meanwhile',
    async (what) => {
      const path = join(temporaryFolder(), 'data', 'origins.json');
      const list = listAt(path);
      await list.change('origins.add', PAGE);
      if (what === 'removed') rmSync(join(path, '..'), { recursive: true });
      else writeFileSync(path, '{');
      expect(await list.change('origins.add', OTHER)).toEqual({ origins: [PAGE, OTHER], stored: true });
      expect(listAt(path).list().origins).toEqual([PAGE, OTHER]);
    },
  );
  it('includes the valid origins of the core, only while the core lists them', async () => {
    let ofCore = [OTHER, { clientId: '7', origin: 'null' }, { clientId: '*', origin: OTHER.origin }];
    const list = listAt(undefined, { ofCore: () => ofCore });
    expect(await list.change('origins.list', {})).toMatchObject({ origins: [], ofCore: [OTHER] });
    expect([APP, undefined, '7'].map((id) => list.allows(id, OTHER.origin))).toEqual([true, true, false]);
    expect(['7', undefined].map((id) => list.allows(id, 'null'))).toEqual([false, false]);
    ofCore = [];
    expect(list.allows(APP, OTHER.origin)).toBe(false);
  });
  it.skipIf(!isRoot)('is refused when another user owns the file (needs root)', async () => {
    const path = join(temporaryFolder(), 'origins.json');
    await listAt(path).change('origins.add', PAGE);
    chownSync(path, NOBODY, NOBODY);
    expect(() => listAt(path)).toThrow(`${path}: it belongs to another user (uid ${NOBODY}). Mend the file`);
    // For that user it is their own; so is one that root wrote for them.
    expect(listAt(path, { uid: NOBODY }).allows(APP, PAGE.origin)).toBe(true);
    chownSync(path, 0, 0);
    expect(listAt(path, { uid: NOBODY }).allows(APP, PAGE.origin)).toBe(true);
  });
  it('is refused when every user may write to the file', async () => {
    const path = join(temporaryFolder(), 'origins.json');
    await listAt(path).change('origins.add', PAGE);
    chmodSync(path, 0o666);
    expect(() => listAt(path)).toThrow(`${path}: every user may write to it`);
  });
  it('accepts a file of an earlier release without a checksum', async () => {
    const path = join(temporaryFolder(), 'origins.json');
    writeFileSync(path, JSON.stringify({ origins: [PAGE] }), { mode: 0o600 });
    const moved: string[] = [];
    const list = listAt(path, { onDamaged: ({ movedTo }) => void moved.push(movedTo) });
    expect([list.allows(APP, PAGE.origin), moved]).toEqual([true, []]);
    await list.change('origins.add', OTHER);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ sha256: expect.any(String) });
    expect(listAt(path).allows(APP, PAGE.origin)).toBe(true);
  });
  it.each<[string, (text: string) => string, string]>([
    ['no JSON', () => 'garbage', 'it is not JSON'],
    ['empty', () => '', 'it is not JSON'],
    ['cut short', (text) => text.slice(0, 60), 'it is not JSON'],
    ['another JSON', () => '{"pages":[]}', '"origins" in it is missing'],
    ['a list', () => '[]', 'it must be an object'],
    ['a text', () => '"pages"', 'it must be an object'],
    ['a list of other entries', () => '{"origins":[7]}', '"origins.0" in it must be an object'],
    [
      'larger than a list can be',
      (text) => text.replace('{', `{"x":"${'x'.repeat(1024 * 1024)}",`),
      'it is larger than 1048576 bytes',
    ],
    [
      'changed in one digit of an id',
      (text) => text.replace(APP, `${APP.slice(0, -1)}3`),
      'its checksum is wrong',
    ],
    [
      'changed in one letter of an origin',
      (text) => text.replace('localhost', 'localhose'),
      'its checksum is wrong',
    ],
  ])('allows nothing when the file is %s, and moves the file aside', async (_name, damage, reason) => {
    const path = join(temporaryFolder(), 'origins.json');
    await listAt(path).change('origins.add', PAGE);
    const text = damage(readFileSync(path, 'utf8'));
    writeFileSync(path, text);
    const moved: string[] = [];
    const reasons: string[] = [];
    const onDamaged = (damaged: DamagedFile): void => {
      moved.push(damaged.movedTo);
      reasons.push(damaged.reason);
    };
    const list = listAt(path, { onDamaged });
    expect(reasons).toEqual([reason]);
    expect(await list.change('origins.list', {})).toMatchObject({ origins: [], damaged: moved });
    expect(moved.map((file) => readFileSync(file, 'utf8'))).toEqual([text]);
    await list.change('origins.add', OTHER);
    expect(listAt(path).allows(APP, OTHER.origin)).toBe(true);
  });
  it('stops the start when its file cannot be read, and leaves the file in place', () => {
    const path = join(temporaryFolder(), 'origins.json');
    mkdirSync(path);
    expect(() => listAt(path)).toThrow(
      `${path}: it is no regular file. Mend the file, or remove it to allow no page.`,
    );
    expect(statSync(path).isDirectory()).toBe(true);
  });
  it.skipIf(process.platform === 'win32')(
    'stops the start and names its file when that cannot be read (not on Windows)',
    () => {
      const path = join(temporaryFolder(), 'origins.json');
      symlinkSync('origins.json', path);
      expect(() => listAt(path)).toThrow(
        /^.*origins\.json: it cannot be read: .*\(ELOOP\)\. Mend the file, or remove it to allow no page\.$/,
      );
    },
  );
  it.skipIf(isRoot)(
    'stops the start and names its file when the file may not be read (not as root)',
    async () => {
      const path = join(temporaryFolder(), 'origins.json');
      await listAt(path).change('origins.add', PAGE);
      chmodSync(path, 0);
      expect(() => listAt(path)).toThrow(
        `${path}: it cannot be read: you may not open it (EACCES). Mend the file`,
      );
      chmodSync(path, 0o600);
      expect(listAt(path).allows(APP, PAGE.origin)).toBe(true);
    },
  );
  it('loses only the entry that is removed', async () => {
    const path = join(temporaryFolder(), 'origins.json');
    const list = listAt(path);
    await list.change('origins.add', PAGE);
    await list.change('origins.add', OTHER);
    expect(await list.change('origins.remove', PAGE)).toEqual({ origins: [OTHER], stored: true });
    await expect(list.change('origins.remove', PAGE)).rejects.toThrow(
      `No entry lets ${PAGE.origin} speak for`,
    );
    await expect(list.change('origins.remove', { preset: 'streamkit' })).rejects.toThrow(
      'No page of the preset',
    );
    expect(list.allows(APP, PAGE.origin)).toBe(false);
    expect(listAt(path).allows(APP, OTHER.origin)).toBe(true);
  });
  it.each(Object.entries(originPresets))('adds and removes the preset %s', async (preset, { entries }) => {
    const list = listAt(undefined);
    await list.change('origins.add', OTHER);
    expect(await list.change('origins.add', { preset })).toEqual({
      origins: [OTHER, ...entries],
      stored: true,
    });
    for (const { clientId, origin } of entries) {
      expect(list.allows(clientId === ANY_APP ? '1' : clientId, origin)).toBe(true);
    }
    expect(await list.change('origins.remove', { preset })).toEqual({ origins: [OTHER], stored: true });
  });
  it.each([
    [{ preset: 'constructor' }, /no preset "constructor"\. Known: streamkit, /],
    [{ clientId: APP, origin: 'null' }, /"null" is not an origin/],
    [{ clientId: APP, origin: 'https://*.example' }, /wildcards/],
    [{ clientId: APP, origin: 'https://a.example/path' }, /sends it as https:\/\/a\.example/],
    [{ clientId: '*', origin: 'https://a.example' }, /cannot be allowed for every app/],
    [{ clientId: 'me', origin: 'https://a.example' }, /"me" is not an application id/],
  ])('refuses %j, and stays unchanged', async (args, problem) => {
    const path = join(temporaryFolder(), 'origins.json');
    const list = listAt(path);
    await list.change('origins.add', PAGE);
    const before = readFileSync(path, 'utf8');
    await expect(list.change('origins.add', args)).rejects.toThrow(problem);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(await list.change('origins.list', {})).toMatchObject({ origins: [PAGE] });
  });
  it('is limited to 1,024 entries, as many as the next start reads', async () => {
    const path = join(temporaryFolder(), 'origins.json');
    const many = Array.from({ length: 1024 }, (_, n) => ({ clientId: `${n + 1}`, origin: PAGE.origin }));
    writeChecked(path, { origins: many });
    const list = listAt(path);
    await expect(list.change('origins.add', OTHER)).rejects.toThrow(/At most 1024/);
    expect((await list.change('origins.add', many[0] ?? {})).origins).toHaveLength(1024);
    expect(listAt(path).allows('1024', PAGE.origin)).toBe(true);
  });
});

it.each([
  [{ preset: 'x'.repeat(64) }, true],
  [{ preset: 'x'.repeat(65) }, false],
  [{ clientId: 'x'.repeat(20), origin: 'x'.repeat(300) }, true],
  [{ clientId: 'x'.repeat(21), origin: 'x' }, false],
  [{ clientId: 'x', origin: 'x'.repeat(301) }, false],
  [{ clientId: 'x' }, false],
  [{}, false],
])('the change %j of origins is taken: %s', (args, isValid) => {
  for (const { name, args: schema } of originOperations) {
    if (name !== 'origins.list') expect(schema().safeParse(args).success).toBe(isValid);
  }
});

it('a list whose file another bridge has locked says so, and stores its change later', async () => {
  const path = join(temporaryFolder(), 'origins.json');
  const absent: NativeAbsence = { kind: 'absent', reason: 'for the test' };
  const lock = await acquireLock(join(path, '..', 'origins.lock'), absent);
  const list = listAt(path);
  expect(await list.change('origins.add', PAGE)).toEqual({
    origins: [PAGE],
    stored: false,
    reason: expect.stringMatching(
      /^.*origins\.json cannot be written: another Footbridge \(pid \d+\) has it locked for 1000 ms$/,
    ),
  });
  if (lock.kind === 'locked') lock.release();
  await list.close();
  expect(listAt(path).list().origins).toEqual([PAGE]);
});
