import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BridgeRun, bridgeRun, type RunPlace, runPlace, startRun } from '../../helpers/bridge-run.ts';
import { modeOf } from '../../helpers/other-user.ts';
import { PlainWebSocket } from '../../helpers/plain-web-socket.ts';

const APP = '300000000000000001';
const PAGE = { clientId: APP, origin: 'http://localhost:3000' };
const MOVED = 'a damaged file was moved aside; it allows nothing';

/** A place with a file in its data folder. */
function placeWith(name: string, text: string): RunPlace {
  const place = runPlace();
  mkdirSync(place.folders.data, { mode: 0o700 });
  writeFileSync(join(place.folders.data, name), text, { mode: 0o600 });
  return place;
}

const filesIn = ({ folders }: RunPlace): string[] =>
  readdirSync(folders.data)
    .map((name) => name.replace(/\d+$/, 'TIME'))
    .sort();

describe('a run with a damaged file', () => {
  it.each([
    ['{', 'it is not JSON'],
    ['{"version":1,"sha256":"x","content":{"origins":[]}}', 'its checksum is wrong'],
    ['{"version":9,"sha256":"x","content":{}}', 'it has no known version'],
    ['{"origins":7}', '"origins" in it must be an array'],
    ['[]', 'it must be an object'],
    ['{}', '"origins" in it is missing'],
    [
      '{"origins":[{"clientId":"x","origin":"http://localhost"}]}',
      '"x" is not an application id. Write the decimal id of the app',
    ],
    ['{"version":2}', 'it has no known version'],
    [' '.repeat(1024 * 1024 + 1), 'it is larger than 1048576 bytes'],
  ])('of origins moves it aside and allows no page (%#)', async (text, reason) => {
    const place = placeWith('origins.json', text);
    const run = await bridgeRun({ place });
    const path = join(place.folders.data, 'origins.json');
    expect(run.log(MOVED)).toEqual([
      {
        level: 'warn',
        path: expect.stringMatching(new RegExp(`^${path}\\.corrupt-\\d+$`)),
        reason: `${path}: ${reason}`,
        msg: MOVED,
      },
    ]);
    const list = (await run.control.call('origins.list')) as { origins: []; damaged: string[] };
    expect(list.origins).toEqual([]);
    expect(list.damaged.map((one) => readFileSync(one, 'utf8'))).toEqual([text]);
    // The next change writes it anew.
    expect(await run.control.call('origins.add', PAGE)).toMatchObject({ origins: [PAGE] });
    expect(filesIn(place)).toEqual(expect.arrayContaining(['origins.json', 'origins.json.corrupt-TIME']));
  });

  it('of paired clients moves it aside and pairs nobody', async () => {
    const place = placeWith('attached.json', '{"clients":7}');
    const run = await bridgeRun({ place, env: { FOOTBRIDGE_CORE: 'attach', FOOTBRIDGE_ATTACH_PORT: '0' } });
    const path = join(place.folders.data, 'attached.json');
    expect(run.log(MOVED)).toMatchObject([
      {
        path: expect.stringContaining(`${path}.corrupt-`),
        reason: `${path}: "clients" in it must be an array`,
      },
    ]);
    expect(await run.control.call('attach.list')).toMatchObject({ clients: [] });
  });

  it('keeps the origins of a version without a checksum', async () => {
    const place = placeWith('origins.json', JSON.stringify({ version: 1, origins: [PAGE] }));
    const run = await bridgeRun({ place });
    expect(await run.control.call('origins.list')).toMatchObject({ origins: [PAGE], damaged: [] });
  });
});

describe('a run with a file that is not its own', () => {
  it.each([
    ['origins.json', {}, 'FOOTBRIDGE_CONFIG'],
    ['attached.json', { FOOTBRIDGE_CORE: 'attach', FOOTBRIDGE_ATTACH_PORT: '0' }, 'FOOTBRIDGE_DATA'],
  ])('does not start behind a folder in the place of %s', async (name, env, code) => {
    const place = runPlace();
    mkdirSync(join(place.folders.data, name), { recursive: true, mode: 0o700 });
    const run = await startRun({ place, env });
    await expect(run.result).rejects.toMatchObject({
      code,
      message: expect.stringContaining(join(place.folders.data, name)),
    });
    // The locks are free again.
    const other = await bridgeRun({
      env: { ...env, FOOTBRIDGE_DATA_DIR: runPlace().folders.data },
      place,
    });
    expect(other.ready().ready).toBe(true);
  });

  it('serves without grants behind a folder in the place of their file, and says so', async () => {
    const place = runPlace();
    const path = join(place.folders.data, 'emulator.json');
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const run = await bridgeRun({ place });
    expect((await run.control.status()).unstored).toEqual([expect.stringContaining(`${path} is not used: `)]);
    expect(run.log().map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(
        new RegExp(`^${path} is left alone because .*; grants and tokens will be forgotten`),
      ),
    );
  });

  it('does not follow a link in the place of paired clients', async () => {
    const place = runPlace();
    mkdirSync(place.folders.data, { mode: 0o700 });
    const target = place.file('target.json', '{"clients":[]}');
    symlinkSync(target, join(place.folders.data, 'attached.json'));
    const run = await startRun({
      place,
      env: { FOOTBRIDGE_CORE: 'attach', FOOTBRIDGE_ATTACH_PORT: '0' },
    });
    const path = join(place.folders.data, 'attached.json');
    await expect(run.result).rejects.toMatchObject({
      code: 'FOOTBRIDGE_DATA',
      message: `${path} is no list of paired clients: it is no file. Move it away, and pair your clients again.`,
    });
  });

  it('closes a list of paired clients that others may read', async () => {
    const place = placeWith('attached.json', '{"clients":[]}');
    const path = join(place.folders.data, 'attached.json');
    chmodSync(path, 0o644);
    await bridgeRun({ place, env: { FOOTBRIDGE_CORE: 'attach', FOOTBRIDGE_ATTACH_PORT: '0' } });
    expect(modeOf(path)).toBe(0o600);
  });
});

