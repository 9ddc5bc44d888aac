import { describe, expect, it } from 'vitest';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';
import { APP, type PlatformRequest } from '../../../helpers/platform.ts';

const STAGE = '977';
const OTHER = '978';
const MODERATOR = ['MANAGE_CHANNELS', 'MUTE_MEMBERS', 'MOVE_MEMBERS'] as const;
const MINUTE = 60_000;
const headers = { 'x-audit-log-reason': 'spring%20tide' };

/** A guild with two stages; the bot is on the first, where it listens. */
async function staging(...permissions: readonly Permission[]) {
  const platform = await guildPlatform(permissions);
  const { emulator, guild, call, bot } = platform;
  emulator.clock.freeze();
  await guild({
    roles: [{ id: ids.riverBank, permissions: ['VIEW_CHANNEL', 'CONNECT'] }],
    channels: [STAGE, OTHER].map((id) => ({ id, name: id, type: 'stage' })),
  });
  await emulator.apply({ voice_states: [{ user: APP, channel: STAGE, suppress: true }] });
  const stage = (what: string, request: PlatformRequest = {}) => {
    const [method, path = ''] = what.split(' ');
    return call(`${method} /stage-instances${path}`, {
      ...request,
      headers: { ...bot(), ...request.headers },
    });
  };
  const refusedStage = async (what: string, json?: unknown) => {
    const before = emulator.exportState();
    const answer = await stage(what, json === undefined ? {} : { json });
    expect(emulator.exportState()).toBe(before);
    return answer;
  };
  const state = (user: string) => emulator.tables.voice_states.get(user);
  return { ...platform, stage, refusedStage, state };
}

const open = { channel_id: STAGE, topic: 'Tides' };

