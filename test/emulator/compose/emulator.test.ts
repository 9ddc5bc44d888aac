import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/emulator/accounts/oauth2/storage/store.ts';
import type { Committed } from '../../../src/emulator/api/world.ts';
import { createEmulator } from '../../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import type { Fixture } from '../../../src/emulator/compose/fixture/fixture.ts';
import { fixtureToToml, parseFixture } from '../../../src/emulator/compose/fixture/toml.ts';
import { FixtureError, SettingError } from '../../../src/emulator/kernel/errors.ts';
import { justListening } from '../../helpers/just-listening.ts';
import { rpcFeed } from '../../helpers/rpc-feed.ts';

const guild = '400000000000000001';
const lounge = '500000000000000005';
const denied = '500000000000000012';

async function setUp(fixture: Fixture = defaultFixture()) {
  const warnings: string[] = [];
  const emulator = await createEmulator({
    fixture,
    log: { info: () => {}, warn: (line) => warnings.push(line) },
  });
  return { emulator, warnings, ...rpcFeed(emulator) };
}

describe('queries', () => {
  it('are answered from the fixture, as the logged-in user can see it', async () => {
    const { emulator } = await setUp();
    expect(emulator.me().username).toBe('river');
    expect(emulator.user('200000000000000002')?.username).toBe('heron');
    expect(emulator.tables.users.size).toBe(3);
    expect(emulator.guilds().map(({ name }) => name)).toEqual(['River Bank', 'Harbour']);
    expect(emulator.guild(guild)).toMatchObject({
      id: guild,
      name: 'River Bank',
      icon_url: null,
      vanity_url_code: null,
      owner: '200000000000000001',
    });
    expect(emulator.guild('1')).toBeUndefined();
    expect(emulator.channels('400000000000000002').map(({ name }) => name)).toEqual(['arrivals', 'Quay']);
    expect(emulator.channel(denied).kind).toBe('denied');
    expect(emulator.selectedVoiceChannel()).toBeNull();
  });

  it('find every snowflake as an application, and in strict mode only the listed ones', async () => {
    const { emulator } = await setUp();
    expect(emulator.application('42')).toMatchObject({ id: '42', name: 'Application 42' });
    expect(emulator.application('x')).toBeUndefined();
    const strict = await setUp({ ...defaultFixture(), strict: true });
    expect(strict.emulator.application('42')).toBeUndefined();
    expect(strict.emulator.application('300000000000000001')?.name).toBe('Harbour Example');
  });
});

