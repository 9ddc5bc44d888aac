import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { listen } from '../../../helpers/gateway-listener.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';
import { dataUri, png } from '../../../helpers/media-bytes.ts';
import { APP } from '../../../helpers/platform.ts';

const NOON = '2040-01-04T12:00:00.000Z';
const HOUR = 3_600_000;
const STAGE = '977';
const later = (ms: number) => new Date(Date.parse(NOON) + ms).toISOString();
const shown = (ms: number) => later(ms).replace('Z', '000+00:00');
const outside = {
  name: 'Low tide',
  description: 'Mud',
  privacy_level: 2,
  entity_type: 3,
  entity_metadata: { location: 'The pier' },
  scheduled_start_time: later(24 * HOUR),
  scheduled_end_time: later(26 * HOUR),
};
const DAILY = { start: later(24 * HOUR), frequency: 3 };

async function planning() {
  const platform = await guildPlatform(['ADMINISTRATOR']);
  const { emulator, ask, guild } = platform;
  emulator.clock.freeze();
  emulator.clock.set(Date.parse(NOON));
  await guild({ channels: [{ id: STAGE, name: 'stage', type: 'stage' }] });
  const done = async (what: string, json?: object) => {
    const { status, body } = await ask(what, json === undefined ? {} : { json });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body;
  };
  const plan = (json: object = {}) => done('POST /scheduled-events', { ...outside, ...json });
  const change = (id: string, json: object) => done(`PATCH /scheduled-events/${id}`, json);
  return { ...platform, done, plan, change };
}