describe('a stage instance', () => {
  it('is opened by a moderator, changed and closed, each audited with its reason', async () => {
    const { stage, audited } = await staging(...MODERATOR);
    const made = await stage('POST ', { json: open, headers });
    expect(made).toMatchObject({
      status: 200,
      body: {
        guild_id: ids.riverBank,
        channel_id: STAGE,
        topic: 'Tides',
        privacy_level: 2,
        guild_scheduled_event_id: null,
      },
    });
    const noted = { target: made.body.id, options: [{ key: 'channel_id', value: STAGE }] };
    expect(audited()).toMatchObject({ ...noted, action_type: 83, reason: 'spring tide' });
    expect((await stage(`GET /${STAGE}`)).body).toEqual(made.body);
    const changed = await stage(`PATCH /${STAGE}`, { json: { topic: 'Moons' } });
    expect(changed.body).toEqual({ ...made.body, topic: 'Moons' });
    expect(audited()).toMatchObject({
      ...noted,
      action_type: 84,
      changes: [{ key: 'topic', old_value: '"Tides"', new_value: '"Moons"' }],
    });
    expect((await stage(`DELETE /${STAGE}`)).status).toBe(204);
    expect(audited()).toMatchObject({ ...noted, action_type: 85 });
    expect((await stage(`GET /${STAGE}`)).body.code).toBe(10067);
  });

  it.each([
    ['disnake', false],
    ['nextcord', false],
    ['pycord', 0],
  ])('is opened by %s, which always sends send_start_notification', async (_, send_start_notification) => {
    const { stage } = await staging(...MODERATOR);
    expect((await stage('POST ', { json: { ...open, send_start_notification } })).status).toBe(200);
  });

  it.each([true, 1])('is opened with the notification %j only with MENTION_EVERYONE', async (wanted) => {
    const json = { ...open, send_start_notification: wanted };
    const { refusedStage } = await staging(...MODERATOR, 'SEND_MESSAGES');
    expect(await refusedStage('POST ', json)).toMatchObject({ status: 403, body: { code: 50013 } });
    const { stage } = await staging(...MODERATOR, 'SEND_MESSAGES', 'MENTION_EVERYONE');
    expect((await stage('POST ', { json })).status).toBe(200);
  });

  it('is public only when the guild is discoverable', async () => {
    const { stage, refusedStage, guild } = await staging(...MODERATOR);
    const json = { ...open, privacy_level: 1 };
    expect((await refusedStage('POST ', json)).body.errors.privacy_level._errors).toHaveLength(1);
    await guild({ features: ['DISCOVERABLE'] });
    expect((await stage('POST ', { json })).body.privacy_level).toBe(1);
  });

  it('starts the event that it is opened for, and completes the event when it closes', async () => {
    const { stage, guild, emulator, refusedStage } = await staging(...MODERATOR);
    await guild({
      scheduled_events: [
        { id: '979', name: 'x', type: 'stage', channel: STAGE, start: '2040-01-04T12:00:00Z' },
        { id: '980', name: 'x', type: 'stage', channel: OTHER, start: '2040-01-04T12:00:00Z' },
      ],
    });
    const status = () => emulator.tables.scheduled_events.get('979')?.status;
    for (const event of ['980', '1']) {
      expect((await refusedStage('POST ', { ...open, guild_scheduled_event_id: event })).body.code).toBe(
        10070,
      );
    }
    const made = await stage('POST ', { json: { ...open, guild_scheduled_event_id: '979' } });
    expect([made.body.guild_scheduled_event_id, status()]).toEqual(['979', 2]);
    await stage(`DELETE /${STAGE}`);
    expect(status()).toBe(3);
    expect([...emulator.tables.stage_instances]).toEqual([]);
  });

  it('closes by itself minutes after the last speaker stepped down', async () => {
    const { stage, emulator, ask } = await staging(...MODERATOR);
    const isOpen = () => emulator.tables.stage_instances.has(STAGE);
    await ask('PATCH /voice-states/@me', { json: { suppress: false } });
    await stage('POST ', { json: open });
    emulator.clock.advance(60 * MINUTE);
    expect(isOpen()).toBe(true);
    await ask('PATCH /voice-states/@me', { json: { suppress: true } });
    emulator.clock.advance(4 * MINUTE);
    await ask('PATCH /voice-states/@me', { json: { suppress: false } });
    emulator.clock.advance(4 * MINUTE);
    await ask('PATCH /voice-states/@me', { json: { suppress: true } });
    emulator.clock.advance(5 * MINUTE - 1);
    expect(isOpen()).toBe(true);
    emulator.clock.advance(1);
    expect(isOpen()).toBe(false);
  });

  it.each(MODERATOR)('is not opened without %s', async (missing) => {
    const { refusedStage } = await staging(...MODERATOR.filter((one) => one !== missing));
    expect((await refusedStage('POST ', open)).body.code).toBe(50013);
  });

  it.each<[string, string, unknown, number, number]>([
    ['a second time', 'POST ', { ...open, channel_id: OTHER }, 400, 150006],
    ['in a voice channel', 'POST ', { ...open, channel_id: ids.lounge }, 400, 50024],
    ['in no channel', 'POST ', { ...open, channel_id: '1' }, 404, 10003],
    ['without a channel', 'POST ', { topic: 'x' }, 400, 50035],
    ['without a topic', 'POST ', { channel_id: STAGE }, 400, 50035],
    ['with a topic that is too long', 'POST ', { ...open, topic: 'x'.repeat(121) }, 400, 50035],
    ['with another privacy', 'POST ', { ...open, privacy_level: 3 }, 400, 50035],
    ['with a notification that is no flag', 'POST ', { ...open, send_start_notification: 2 }, 400, 50035],
    ['where none is open', `PATCH /${STAGE}`, { topic: 'x' }, 404, 10067],
    ['where none is open', `DELETE /${STAGE}`, undefined, 404, 10067],
    ['without a topic at last', `PATCH /${OTHER}`, { topic: '' }, 400, 50035],
  ])('is refused %s: %s', async (_, what, json, status, code) => {
    const { refusedStage, emulator } = await staging('ADMINISTRATOR');
    await emulator.apply({ stage_instances: [{ id: '990', channel: OTHER, topic: 'x' }] });
    expect(await refusedStage(what, json)).toMatchObject({ status, body: { code } });
  });
});

