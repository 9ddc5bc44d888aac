import { describe, expect, it } from 'vitest';
import { AUDIT } from '../../../../src/emulator/guilds/audit/audit.ts';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { listen } from '../../../helpers/gateway-listener.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';
import { dataUri, png } from '../../../helpers/media-bytes.ts';
import { APP } from '../../../helpers/platform.ts';

const STAGE = '977';
const NOON = '2040-01-04T12:00:00.000Z';
const HOUR = 3_600_000;
const later = (ms: number) => new Date(Date.parse(NOON) + ms).toISOString();
const headers = { 'x-audit-log-reason': 'spring%20tide' };
const base = { name: 'Low tide', privacy_level: 2, scheduled_start_time: later(24 * HOUR) };
const outside = {
  ...base,
  entity_type: 3,
  entity_metadata: { location: 'The pier' },
  scheduled_end_time: later(26 * HOUR),
};
const inVoice = { ...base, entity_type: 2, channel_id: ids.lounge };
const onStage = { ...base, entity_type: 1, channel_id: STAGE };
const WEEKLY = { start: base.scheduled_start_time, frequency: 2, interval: 1, by_weekday: [3] };

/** A guild with a stage, at noon; everybody sees and joins channels, the bot may more by its role. */
async function planning(...permissions: readonly Permission[]) {
  const platform = await guildPlatform(permissions);
  const { emulator, guild } = platform;
  emulator.clock.freeze();
  emulator.clock.set(Date.parse(NOON));
  await guild({
    roles: [{ id: ids.riverBank, permissions: ['VIEW_CHANNEL', 'CONNECT'] }],
    channels: [{ id: STAGE, name: 'stage', type: 'stage' }],
  });
  const status = (id: string) => emulator.tables.scheduled_events.get(id)?.status;
  const plan = async (json: object) => {
    const answer = await platform.ask('POST /scheduled-events', { json, headers });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const change = (id: string, json: object) => platform.ask(`PATCH /scheduled-events/${id}`, { json });
  return { ...platform, plan, status, change };
}

describe('a scheduled event', () => {
  it('is created with CREATE_EVENTS, audited with its reason, and its cover is served [N-5]', async () => {
    const { plan, ask, audited, url } = await planning('CREATE_EVENTS');
    const cover = png({ filler: 9 });
    const made = await plan({ ...outside, description: 'Mind the mud', image: dataUri(cover) });
    expect(made).toMatchObject({
      guild_id: ids.riverBank,
      name: 'Low tide',
      description: 'Mind the mud',
      channel_id: null,
      creator_id: APP,
      creator: { id: APP },
      status: 1,
      entity_type: 3,
      entity_id: null,
      entity_metadata: { location: 'The pier' },
      scheduled_start_time: '2040-01-05T12:00:00.000000+00:00',
      scheduled_end_time: '2040-01-05T14:00:00.000000+00:00',
      recurrence_rule: null,
      guild_scheduled_event_exceptions: [],
    });
    expect(audited()).toMatchObject({ action_type: 100, target: made.id, reason: 'spring tide' });
    expect((await ask('GET /scheduled-events')).body).toEqual([made]);
    expect((await ask(`GET /scheduled-events/${made.id}?with_user_count=true`)).body).toEqual({
      ...made,
      user_count: 0,
    });
    const served = await fetch(new URL(`/guild-events/${made.id}/${made.image}.png`, url));
    expect(Buffer.from(await served.arrayBuffer()).equals(cover)).toBe(true);
    expect((await fetch(new URL(`/guild-events/${made.id}/other.png`, url))).status).toBe(404);
  });

  it('changes its type together with the fields of that type', async () => {
    const { plan, change, audited, refused, may } = await planning('CREATE_EVENTS');
    const { id } = await plan(outside);
    const moved = await change(id, { entity_type: 2, channel_id: ids.lounge, scheduled_end_time: null });
    expect(moved.body).toMatchObject({ entity_type: 2, channel_id: ids.lounge, entity_metadata: null });
    expect(audited()).toMatchObject({
      action_type: 101,
      changes: expect.arrayContaining([
        { key: 'channel_id', old_value: null, new_value: `"${ids.lounge}"` },
        { key: 'entity_type', old_value: '3', new_value: '2' },
      ]),
    });
    const back = { entity_type: 3, channel_id: null, entity_metadata: { location: 'Pier' } };
    const no = await refused(`PATCH /scheduled-events/${id}`, { json: back });
    expect(no.body.errors.scheduled_end_time._errors[0].code).toBe('BASE_TYPE_REQUIRED');
    const done = await change(id, { ...back, scheduled_end_time: outside.scheduled_end_time });
    expect(done.body).toMatchObject({ entity_type: 3, channel_id: null });
    await may();
    expect((await refused(`DELETE /scheduled-events/${id}`)).body.code).toBe(50013);
    await may('MANAGE_EVENTS');
    expect((await refused('POST /scheduled-events', { json: outside })).body.code).toBe(50013);
  });

  it.each<[string, object, readonly Permission[]]>([
    ['elsewhere', outside, []],
    ['in a voice channel', inVoice, ['VIEW_CHANNEL', 'CONNECT']],
    ['on a stage', onStage, ['MANAGE_CHANNELS', 'MUTE_MEMBERS', 'MOVE_MEMBERS']],
  ])('%s requires all of its permissions', async (_, json, needed) => {
    const { refused, ask, may, guild } = await planning();
    await guild({ roles: [{ id: ids.riverBank, permissions: [] }] });
    const all: Permission[] = ['CREATE_EVENTS', 'VIEW_CHANNEL', 'CONNECT', ...needed];
    for (const missing of new Set<Permission>(['CREATE_EVENTS', ...needed])) {
      await may(...all.filter((one) => one !== missing));
      const { status, body } = await refused('POST /scheduled-events', { json });
      expect([status, body.code], missing).toEqual([403, missing === 'VIEW_CHANNEL' ? 50001 : 50013]);
    }
    await may(...all);
    expect((await ask('POST /scheduled-events', { json })).status).toBe(200);
  });

  it('of another user requires MANAGE_EVENTS, and is unknown while its channel is hidden', async () => {
    const { guild, refused, ask, may } = await planning('CREATE_EVENTS');
    const theirs = {
      id: '978',
      name: 'x',
      type: 'voice',
      channel: ids.lounge,
      start: later(HOUR),
      creator: 'otter',
    };
    await guild({ scheduled_events: [theirs] });
    expect((await refused('DELETE /scheduled-events/978')).body.code).toBe(50013);
    await may('MANAGE_EVENTS');
    expect((await ask('PATCH /scheduled-events/978', { json: { name: 'y' } })).body.name).toBe('y');
    await guild({ channels: [{ id: ids.lounge, deny: [APP] }] });
    expect((await ask('GET /scheduled-events')).body).toEqual([]);
    expect((await refused('GET /scheduled-events/978')).body.code).toBe(10070);
    await guild({ channels: [{ id: ids.lounge, deny: [] }] });
    expect((await ask('DELETE /scheduled-events/978', { headers })).status).toBe(204);
  });

  it('is refused when the guild has 100 uncompleted events', async () => {
    const { guild, refused, emulator } = await planning('CREATE_EVENTS');
    const all = Array.from({ length: 100 }, (_, at) => ({
      id: `${5000 + at}`,
      name: 'full',
      type: 'voice',
      channel: ids.lounge,
      start: later(HOUR),
    }));
    await guild({ scheduled_events: all });
    expect((await refused('POST /scheduled-events', { json: outside })).body).toEqual({
      message: 'Maximum number of uncompleted guild scheduled events reached (100)',
      code: 30038,
    });
    // Half an hour later than the last has begun, all of them are called off.
    emulator.clock.advance(6 * HOUR);
    expect([...emulator.tables.scheduled_events].every(({ status }) => status === 4)).toBe(true);
  });
});

describe('a scheduled event request is refused:', () => {
  it.each<[string, object, string, string?]>([
    ['no name', { ...outside, name: undefined }, 'name'],
    ['a name that is too long', { ...outside, name: 'x'.repeat(101) }, 'name'],
    ['a description that is too long', { ...outside, description: 'x'.repeat(1001) }, 'description'],
    [
      'a place that is too long',
      { ...outside, entity_metadata: { location: 'x'.repeat(101) } },
      'entity_metadata',
    ],
    ['no place', { ...outside, entity_metadata: null }, 'entity_metadata'],
    ['no end elsewhere', { ...outside, scheduled_end_time: null }, 'scheduled_end_time'],
    ['an end before the start', { ...outside, scheduled_end_time: later(HOUR) }, 'scheduled_end_time'],
    [
      'a start that is over',
      { ...outside, scheduled_start_time: later(-1) },
      'scheduled_start_time',
      'GUILD_SCHEDULED_EVENT_SCHEDULE_PAST',
    ],
    ['a start that is no time', { ...outside, scheduled_start_time: 'noon' }, 'scheduled_start_time'],
    ['another privacy', { ...outside, privacy_level: 1 }, 'privacy_level'],
    ['another kind', { ...outside, entity_type: 4 }, 'entity_type'],
    ['a channel elsewhere', { ...outside, channel_id: ids.lounge }, 'channel_id'],
    ['no channel', { ...inVoice, channel_id: undefined }, 'channel_id'],
    ['a text channel', { ...inVoice, channel_id: ids.general }, 'channel_id'],
    ['a stage as a voice channel', { ...inVoice, channel_id: STAGE }, 'channel_id'],
    ['a cover that is no picture', { ...outside, image: dataUri(Buffer.from('x')) }, 'image'],
    [
      'a cover above 2 MiB',
      { ...outside, image: dataUri(png({ filler: 2 * 1024 * 1024 })) },
      'image',
      'BINARY_TYPE_MAX_SIZE',
    ],
    [
      'a rule of two days',
      { ...outside, recurrence_rule: { ...WEEKLY, by_weekday: [1, 2] } },
      'recurrence_rule',
    ],
    [
      'a rule with an end',
      { ...outside, recurrence_rule: { ...WEEKLY, end: later(HOUR) } },
      'recurrence_rule',
    ],
    ['a rule with a count', { ...outside, recurrence_rule: { ...WEEKLY, count: 5 } }, 'recurrence_rule'],
    [
      'a rule of every third week',
      { ...outside, recurrence_rule: { ...WEEKLY, interval: 3 } },
      'recurrence_rule',
    ],
  ])('%s', async (_, json, field, code) => {
    const { refused } = await planning('ADMINISTRATOR');
    const answer = await refused('POST /scheduled-events', { json });
    expect(answer).toMatchObject({ status: 400, body: { code: 50035 } });
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    if (code !== undefined) expect(answer.body.errors[field]._errors[0].code).toBe(code);
  });

  it.each<[string, string, object | undefined, number, number]>([
    ['a channel of another guild', 'POST ', { ...inVoice, channel_id: ids.quay }, 404, 10003],
    ['a channel that is none', 'POST ', { ...inVoice, channel_id: '1' }, 404, 10003],
    ['an event that is none', 'GET /1', undefined, 404, 10070],
    ['a change of none', 'PATCH /1', {}, 404, 10070],
    ['a removal of none', 'DELETE /1', undefined, 404, 10070],
    ['users of none', 'GET /1/users', undefined, 404, 10070],
    ['a limit of 0', 'GET /1/users?limit=0', undefined, 400, 50035],
    ['a new event of no type', 'POST ', { ...outside, entity_type: null }, 400, 50035],
    ['a change to no type', 'PATCH /1', { entity_type: null }, 400, 50035],
  ])('%s: %s', async (_, what, json, status, code) => {
    const { refused } = await planning('ADMINISTRATOR');
    const [method, path = ''] = what.split(' ');
    const answer = await refused(`${method} /scheduled-events${path}`, json === undefined ? {} : { json });
    expect(answer).toMatchObject({ status, body: { code } });
  });
});

describe('the status of an event', () => {
  it('changes from scheduled to active to completed, or to canceled, and in no other order', async () => {
    const { plan, change, refused } = await planning('ADMINISTRATOR');
    const [first, second] = [await plan(outside), await plan(outside)];
    const no = await refused(`PATCH /scheduled-events/${first.id}`, { json: { status: 3 } });
    expect(no.body.errors.status._errors).toHaveLength(1);
    expect((await change(first.id, { status: 2 })).body.status).toBe(2);
    expect((await refused(`PATCH /scheduled-events/${first.id}`, { json: { status: 4 } })).status).toBe(400);
    expect((await change(first.id, { status: 3 })).body.status).toBe(3);
    expect((await change(second.id, { status: 4 })).body.status).toBe(4);
    for (const { id } of [first, second]) {
      const over = await refused(`PATCH /scheduled-events/${id}`, { json: { name: 'x' } });
      expect(over.body).toEqual({ message: 'Cannot update a finished event', code: 180000 });
    }
  });

  it('of an external event follows the clock from start to end', async () => {
    const { plan, status, emulator } = await planning('ADMINISTRATOR');
    const { id } = await plan(outside);
    emulator.clock.advance(24 * HOUR - 1);
    expect(status(id)).toBe(1);
    emulator.clock.advance(1);
    expect(status(id)).toBe(2);
    emulator.clock.advance(2 * HOUR);
    expect(status(id)).toBe(3);
  });

  it('of a voice event starts on request, is canceled hours late, and completes minutes after the last member left', async () => {
    const { plan, change, status, emulator } = await planning('ADMINISTRATOR');
    const [begun, left] = [await plan(inVoice), await plan(inVoice)];
    emulator.clock.advance(25 * HOUR);
    expect([status(begun.id), status(left.id)]).toEqual([1, 1]);
    await emulator.apply({ voice_states: [{ user: 'otter', channel: ids.lounge }] });
    await change(begun.id, { status: 2 });
    emulator.clock.advance(4 * HOUR);
    expect([status(begun.id), status(left.id)]).toEqual([2, 4]);
    emulator.calls.leave(ids.otter);
    emulator.clock.advance(4 * 60_000);
    // Somebody came back in time.
    await emulator.apply({ voice_states: [{ user: 'otter', channel: ids.lounge }] });
    emulator.clock.advance(HOUR);
    expect(status(begun.id)).toBe(2);
    emulator.calls.leave(ids.otter);
    emulator.clock.advance(5 * 60_000 - 1);
    expect(status(begun.id)).toBe(2);
    emulator.clock.advance(1);
    expect(status(begun.id)).toBe(3);
  });

  it('of a stage event opens and closes the stage', async () => {
    const { plan, change, emulator, call, bot, refused } = await planning('ADMINISTRATOR');
    const [first, second] = [await plan(onStage), await plan(onStage)];
    const started = await change(first.id, { status: 2 });
    const stage = await call(`GET /stage-instances/${STAGE}`, { headers: bot() });
    expect(stage.body).toMatchObject({ topic: 'Low tide', guild_scheduled_event_id: first.id });
    expect(started.body.entity_id).toBe(stage.body.id);
    const no = await refused(`PATCH /scheduled-events/${second.id}`, { json: { status: 2 } });
    expect(no.body.code).toBe(180002);
    await change(first.id, { status: 3 });
    expect([...emulator.tables.stage_instances]).toEqual([]);
  });
});

describe('a recurring event', () => {
  it('is scheduled for its next time when one is over, except for canceled or moved times', async () => {
    const { plan, emulator, status, ask, audited } = await planning('ADMINISTRATOR');
    const { id } = await plan({ ...outside, recurrence_rule: WEEKLY });
    const exceptions = `/scheduled-events/${id}/exceptions`;
    const week = 7 * 24 * HOUR;
    const [first, second, third] = [1, 2, 3].map((n) => later(24 * HOUR + n * week));
    const off = await ask(`POST ${exceptions}`, {
      json: { original_scheduled_start_time: first, is_canceled: true },
      headers,
    });
    expect(off.body).toMatchObject({ event_id: id, is_canceled: true, scheduled_start_time: null });
    expect(audited()).toMatchObject({
      action_type: AUDIT.GUILD_SCHEDULED_EVENT_EXCEPTION_CREATE,
      target: id,
    });
    const moved = later(24 * HOUR + 2 * week - HOUR);
    await ask(`POST ${exceptions}`, {
      json: { original_scheduled_start_time: second, scheduled_start_time: moved },
    });
    const starts = () => emulator.tables.scheduled_events.get(id)?.start;
    emulator.clock.advance(27 * HOUR);
    expect([status(id), starts()]).toEqual([1, moved]);
    emulator.clock.set(Date.parse(moved));
    expect(status(id)).toBe(2);
    emulator.clock.advance(2 * HOUR);
    expect([status(id), starts()]).toEqual([1, third]);
  });

  it('has exceptions that can be changed and deleted, and a changed rule deletes all of them', async () => {
    const { plan, ask, refused, change, emulator } = await planning('ADMINISTRATOR');
    const { id } = await plan({ ...outside, recurrence_rule: WEEKLY });
    const exceptions = `/scheduled-events/${id}/exceptions`;
    const time = later(8 * 24 * HOUR);
    const json = { original_scheduled_start_time: time, is_canceled: true };
    const { event_exception_id: one } = (await ask(`POST ${exceptions}`, { json })).body;
    expect((BigInt(one) >> 22n) + 1_420_070_400_000n).toBe(BigInt(Date.parse(time)));
    const changed = await ask(`PATCH ${exceptions}/${one}`, {
      json: { is_canceled: false, scheduled_end_time: later(9 * 24 * HOUR) },
    });
    expect(changed.body).toMatchObject({ is_canceled: false, scheduled_start_time: null });
    for (const [body, code] of [
      [json, 50035],
      [{ original_scheduled_start_time: later(9 * 24 * HOUR), is_canceled: true }, 50035],
      [{ original_scheduled_start_time: later(15 * 24 * HOUR) }, 180005],
      [{ original_scheduled_start_time: later(15 * 24 * HOUR), scheduled_end_time: time }, 50035],
      [{ is_canceled: true }, 50035],
      [{ ...json, is_canceled: 'no' }, 50035],
    ] as const) {
      expect((await refused(`POST ${exceptions}`, { json: body })).body.code).toBe(code);
    }
    expect((await refused(`PATCH ${exceptions}/1`, { json: {} })).status).toBe(404);
    expect((await refused(`DELETE ${exceptions}/1`)).status).toBe(404);
    expect((await ask(`DELETE ${exceptions}/${one}`)).status).toBe(204);
    await ask(`POST ${exceptions}`, { json });
    await change(id, { recurrence_rule: { ...WEEKLY, interval: 2 } });
    expect([...emulator.tables.event_exceptions]).toEqual([]);
    const { id: plain } = await plan(outside);
    expect((await refused(`POST /scheduled-events/${plain}/exceptions`, { json })).body.code).toBe(50035);
  });
});

describe('a user who is interested in an event', () => {
  it('is sent only to bots that can see the channel of the event', async () => {
    const { guild, emulator } = await planning('CREATE_EVENTS');
    const event = { id: '978', name: 'x', type: 'voice', channel: ids.lounge, start: later(HOUR) };
    await guild({ scheduled_events: [{ ...event, creator: 'otter' }] });
    const received = await listen(emulator);
    emulator.scheduledEvents.setInterest('978', ids.otter, true);
    expect(received()).toMatchObject([
      { event: 'GUILD_SCHEDULED_EVENT_USER_ADD', data: { user_id: ids.otter } },
    ]);
    await guild({ channels: [{ id: ids.lounge, deny: [APP] }] });
    received();
    emulator.scheduledEvents.setInterest('978', ids.otter, false);
    emulator.scheduledEvents.setInterest('978', ids.heron, true);
    expect(received()).toEqual([]);
  });

  it('is listed by id in pages and counted, for the event and for one of its times', async () => {
    const { plan, ask, emulator } = await planning('ADMINISTRATOR');
    const { id } = await plan({ ...outside, recurrence_rule: WEEKLY });
    const path = `/scheduled-events/${id}`;
    const json = {
      original_scheduled_start_time: later(8 * 24 * HOUR),
      is_canceled: false,
      scheduled_end_time: later(9 * 24 * HOUR),
    };
    const { event_exception_id: one } = (await ask(`POST ${path}/exceptions`, { json })).body;
    for (const user of [ids.otter, ids.heron, ids.river])
      emulator.scheduledEvents.setInterest(id, user, true);
    emulator.scheduledEvents.setInterest(id, ids.heron, true, one);
    const all = [ids.otter, ids.heron, ids.river].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
    const listed = async (query: string) =>
      (await ask(`GET ${path}/users${query}`)).body.map(({ user_id }: { user_id: string }) => user_id);
    expect(await listed('')).toEqual(all);
    expect(await listed('?limit=2')).toEqual(all.slice(0, 2));
    expect(await listed(`?after=${all[0]}`)).toEqual(all.slice(1));
    expect(await listed(`?before=${all[2]}&limit=1`)).toEqual([all[1]]);
    const [first] = (await ask(`GET ${path}/users?with_member=true`)).body;
    expect(first).toMatchObject({
      guild_scheduled_event_id: id,
      response: 1,
      member: { user: { id: all[0] } },
    });
    expect((await ask(`GET ${path}/${one}/users`)).body).toMatchObject([
      { user_id: ids.heron, guild_scheduled_event_exception_id: one },
    ]);
    const counts = await ask(`GET ${path}/users/counts?guild_scheduled_event_exception_ids=${one}`);
    expect(counts.body).toEqual({
      guild_scheduled_event_count: 3,
      guild_scheduled_event_exception_counts: { [one]: 1 },
    });
    emulator.scheduledEvents.setInterest(id, ids.otter, false);
    expect((await ask(`GET ${path}?with_user_count=1`)).body.user_count).toBe(2);
    expect(() => emulator.scheduledEvents.setInterest('1', ids.otter, true)).toThrow('no such event');
    expect(() => emulator.scheduledEvents.setInterest(id, ids.otter, true, '1')).toThrow('no such exception');
    expect(() => emulator.scheduledEvents.setInterest(id, APP, true)).toThrow('bot');
  });
});