describe('a change of a scheduled event', () => {
  it.each<[object, object]>([
    [{}, {}],
    [{ name: 'High tide' }, { name: 'High tide' }],
    [{ description: 'Water' }, { description: 'Water' }],
    [{ description: '' }, { description: null }],
    [{ description: null }, { description: null }],
    [{ scheduled_start_time: later(25 * HOUR) }, { scheduled_start_time: shown(25 * HOUR) }],
    [{ scheduled_end_time: later(27 * HOUR) }, { scheduled_end_time: shown(27 * HOUR) }],
    [{ entity_metadata: { location: 'Quay' } }, { entity_metadata: { location: 'Quay' } }],
    [{ entity_metadata: {} }, {}],
    [
      { entity_type: 2, channel_id: ids.lounge },
      { entity_type: 2, channel_id: ids.lounge, entity_metadata: null },
    ],
    [
      { entity_type: 2, channel_id: ids.lounge, scheduled_end_time: null },
      { entity_type: 2, channel_id: ids.lounge, entity_metadata: null, scheduled_end_time: null },
    ],
    [
      { entity_type: 1, channel_id: STAGE },
      { entity_type: 1, channel_id: STAGE, entity_metadata: null },
    ],
    [{ status: 2 }, { status: 2 }],
    [{ status: null }, {}],
    [{ status: 1 }, {}],
    [
      { recurrence_rule: DAILY },
      { recurrence_rule: expect.objectContaining({ frequency: 3, interval: 1, start: shown(24 * HOUR) }) },
    ],
  ])('to %j leaves everything else', async (json, expected) => {
    const { plan, change, done } = await planning();
    const before = await plan();
    const after = await change(before.id, json);
    expect(after).toEqual({ ...before, ...expected });
    expect(await done(`GET /scheduled-events/${before.id}`)).toEqual(after);
  });

  it('keeps, replaces and removes its cover', async () => {
    const { plan, change } = await planning();
    const { id, image } = await plan({ image: dataUri(png({ filler: 1 })) });
    expect((await change(id, { name: 'x' })).image).toBe(image);
    const other = (await change(id, { image: dataUri(png({ filler: 2 })) })).image;
    expect(other).toMatch(/^[0-9a-f]{32}$/);
    expect(other).not.toBe(image);
    expect((await change(id, { image: null })).image).toBeNull();
  });

  it('keeps its rule and exceptions unless the rule changes, and removes the rule', async () => {
    const { plan, change, done, emulator } = await planning();
    const { id } = await plan({ recurrence_rule: DAILY });
    const exception = { original_scheduled_start_time: later(48 * HOUR), is_canceled: true };
    await done(`POST /scheduled-events/${id}/exceptions`, exception);
    const has = () => emulator.tables.event_exceptions.by('event', id).size;
    expect((await change(id, { name: 'x' })).recurrence_rule).toMatchObject({ frequency: 3 });
    await change(id, { recurrence_rule: DAILY });
    expect(has()).toBe(1);
    expect((await change(id, { recurrence_rule: null })).recurrence_rule).toBeNull();
    expect(has()).toBe(0);
  });

  it.each<[object, string, string, string]>([
    [
      { scheduled_start_time: later(0) },
      'scheduled_start_time',
      'GUILD_SCHEDULED_EVENT_SCHEDULE_PAST',
      'Cannot schedule event in the past.',
    ],
    [
      { scheduled_end_time: later(24 * HOUR) },
      'scheduled_end_time',
      'GUILD_SCHEDULED_EVENT_END_BEFORE_START',
      'Cannot schedule an event that ends before it starts.',
    ],
    [
      { scheduled_start_time: later(26 * HOUR) },
      'scheduled_end_time',
      'GUILD_SCHEDULED_EVENT_END_BEFORE_START',
      'Cannot schedule an event that ends before it starts.',
    ],
    [{ scheduled_end_time: null }, 'scheduled_end_time', 'BASE_TYPE_REQUIRED', 'This field is required'],
    [{ channel_id: ids.lounge }, 'channel_id', 'GUILD_SCHEDULED_EVENT_CHANNEL', 'Must be null.'],
    [{ entity_type: 2 }, 'channel_id', 'BASE_TYPE_REQUIRED', 'This field is required'],
    [
      { entity_type: 1, channel_id: ids.lounge },
      'channel_id',
      'GUILD_SCHEDULED_EVENT_CHANNEL_TYPE',
      'The type of the channel does not fit the event.',
    ],
    [
      { entity_type: 2, channel_id: ids.general },
      'channel_id',
      'GUILD_SCHEDULED_EVENT_CHANNEL_TYPE',
      'The type of the channel does not fit the event.',
    ],
    [
      { recurrence_rule: { ...DAILY, interval: 3 } },
      'recurrence_rule',
      'RECURRENCE_RULE_INVALID',
      'The platform does not support this rule.',
    ],
    [
      { status: 3 },
      'status',
      'GUILD_SCHEDULED_EVENT_STATUS_TRANSITION_INVALID',
      'An event cannot change from status 1 to 3.',
    ],
  ])('to %j is refused at %s', async (json, field, code, message) => {
    const { plan, refused } = await planning();
    const { id } = await plan();
    const { status, body } = await refused(`PATCH /scheduled-events/${id}`, { json });
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 50035, [field]]);
    expect(body.errors[field]._errors).toEqual([{ code, message }]);
  });

  it.each(['end', 'count', 'by_year_day'])('to a rule with %s is refused at that field', async (key) => {
    const { plan, refused } = await planning();
    const { id } = await plan();
    const value = key === 'end' ? later(99 * HOUR) : key === 'count' ? 5 : [1];
    const { body } = await refused(`PATCH /scheduled-events/${id}`, {
      json: { recurrence_rule: { ...DAILY, [key]: value } },
    });
    expect(body.errors.recurrence_rule[key]._errors).toEqual([
      { code: 'RECURRENCE_RULE_INVALID', message: 'This cannot be set.' },
    ]);
  });

  it('is refused once it is over, and to a channel of another guild', async () => {
    const { plan, change, refused } = await planning();
    const { id } = await plan();
    const elsewhere = { entity_type: 2, channel_id: ids.quay };
    expect((await refused(`PATCH /scheduled-events/${id}`, { json: elsewhere })).body.code).toBe(10003);
    await change(id, { status: 4 });
    for (const what of [`PATCH /scheduled-events/${id}`, `POST /scheduled-events/${id}/exceptions`]) {
      const json = what.startsWith('POST')
        ? { original_scheduled_start_time: later(48 * HOUR), is_canceled: true }
        : {};
      expect((await refused(what, { json })).body.code).toBe(180000);
    }
  });
});