describe('a voice state', () => {
  it('is returned for a user in a channel that the bot can see', async () => {
    const { ask, emulator, guild } = await staging();
    await emulator.apply({ voice_states: [{ user: 'otter', channel: ids.lounge, mute: true }] });
    const { body } = await ask(`GET /voice-states/${ids.otter}`);
    expect(body).toMatchObject({
      channel_id: ids.lounge,
      guild_id: ids.riverBank,
      user_id: ids.otter,
      member: { user: { id: ids.otter }, mute: true },
      mute: true,
      suppress: false,
      request_to_speak_timestamp: null,
    });
    expect((await ask('GET /voice-states/@me')).body).toMatchObject({ user_id: APP, channel_id: STAGE });
    await guild({ channels: [{ id: ids.lounge, deny: [APP] }] });
    expect((await ask(`GET /voice-states/${ids.otter}`)).body.code).toBe(50001);
    for (const user of [ids.heron, '1']) {
      expect((await ask(`GET /voice-states/${user}`)).body).toEqual({
        message: 'Unknown Voice State',
        code: 10065,
      });
    }
  });

  it('is suppressed when the user joins a stage, and not in a voice channel', async () => {
    const { emulator, state } = await staging();
    emulator.calls.join(ids.otter, STAGE);
    expect(state(ids.otter)?.suppress).toBe(true);
    emulator.calls.join(ids.otter, ids.lounge);
    expect(state(ids.otter)?.suppress).toBe(false);
  });

  it('requires REQUEST_TO_SPEAK for a request to speak, and no permission to withdraw the request', async () => {
    const { ask, refused, may, state, emulator } = await staging();
    const now = new Date(emulator.clock.now()).toISOString();
    const json = { channel_id: STAGE, request_to_speak_timestamp: now };
    expect((await refused('PATCH /voice-states/@me', { json })).body.code).toBe(50013);
    await may('REQUEST_TO_SPEAK');
    expect((await ask('PATCH /voice-states/@me', { json })).status).toBe(204);
    const told = (await ask('GET /voice-states/@me')).body.request_to_speak_timestamp;
    expect(Date.parse(told)).toBe(Date.parse(now));
    const past = { request_to_speak_timestamp: '2020-01-01T00:00:00Z' };
    expect((await refused('PATCH /voice-states/@me', { json: past })).body.code).toBe(50035);
    await may();
    await ask('PATCH /voice-states/@me', { json: { request_to_speak_timestamp: null } });
    expect(state(APP)?.request_to_speak).toBeUndefined();
    expect((await refused('PATCH /voice-states/@me', { json: { suppress: false } })).body.code).toBe(50013);
    await may('MUTE_MEMBERS');
    await ask('PATCH /voice-states/@me', { json: { suppress: false } });
    expect(state(APP)?.suppress).toBe(false);
    await may();
    await ask('PATCH /voice-states/@me', { json: { suppress: true } });
    expect(state(APP)?.suppress).toBe(true);
  });

  it('of an invited speaker has the time of the invitation, until the speaker is suppressed again', async () => {
    const { ask, refused, may, state, emulator } = await staging();
    await emulator.apply({ voice_states: [{ user: 'otter', channel: STAGE, suppress: true }] });
    const path = `PATCH /voice-states/${ids.otter}`;
    expect((await refused(path, { json: { suppress: false } })).body.code).toBe(50013);
    await may('MUTE_MEMBERS');
    await ask(path, { json: { suppress: false, channel_id: STAGE } });
    expect(state(ids.otter)).toMatchObject({
      suppress: false,
      request_to_speak: new Date(emulator.clock.now()).toISOString(),
    });
    await ask(path, { json: { suppress: true } });
    expect(state(ids.otter)?.suppress).toBe(true);
    expect(state(ids.otter)?.request_to_speak).toBeUndefined();
  });

  it.each<[string, string, object, number, number]>([
    ['another channel', '@me', { channel_id: OTHER }, 400, 40032],
    ['a channel that is none', '@me', { channel_id: '1' }, 404, 10003],
    ['a channel of another guild', '@me', { channel_id: ids.quay }, 403, 50001],
    ['a voice channel', ids.otter, { suppress: true }, 400, 50024],
    ['somebody who is nowhere', ids.heron, { suppress: true }, 404, 10065],
    ['a word', '@me', { suppress: 'yes' }, 400, 50035],
    ['no time', '@me', { request_to_speak_timestamp: 'now' }, 400, 50035],
  ])('is not changed for %s', async (_, user, json, status, code) => {
    const { refused, emulator } = await staging('ADMINISTRATOR');
    await emulator.apply({
      voice_states: [
        { user: 'heron', remove: true },
        { user: 'otter', channel: ids.lounge },
      ],
    });
    expect(await refused(`PATCH /voice-states/${user}`, { json })).toMatchObject({ status, body: { code } });
  });
});