describe('changes', () => {
  it('are emitted once, and only when a value differs', async () => {
    const { emulator, types } = await setUp();
    expect(emulator.setVoiceSettings({ mute: true, input: { volume: 40 } })).toMatchObject({
      mute: true,
      input: { volume: 40, device_id: 'default' },
    });
    expect(types()).toEqual(['VOICE_SETTINGS_UPDATE']);
    emulator.setVoiceSettings({ mute: true });
    emulator.setVoiceSettings({});
    expect(types()).toEqual([]);
    emulator.setVoice('input.volume', '55');
    expect(emulator.voiceSettings().input.volume).toBe(55);
    expect(emulator.setGuild(guild, 'name', 'New')).toMatchObject({ id: guild, name: 'New' });
    emulator.setGuild(guild, 'name', 'New');
    emulator.setGuild(guild, 'icon', 'http://127.0.0.1/i.png');
    expect(types()).toEqual(['VOICE_SETTINGS_UPDATE', 'GUILD_STATUS', 'GUILD_STATUS']);
  });

  it('do not happen when a value is refused', async () => {
    const { emulator, types } = await setUp();
    const before = emulator.toFixture();
    expect(() => emulator.setVoiceSettings({ mute: true, output: { volume: 201 } })).toThrow(SettingError);
    expect(() => emulator.setVoice('mute', 'perhaps')).toThrow(SettingError);
    expect(() => emulator.setGuild('1', 'name', 'x')).toThrow(SettingError);
    expect(() => emulator.selectVoiceChannel(denied)).toThrow(SettingError);
    await expect(
      emulator.apply({ voice: { mute: true }, guilds: [{ id: guild, nam: 'x' }] }),
    ).rejects.toThrow(FixtureError);
    expect(types()).toEqual([]);
    expect(emulator.toFixture()).toEqual(before);
  });

  it('reach a listener after the state contains them, and in order when one causes another', async () => {
    const { emulator, types } = await setUp();
    const seen: boolean[] = [];
    const voice = { derive: (commit: Committed) => commit.of('voice').updated };
    emulator.subscribe(
      voice,
      ({ after }) => {
        seen.push(emulator.voiceSettings().mute);
        if (!after.deaf) emulator.setVoiceSettings({ deaf: true });
      },
      justListening,
    );
    await emulator.apply({ voice: { mute: true }, guilds: [{ id: guild, name: 'x' }] });
    expect(types()).toEqual(['GUILD_STATUS', 'VOICE_SETTINGS_UPDATE', 'VOICE_SETTINGS_UPDATE']);
    expect(seen).toEqual([true, true]);
  });

  it('reach the other listeners when one throws, and no listener that has unsubscribed', async () => {
    const { emulator, types, warnings } = await setUp();
    const stop = emulator.subscribe(
      { derive: () => [1] },
      () => {
        throw new TypeError('secret detail');
      },
      justListening,
    );
    emulator.setVoice('mute', 'on');
    expect(types()).toEqual(['VOICE_SETTINGS_UPDATE']);
    expect(warnings).toEqual([
      'a test could not follow a change of the state (TypeError), and went on from the state as it is',
    ]);
    stop();
    emulator.setVoice('mute', 'off');
    expect(warnings).toHaveLength(1);
  });

  it('of two patches at the same time do not undo each other', async () => {
    const { emulator } = await setUp();
    await Promise.all([
      emulator.apply({ voice: { mute: true } }),
      emulator.apply({ voice: { deaf: true } }),
      Promise.resolve().then(() => emulator.setVoice('qos', 'on')),
    ]);
    expect(emulator.voiceSettings()).toMatchObject({ mute: true, deaf: true, qos: true });
  });

  it('of the logged-in account emit the channels of the new account', async () => {
    const { emulator, types } = await setUp();
    const returned = await emulator.apply({ me: 'otter' });
    expect(returned.map(({ table, kind }) => `${table} ${kind}`)).toEqual(['me updated']);
    expect(types()).toEqual(['CLOSE', 'CHANNEL_CREATE']);
    expect(emulator.channel(denied).kind).toBe('found');
  });
});

describe('the voice channel', () => {
  it('is joined and left, with one event each', async () => {
    const { emulator, sent } = await setUp();
    expect(emulator.selectVoiceChannel(lounge)).toMatchObject({ id: lounge, guild_id: guild });
    emulator.selectVoiceChannel(lounge);
    expect(emulator.selectedVoiceChannel()?.name).toBe('Lounge');
    expect(emulator.selectVoiceChannel(null)).toBeNull();
    expect(sent().filter(({ event }) => event === 'VOICE_CHANNEL_SELECT')).toEqual([
      { event: 'VOICE_CHANNEL_SELECT', data: { channel_id: lounge, guild_id: guild } },
      { event: 'VOICE_CHANNEL_SELECT', data: { channel_id: null, guild_id: null } },
    ]);
  });

  it.each([
    ['goes', { channels: [{ id: lounge, remove: true }] }, []],
    ['is hidden', { channels: [{ id: lounge, deny: ['river'] }] }, []],
    ['loses its voice', { channels: [{ id: lounge, type: 'text' }] }, ['VOICE_STATE_DELETE']],
  ])('is left when it %s', async (_, patch, seen) => {
    const { emulator, types } = await setUp();
    emulator.selectVoiceChannel(lounge);
    types();
    await emulator.apply({ guilds: [{ id: guild, ...patch }] });
    expect(emulator.selectedVoiceChannel()).toBeNull();
    expect(types()).toEqual([...seen, 'VOICE_CHANNEL_SELECT', 'VOICE_CONNECTION_STATUS']);
  });

  it.each([
    ['1', /unknown/],
    [denied, /may not view/],
    ['500000000000000002', /no voice/],
  ])('cannot be joined: %s', async (id, reason) => {
    const { emulator } = await setUp();
    expect(() => emulator.selectVoiceChannel(id)).toThrow(reason);
  });
});