describe('an exception of a recurring event', () => {
  const original = later(48 * HOUR);
  async function recurring() {
    const platform = await planning();
    const { id } = await platform.plan({ recurrence_rule: DAILY });
    const path = `/scheduled-events/${id}/exceptions`;
    return {
      ...platform,
      id,
      path,
      except: (json: object) =>
        platform.done(`POST ${path}`, { original_scheduled_start_time: original, ...json }),
    };
  }

  it('has what it was made with, and keeps what a change leaves out', async () => {
    const { except, done, path, id, audited } = await recurring();
    const made = await except({ scheduled_start_time: later(49 * HOUR) });
    expect(made).toEqual({
      event_id: id,
      event_exception_id: expect.stringMatching(/^\d+$/),
      scheduled_start_time: shown(49 * HOUR),
      scheduled_end_time: null,
      is_canceled: false,
    });
    expect(audited()).toMatchObject({
      action_type: 200,
      target: id,
      options: [{ key: 'event_exception_id', value: made.event_exception_id }],
    });
    const one = `${path}/${made.event_exception_id}`;
    const changed = await done(`PATCH ${one}`, { scheduled_end_time: later(50 * HOUR) });
    expect(changed).toEqual({ ...made, scheduled_end_time: shown(50 * HOUR) });
    expect(await done(`PATCH ${one}`, { is_canceled: true })).toEqual({ ...changed, is_canceled: true });
    expect(await done(`PATCH ${one}`, { is_canceled: null })).toEqual({ ...changed, is_canceled: true });
    expect(await done(`PATCH ${one}`, { scheduled_start_time: null })).toEqual({
      ...changed,
      is_canceled: true,
      scheduled_start_time: null,
    });
    expect(audited()).toMatchObject({ action_type: 201 });
    await done(`DELETE ${one}`);
    expect(audited()).toMatchObject({
      action_type: 202,
      options: [{ key: 'event_exception_id', value: made.event_exception_id }],
    });
  });

  it.each<[object, string, string]>([
    [{ scheduled_end_time: original }, 'scheduled_end_time', 'GUILD_SCHEDULED_EVENT_END_BEFORE_START'],
    [
      { scheduled_start_time: later(50 * HOUR), scheduled_end_time: later(49 * HOUR) },
      'scheduled_end_time',
      'GUILD_SCHEDULED_EVENT_END_BEFORE_START',
    ],
    [
      { original_scheduled_start_time: later(49 * HOUR), is_canceled: true },
      'original_scheduled_start_time',
      'GUILD_SCHEDULED_EVENT_EXCEPTION_TIME_INVALID',
    ],
    [
      { original_scheduled_start_time: later(0), is_canceled: true },
      'original_scheduled_start_time',
      'GUILD_SCHEDULED_EVENT_EXCEPTION_TIME_INVALID',
    ],
  ])('is refused with %j', async (json, field, code) => {
    const { refused, path } = await recurring();
    const { body } = await refused(`POST ${path}`, {
      json: { original_scheduled_start_time: original, ...json },
    });
    expect(body.errors[field]._errors).toEqual([{ code, message: expect.stringMatching(/\w/) }]);
  });

  it('is refused twice, without a change, and for an event that does not recur', async () => {
    const { except, refused, path, plan } = await recurring();
    const canceled = { original_scheduled_start_time: original, is_canceled: true };
    expect(
      (
        await refused(`POST ${path}`, {
          json: { original_scheduled_start_time: original, is_canceled: null },
        })
      ).body.code,
    ).toBe(180005);
    await except({ is_canceled: true });
    expect(
      (await refused(`POST ${path}`, { json: canceled })).body.errors.original_scheduled_start_time._errors[0]
        .message,
    ).toBe('The time is no future occurrence of the event, or has an exception already.');
    const other = await plan();
    expect(
      (await refused(`POST /scheduled-events/${other.id}/exceptions`, { json: canceled })).body.code,
    ).toBe(50035);
    for (const method of ['PATCH', 'DELETE']) {
      expect((await refused(`${method} ${path}/5`, { json: {} })).body.code).toBe(10070);
    }
  });
});