describe('a run that cannot lock a file of its data folder', () => {
  /** A folder in the place of the lock. */
  function locked(name: string): RunPlace {
    const place = runPlace();
    mkdirSync(join(place.folders.data, `${name}.lock`), { recursive: true, mode: 0o700 });
    return place;
  }

  it.each([
    ['emulator', 'grants'],
    ['attach', 'paired clients'],
  ])('reads it only, and says what is lost (core %s)', async (core, contents) => {
    const name = core === 'attach' ? 'attached' : core;
    const place = locked(name);
    const run = await bridgeRun({
      place,
      env: { FOOTBRIDGE_CORE: core, FOOTBRIDGE_ATTACH_PORT: '0' },
    });
    const text = `data folder only read: what changes in the ${contents} is lost at the end`;
    const [line] = run.log(text);
    expect(line).toMatchObject({ level: 'warn', path: place.folders.data });
    const path = join(place.folders.data, `${name}.json`);
    expect((await run.control.status()).unstored).toEqual([
      expect.stringContaining(`${path} is only read: `),
    ]);
    if (core === 'attach') await run.control.call('attach.pair', { name: 'mine' });
    expect(filesIn(place)).not.toContain(`${name}.json`);
  });

  it('leaves a file that is no lock of a bridge as it is', async () => {
    const place = placeWith('emulator.lock', 'notes of the user, and no number of a process');
    const run = await bridgeRun({ place });
    expect((await run.control.status()).unstored).toEqual([expect.stringContaining('is only read: ')]);
    expect(readFileSync(join(place.folders.data, 'emulator.lock'), 'utf8')).toMatch(/^notes of the user/);
  });

  it('does not start where the user has chosen the folder', async () => {
    const place = locked('emulator');
    const run = await startRun({ place, flags: { 'data-dir': place.folders.data } });
    await expect(run.result).rejects.toMatchObject({
      code: 'FOOTBRIDGE_DATA',
      message: expect.stringMatching(
        new RegExp(
          `^The data folder ${place.folders.data} cannot be used: .*emulator\\.lock.*[^.]\\. Give another one with --data-dir\\.$`,
        ),
      ),
    });
  });
});

it('a run whose list of origins cannot be written says so once, and again when it can', async () => {
  const place = runPlace();
  const run = await bridgeRun({ place });
  const path = join(place.folders.data, 'origins.json');
  mkdirSync(path, { recursive: true });
  const reason = expect.stringContaining(path) as string;
  expect(await run.control.call('origins.add', PAGE)).toEqual({ origins: [PAGE], stored: false, reason });
  expect((await run.control.status()).unstored).toEqual([reason]);
  const other = { ...PAGE, origin: 'http://localhost:4000' };
  await run.control.call('origins.add', other);
  const failed = 'state file not written: changes end with the bridge';
  expect(run.log(failed)).toEqual([{ level: 'warn', path, reason, msg: failed }]);
  rmSync(path, { recursive: true });
  expect(await run.control.call('origins.remove', PAGE)).toMatchObject({ origins: [other], stored: true });
  const again = 'state file written again';
  expect(run.log(again)).toEqual([{ level: 'info', path, msg: again }]);
  expect((await run.control.status()).unstored).toEqual([]);
});

const ATTACH = { FOOTBRIDGE_CORE: 'attach', FOOTBRIDGE_ATTACH_PORT: '0' };

/** Pairs a client and attaches it; returns what it was answered. */
async function attached(run: BridgeRun): Promise<unknown> {
  const { code } = (await run.control.call('attach.pair', { name: 'mine' })) as { readonly code: string };
  const { details } = (await run.control.status()).core;
  const client = new PlainWebSocket(Object.fromEntries(details)['clients attach to'] ?? '');
  await client.opened();
  const user = {
    id: '42',
    username: 'somebody',
    discriminator: '0',
    global_name: null,
    avatar: null,
    avatar_decoration_data: null,
    bot: false,
    flags: 0,
    premium_type: 0,
  };
  client.send({ jsonrpc: '2.0', id: 0, method: 'hello', params: { v: 1, code, user, commands: [] } });
  return client.next();
}

describe('a client that was paired', () => {
  it('is known to the next run', async () => {
    const place = runPlace();
    const run = await bridgeRun({ place, env: ATTACH });
    expect(await attached(run)).toMatchObject({ result: { token: expect.any(String) } });
    expect(await run.control.call('attach.list')).toMatchObject({ clients: [{ name: 'mine' }] });
    expect((await run.control.status()).unstored).toEqual([]);
    await run.stop();
    await run.result;
    const next = await bridgeRun({ place, env: ATTACH });
    expect(await next.control.call('attach.list')).toMatchObject({ clients: [{ name: 'mine' }] });
    await next.control.call('attach.remove', { name: 'mine' });
    expect(await next.control.call('attach.list')).toMatchObject({ clients: [] });
  });

  it('is forgotten by a run that may only read its list, which the status says', async () => {
    const place = runPlace();
    mkdirSync(join(place.folders.data, 'attached.lock'), { recursive: true, mode: 0o700 });
    const run = await bridgeRun({ place, env: ATTACH });
    await attached(run);
    expect(await run.control.call('attach.list')).toMatchObject({ clients: [{ name: 'mine' }] });
    expect(filesIn(place)).toEqual(['attached.lock']);
    expect((await run.control.status()).unstored).toEqual([expect.stringContaining('is only read: ')]);
  });
});
