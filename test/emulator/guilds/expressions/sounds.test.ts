import { describe, expect, it } from 'vitest';
import type { Signal } from '../../../../src/emulator/api/signals.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { dataUri, mp3, ogg, png } from '../../../helpers/media-bytes.ts';
import { APP } from '../../../helpers/platform.ts';

const CREATE = ['CREATE_GUILD_EXPRESSIONS'] as const;
const headers = { 'x-audit-log-reason': 'spring%20tide' };
const bell = { name: 'bell', sound: dataUri(mp3(), 'audio/mpeg') };

describe('the sounds of a guild', () => {
  it('are created with CREATE_GUILD_EXPRESSIONS, audited with the reason, and served unchanged [N-5]', async () => {
    const { ask, audited, guild, url } = await guildPlatform(CREATE);
    await guild({ emojis: [{ id: '970', name: 'wave' }] });
    const bytes = ogg({ duration: 5200 });
    const json = { name: 'bell', sound: dataUri(bytes, 'audio/ogg'), volume: 0.5, emoji_id: '970' };
    const made = await ask('POST /soundboard-sounds', { json, headers });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'bell',
        volume: 0.5,
        emoji_id: '970',
        emoji_name: null,
        guild_id: ids.riverBank,
        available: true,
        user: { id: APP },
      },
    });
    const { sound_id: id } = made.body;
    expect(audited()).toMatchObject({ action_type: 130, target: id, reason: 'spring tide' });
    expect((await ask('GET /soundboard-sounds')).body).toEqual({ items: [made.body] });
    expect((await ask(`GET /soundboard-sounds/${id}`)).body).toEqual(made.body);
    const served = await fetch(new URL(`/soundboard-sounds/${id}`, url));
    expect(served.headers.get('content-type')).toBe('audio/ogg');
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
    const changed = await ask(`PATCH /soundboard-sounds/${id}`, { json: { volume: null, emoji_name: '🌊' } });
    expect(changed.body).toMatchObject({ volume: 1, emoji_id: null, emoji_name: '🌊', name: 'bell' });
    expect(audited()).toMatchObject({
      action_type: 131,
      changes: [
        { key: 'volume', old_value: '0.5', new_value: '1' },
        { key: 'emoji_id', old_value: '"970"', new_value: null },
        { key: 'emoji_name', old_value: null, new_value: '"🌊"' },
      ],
    });
    expect((await ask(`DELETE /soundboard-sounds/${id}`)).status).toBe(204);
    expect(audited()).toMatchObject({ action_type: 132, target: id });
    expect((await fetch(new URL(`/soundboard-sounds/${id}`, url))).status).toBe(404);
  });

  it('are limited by the premium tier of the guild', async () => {
    const { ask, refused, guild, emulator } = await guildPlatform(CREATE);
    await emulator.apply({
      soundboard_sounds: Array.from({ length: 8 }, (_, at) => ({
        id: `${5000 + at}`,
        name: 'full',
        guild: ids.riverBank,
      })),
    });
    const answer = await refused('POST /soundboard-sounds', { json: bell });
    expect(answer.body).toEqual({ message: 'Maximum number of soundboard sounds reached (8)', code: 30045 });
    await guild({ premium_tier: 1 });
    expect((await ask('POST /soundboard-sounds', { json: bell })).status).toBe(201);
  });

  it.each<[string, string, unknown, number, number]>([
    ['no name', 'POST ', { sound: bell.sound }, 400, 50035],
    ['a name that is too short', 'POST ', { ...bell, name: 'b' }, 400, 50035],
    ['a name that is too long', 'POST ', { ...bell, name: 'b'.repeat(33) }, 400, 50035],
    ['a volume above 1', 'POST ', { ...bell, volume: 1.1 }, 400, 50035],
    ['a volume below 0', 'POST ', { ...bell, volume: -0.1 }, 400, 50035],
    ['a volume in words', 'POST ', { ...bell, volume: 'loud' }, 400, 50035],
    ['no sound', 'POST ', { name: 'bell' }, 400, 50035],
    ['a picture', 'POST ', { ...bell, sound: dataUri(png()) }, 400, 50035],
    [
      'a picture that says it is a sound',
      'POST ',
      { ...bell, sound: dataUri(png(), 'audio/ogg') },
      400,
      50123,
    ],
    ['5.3 seconds', 'POST ', { ...bell, sound: dataUri(ogg({ duration: 5300 }), 'audio/ogg') }, 400, 50124],
    [
      '512 KiB and more',
      'POST ',
      { ...bell, sound: dataUri(mp3({ filler: 512 * 1024 }), 'audio/mpeg') },
      400,
      50045,
    ],
    ['an emoji that is none', 'POST ', { ...bell, emoji_name: 'wave' }, 400, 50151],
    ['an emoji of another guild', 'POST ', { ...bell, emoji_id: '979' }, 400, 50151],
    ['a sound that is none', 'GET /1', undefined, 404, 10097],
    ['a default sound as one of the guild', 'PATCH /1', { name: 'mine' }, 404, 10097],
    ['a removal of none', 'DELETE /77', undefined, 404, 10097],
    ["another's sound", 'DELETE /976', undefined, 403, 50013],
    ["a change of another's", 'PATCH /976', { name: 'mine' }, 403, 50013],
  ])('cannot be created, changed or deleted with %s', async (_, what, json, status, code) => {
    const { refused, emulator } = await guildPlatform(CREATE);
    await emulator.apply({
      soundboard_sounds: [{ id: '976', name: 'bell', guild: ids.riverBank, user: 'otter' }],
      guilds: [{ id: ids.harbour, emojis: [{ id: '979', name: 'wave' }] }],
    });
    const [method, path = ''] = what.split(' ');
    const answer = await refused(`${method} /soundboard-sounds${path}`, json === undefined ? {} : { json });
    expect(answer).toMatchObject({ status, body: { code } });
  });
});