describe('the next time of a recurring event', () => {
  it.each<[string, object | undefined, string, string]>([
    ['follows its rule', undefined, later(48 * HOUR), later(50 * HOUR)],
    [
      'is moved by its exception, with its length',
      { scheduled_start_time: later(49 * HOUR) },
      later(49 * HOUR),
      later(51 * HOUR),
    ],
    [
      'ends as its exception says',
      { scheduled_end_time: later(53 * HOUR) },
      later(48 * HOUR),
      later(53 * HOUR),
    ],
    ['is not a cancelled one', { is_canceled: true }, later(72 * HOUR), later(74 * HOUR)],
  ])('%s', async (_, exception, start, end) => {
    const { plan, done, emulator } = await planning();
    const { id } = await plan({ recurrence_rule: DAILY });
    if (exception !== undefined)
      await done(`POST /scheduled-events/${id}/exceptions`, {
        original_scheduled_start_time: later(48 * HOUR),
        ...exception,
      });
    const event = () => emulator.tables.scheduled_events.get(id);
    emulator.clock.advance(24 * HOUR);
    expect(event()?.status).toBe(2);
    emulator.clock.advance(2 * HOUR - 1);
    expect(event()?.status).toBe(2);
    emulator.clock.advance(1);
    expect(event()).toMatchObject({ status: 1, start, end });
    // After a moved time, its rule goes on from the original one.
    emulator.clock.set(Date.parse(end));
    expect(event()).toMatchObject({
      status: 1,
      start: start < later(72 * HOUR) ? later(72 * HOUR) : later(96 * HOUR),
    });
  });
});

describe('users who are interested in an event', () => {
  it('are shown in pages, with their member only on request', async () => {
    const { plan, done, emulator } = await planning();
    const { id } = await plan();
    const users = [ids.river, ids.heron, ids.otter];
    for (const user of users) emulator.scheduledEvents.setInterest(id, user, true);
    const list = async (query: string) =>
      (await done(`GET /scheduled-events/${id}/users?${query}`)).map(
        ({ user_id }: { user_id: string }) => user_id,
      );
    expect(await list('')).toEqual(users);
    expect(await list('limit=1')).toEqual(users.slice(0, 1));
    expect(await list(`after=${ids.river}`)).toEqual(users.slice(1));
    expect(await list(`before=${ids.otter}`)).toEqual(users.slice(0, 2));
    expect(await list(`before=${ids.otter}&limit=1`)).toEqual([ids.heron]);
    expect(await list(`before=${ids.otter}&after=${ids.heron}`)).toEqual(users.slice(0, 2));
    const [first] = await done(`GET /scheduled-events/${id}/users?limit=1`);
    expect(first).toEqual({
      guild_scheduled_event_id: id,
      user_id: ids.river,
      user: expect.objectContaining({ id: ids.river }),
      response: 1,
    });
    const [withMember] = await done(`GET /scheduled-events/${id}/users?limit=1&with_member=true`);
    expect(withMember.member).toMatchObject({ user: { id: ids.river } });
    expect((await done(`GET /scheduled-events?with_user_count=true`))[0].user_count).toBe(3);
    expect((await done('GET /scheduled-events'))[0]).not.toHaveProperty('user_count');
  });

  it('are members of its guild who are no bots, while it is not over', async () => {
    const { plan, change, emulator } = await planning();
    const { id } = await plan();
    const set = (event: string, user: string, exception?: string) => () =>
      emulator.scheduledEvents.setInterest(event, user, true, exception);
    expect(set('5', ids.otter)).toThrow('there is no such event');
    expect(set(id, APP)).toThrow('is a bot');
    expect(set(id, ids.otter, '5')).toThrow('the event has no such exception');
    set(id, ids.otter)();
    await emulator.apply({ guilds: [{ id: ids.riverBank, departed: [{ user: 'otter' }] }] });
    expect(set(id, ids.otter)).toThrow('is not in the guild of the event');
    await change(id, { status: 4 });
    expect(set(id, ids.river)).toThrow('it is over');
  });
});