describe('show, apply and reset', () => {
  it('return a fixture that can be printed and read again, without secrets', async () => {
    const { emulator } = await setUp();
    await emulator.apply({ applications: [{ id: '300000000000000001', secret: 'canary' }] });
    emulator.application('42');
    const shown = emulator.toFixture();
    expect(JSON.stringify(shown)).not.toContain('canary');
    expect(shown.applications.map(({ id }) => id)).toEqual([
      '300000000000000001',
      '300000000000000002',
      '42',
    ]);
    expect(await parseFixture(await fixtureToToml(shown), 'f.toml')).toEqual(shown);
  });

  it('preserve a secret through patches that do not name it', async () => {
    const { emulator } = await setUp();
    await emulator.apply({ applications: [{ id: '300000000000000001', secret: 'right' }] });
    await emulator.apply({ applications: [{ id: '300000000000000001', name: 'Renamed' }] });
    const client = { clientId: '300000000000000001', clientSecret: 'wrong' };
    await expect(emulator.oauth2.revoke(client, 'x')).rejects.toThrow(/invalid_client/);
  });

  it('list an application seen before as soon as a patch names it', async () => {
    const { emulator } = await setUp();
    emulator.application('42');
    const named = await emulator.apply({ applications: [{ id: '42', redirect_uris: ['http://localhost'] }] });
    expect(named).toMatchObject([{ table: 'applications', kind: 'created' }]);
    expect(emulator.toFixture().applications.filter(({ id }) => id === '42')).toHaveLength(1);
  });

  it('return to the initial fixture, and emit the changes', async () => {
    const { emulator, types } = await setUp();
    emulator.application('42');
    emulator.setVoice('mute', 'on');
    await emulator.apply({ guilds: [{ id: guild, remove: true }] });
    types();
    expect(emulator.reset().length).toBeGreaterThan(0);
    expect(types()).toEqual([
      'GUILD_CREATE',
      ...Array(6).fill('CHANNEL_CREATE'),
      'VOICE_SETTINGS_UPDATE',
      ...Array(3).fill('MESSAGE_CREATE'),
    ]);
    expect(emulator.toFixture()).toEqual(defaultFixture());
    expect(emulator.reset()).toEqual([]);
  });
});

it('a loaded fixture emits its changes, and reset() returns to that fixture from then on', async () => {
  const { emulator, types } = await setUp();
  const next = { ...defaultFixture(), me: '200000000000000003' };
  expect(emulator.transfer.load(next)).toMatchObject([{ table: 'me', kind: 'updated' }]);
  expect(types()).toEqual(['CLOSE', 'CHANNEL_CREATE']);
  emulator.setVoice('mute', 'on');
  emulator.reset();
  expect(emulator.toFixture()).toEqual(next);
});

it('a store that throws does not stop the emulator', async () => {
  const store: Store = {
    load: () => Promise.resolve({ kind: 'empty' }),
    save: () => Promise.reject(new RangeError('secret detail')),
  };
  const warnings: string[] = [];
  const emulator = await createEmulator({
    fixture: defaultFixture(),
    storage: store,
    consent: { policy: 'allow' },
    log: { info: () => {}, warn: (line) => warnings.push(line) },
  });
  const { code } = await emulator.oauth2.authorize({
    clientId: '42',
    scopes: ['rpc'],
    peer: { transport: 'ipc' },
    signal: new AbortController().signal,
  });
  expect(code).toHaveLength(30);
  expect(warnings).toEqual(['the store failed: RangeError']);
  await emulator.close();
});