describe('a soundboard sound that a bot sends', () => {
  /** A bot in the lounge, and what is heard. */
  async function inCall(permissions: Parameters<typeof guildPlatform>[0] = ['SPEAK', 'USE_SOUNDBOARD']) {
    const platform = await guildPlatform(permissions);
    const { emulator, call, bot, guild } = platform;
    await emulator.apply({ voice_states: [{ user: APP, channel: ids.lounge }] });
    const heard: Signal[] = [];
    emulator.subscribeSignals((signal) => {
      if (signal.type === 'sound-played') heard.push(signal);
    }, justListening);
    const send = (json: object, channel: string = ids.lounge) =>
      call(`POST /channels/${channel}/send-soundboard-sound`, { headers: bot(), json });
    return { ...platform, heard, send, guild };
  }

  it('is signalled to the channel that the bot is in', async () => {
    const { send, heard, call, bot } = await inCall();
    const defaults = (await call('GET /soundboard-default-sounds', { headers: bot() })).body;
    expect(defaults).toEqual([
      { name: 'splash', sound_id: '1', volume: 1, emoji_id: null, emoji_name: '💦', available: true },
    ]);
    expect((await send({ sound_id: '1' })).status).toBe(204);
    expect(heard).toEqual([{ type: 'sound-played', soundId: '1', channelId: ids.lounge }]);
  });

  it('from another guild needs its source guild, membership in both and USE_EXTERNAL_SOUNDS', async () => {
    const { send, heard, emulator, may, guild } = await inCall();
    // What everybody has would do for the right.
    await guild({ roles: [{ id: ids.riverBank, permissions: ['VIEW_CHANNEL', 'CONNECT'] }] });
    const other = '400000000000000002';
    const json = { sound_id: '800000000000000001', source_guild_id: other };
    expect((await send({ sound_id: json.sound_id })).body.code).toBe(10097);
    expect((await send(json)).body.code).toBe(10097);
    await emulator.apply({ guilds: [{ id: other, members: [{ user: APP }] }] });
    expect((await send(json)).body.code).toBe(50013);
    await may('SPEAK', 'USE_SOUNDBOARD', 'USE_EXTERNAL_SOUNDS');
    expect((await send(json)).status).toBe(204);
    expect(heard).toHaveLength(1);
  });

  it.each<[string, object, number]>([
    ['deafened', { deaf: true }, 50013],
    ['deafened by itself', { self_deaf: true }, 50013],
    ['muted', { mute: true }, 50013],
    ['suppressed', { suppress: true }, 50013],
    ['elsewhere', { channel: ids.quay }, 40032],
    ['nowhere', { remove: true }, 40032],
  ])('is not played when the bot is %s', async (_, state, code) => {
    const { send, heard, emulator } = await inCall(['ADMINISTRATOR']);
    await emulator.apply({ voice_states: [{ user: APP, ...state }] });
    expect((await send({ sound_id: '1' })).body.code).toBe(code);
    expect(heard).toEqual([]);
  });

  it('is refused without permissions, for an unknown sound, and in a channel without voice', async () => {
    const { send, heard, guild, emulator } = await inCall(['USE_SOUNDBOARD']);
    await guild({ roles: [{ id: ids.riverBank, permissions: ['VIEW_CHANNEL', 'CONNECT'] }] });
    expect((await send({ sound_id: '1' })).body.code).toBe(50013);
    await guild({ roles: [{ id: ids.riverBank, permissions: ['VIEW_CHANNEL', 'CONNECT', 'SPEAK'] }] });
    expect((await send({ sound_id: '77' })).body.code).toBe(10097);
    expect((await send({ sound_id: 'splash' })).body.code).toBe(50035);
    expect((await send({})).body.code).toBe(50035);
    expect((await send({ sound_id: '1' }, ids.general)).body.code).toBe(50024);
    expect((await send({ sound_id: '1' }, '77')).body.code).toBe(10003);
    await emulator.apply({ soundboard_sounds: [{ id: '1', available: false }] });
    expect((await send({ sound_id: '1' })).body.code).toBe(10097);
    expect(heard).toEqual([]);
  });
});