it('events about scheduled events go to bots with their intent that can see the channel', async () => {
  const { plan, change, emulator, done, guild } = await planning();
  const all = await listen(emulator);
  const none = await listen(emulator, { intents: 1 });
  const person = await listen(emulator, { kind: 'bearer', user: ids.otter } as never);
  const told = () =>
    all()
      .map(({ event }) => event)
      .filter((event) => event !== 'GUILD_AUDIT_LOG_ENTRY_CREATE');
  const { id } = await plan({ recurrence_rule: DAILY });
  expect(told()).toEqual(['GUILD_SCHEDULED_EVENT_CREATE']);
  const { event_exception_id: exception } = await done(`POST /scheduled-events/${id}/exceptions`, {
    original_scheduled_start_time: later(48 * HOUR),
    is_canceled: true,
  });
  expect(told()).toEqual(['GUILD_SCHEDULED_EVENT_UPDATE']);
  await done(`PATCH /scheduled-events/${id}/exceptions/${exception}`, { is_canceled: false });
  expect(told()).toEqual(['GUILD_SCHEDULED_EVENT_UPDATE']);
  emulator.scheduledEvents.setInterest(id, ids.otter, true, exception);
  expect(all()).toMatchObject([
    {
      event: 'GUILD_SCHEDULED_EVENT_USER_ADD',
      data: {
        guild_scheduled_event_id: id,
        guild_scheduled_event_exception_id: exception,
        user_id: ids.otter,
        guild_id: ids.riverBank,
      },
    },
  ]);
  emulator.scheduledEvents.setInterest(id, ids.otter, false, exception);
  emulator.scheduledEvents.setInterest(id, ids.otter, true);
  const heard = all();
  expect(heard.map(({ event }) => event)).toEqual([
    'GUILD_SCHEDULED_EVENT_USER_REMOVE',
    'GUILD_SCHEDULED_EVENT_USER_ADD',
  ]);
  expect(heard[1]?.data).toEqual({
    guild_scheduled_event_id: id,
    user_id: ids.otter,
    guild_id: ids.riverBank,
  });
  await done(`DELETE /scheduled-events/${id}/exceptions/${exception}`);
  expect(told()).toEqual(['GUILD_SCHEDULED_EVENT_UPDATE']);
  await change(id, { name: 'x' });
  expect(told()).toEqual(['GUILD_SCHEDULED_EVENT_UPDATE']);
  await done(`DELETE /scheduled-events/${id}`);
  expect(told()).toEqual(['GUILD_SCHEDULED_EVENT_DELETE']);
  await guild({ owner: 'heron', channels: [{ id: ids.lounge, deny: [APP] }] });
  told();
  await guild({
    scheduled_events: [{ id: '991', name: 'x', type: 'voice', channel: ids.lounge, start: later(HOUR) }],
  });
  await guild({ scheduled_events: [{ id: '991', name: 'y' }] });
  expect(told()).toEqual([]);
  expect([none(), person()].flat().filter(({ event }) => event.startsWith('GUILD_SCHEDULED'))).toEqual([]);
});
