import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { listeningBot } from '../../../helpers/gateway-listener.ts';
import { APP } from '../../../helpers/platform.ts';

const [NEWS, FORUM, VOICE] = ['910', '911', ids.lounge];
const OTHER = ids.lighthouse;

async function changing() {
  const platform = await listeningBot();
  await platform.guild({
    channels: [
      { id: NEWS, name: 'news', type: 'announcement' },
      { id: FORUM, name: 'reports', type: 'forum' },
    ],
  });
  platform.heard();
  const told = () =>
    platform.heard().flatMap(({ event, data }) => (event === 'WEBHOOKS_UPDATE' ? [data.channel_id] : []));
  /** The entries of the audit log, oldest first. */
  const audited = async () => {
    const { audit_log_entries: all } = await platform.done(`GET /guilds/${ids.riverBank}/audit-logs`);
    return all.map(({ id: _id, options: _options, ...entry }: Record<string, unknown>) => entry).reverse();
  };
  return { ...platform, told, audited };
}

describe('a change of a webhook', () => {
  it('is told for its channel, and written down with what changed', async () => {
    const { done, call, told, audited, guild } = await changing();
    const hook = await done(`POST /channels/${ids.general}/webhooks`, { name: 'Tide' });
    expect(told()).toEqual([ids.general]);
    await done(`PATCH /webhooks/${hook.id}`, { name: 'Ebb' });
    expect(told()).toEqual([ids.general]);
    await done(`PATCH /webhooks/${hook.id}`, { channel_id: NEWS });
    expect(told()).toEqual([ids.general, NEWS]);
    const byToken = `/webhooks/${hook.id}/${hook.token}`;
    await call(`PATCH ${byToken}`, {
      json: { name: 'Flood', avatar: null },
      headers: { 'x-audit-log-reason': 'tides' },
    });
    expect(told()).toEqual([NEWS]);
    await done(`DELETE /webhooks/${hook.id}`);
    expect(told()).toEqual([NEWS]);
    const change = (key: string, old_value: unknown, new_value: unknown) => ({
      key,
      ...(old_value === undefined ? {} : { old_value }),
      ...(new_value === undefined ? {} : { new_value }),
    });
    const entry = (action_type: number, user_id: string | null, ...changes: object[]) => ({
      action_type,
      user_id,
      target_id: hook.id,
      changes,
    });
    expect(await audited()).toEqual([
      entry(
        50,
        APP,
        change('type', undefined, 1),
        change('name', undefined, 'Tide'),
        change('channel_id', undefined, ids.general),
        change('application_id', undefined, APP),
      ),
      entry(51, APP, change('name', 'Tide', 'Ebb')),
      entry(51, APP, change('channel_id', ids.general, NEWS)),
      { ...entry(51, null, change('name', 'Ebb', 'Flood')), reason: 'tides' },
      entry(
        52,
        APP,
        change('type', 1, undefined),
        change('name', 'Flood', undefined),
        change('channel_id', NEWS, undefined),
        change('application_id', APP, undefined),
      ),
    ]);
    // One that goes with its channel goes without a word.
    await done(`POST /channels/${NEWS}/webhooks`, { name: 'Tide' });
    told();
    await guild({ channels: [{ id: NEWS, remove: true }] });
    expect(told()).toEqual([]);
  });
});

describe('a webhook', () => {
  it('is listed for its channel and its guild, and by the token of its application', async () => {
    const { done, apply } = await changing();
    const hook = (id: string, channel: string, application: string | null) => ({
      id,
      channel,
      name: `Hook ${id}`,
      token: `t${id}`,
      ...(application === null ? {} : { application }),
    });
    await apply({
      channel_webhooks: [
        hook('901', ids.arrivals, APP),
        hook('902', NEWS, OTHER),
        hook('903', ids.general, null),
        hook('904', ids.general, APP),
        hook('905', FORUM, APP),
      ],
    });
    const list = async (path: string) =>
      (await done(`GET ${path}`)).map(({ id, token }: { id: string; token?: string }) => [id, token]);
    expect(await list(`/channels/${ids.general}/webhooks`)).toEqual([
      ['903', 't903'],
      ['904', 't904'],
    ]);
    expect(await list(`/channels/${NEWS}/webhooks`)).toEqual([['902', undefined]]);
    expect((await list(`/guilds/${ids.riverBank}/webhooks`)).sort()).toEqual([
      ['902', undefined],
      ['903', 't903'],
      ['904', 't904'],
      ['905', 't905'],
    ]);
  });

  it('that its application owns may be read by it anywhere, and is changed by those who manage it', async () => {
    const { ask, apply } = await changing();
    await apply({
      channel_webhooks: [
        { id: '901', channel: ids.arrivals, name: 'Own', token: 'x', application: APP },
        { id: '902', channel: ids.arrivals, name: 'Other', token: 'x', application: OTHER },
      ],
    });
    const outcome = async (what: string, json?: unknown) => {
      const { status, body } = await ask(what, json);
      return [status, body.code ?? body.name];
    };
    expect(await outcome('GET /webhooks/901')).toEqual([200, 'Own']);
    expect(await outcome('GET /webhooks/902')).toEqual([403, 50001]);
    for (const id of ['901', '902']) {
      expect(await outcome(`PATCH /webhooks/${id}`, { name: 'x' })).toEqual([403, 50001]);
      expect(await outcome(`DELETE /webhooks/${id}`)).toEqual([403, 50001]);
    }
  });

  it('is one of 15 in a channel and 1,000 in a guild', async () => {
    const { ask, apply, guild } = await changing();
    const channels = Array.from({ length: 67 }, (_, at) => ({
      id: `${2000 + at}`,
      name: `c${at}`,
      type: 'text',
    }));
    await guild({ channels });
    const hooks = (from: number, to: number) =>
      apply({
        channel_webhooks: Array.from({ length: to - from }, (_, at) => ({
          id: `${5000 + from + at}`,
          channel: `${2000 + Math.floor((from + at) / 15)}`,
          name: 'Hook',
          token: 'x',
        })),
      });
    const outcome = async (what: string, json: object) => {
      const { status, body } = await ask(what, json);
      return status === 200 ? 200 : [status, body.code, body.message];
    };
    const make = (channel: string) => outcome(`POST /channels/${channel}/webhooks`, { name: 'x' });
    const move = (channel: string) => outcome('PATCH /webhooks/999', { channel_id: channel });
    await apply({ channel_webhooks: [{ id: '999', channel: FORUM, name: 'Moving', token: 'x' }] });
    await hooks(0, 14);
    expect([await move('2000'), await move(FORUM), await make('2000')]).toEqual([200, 200, 200]);
    const full = [400, 30007, 'Maximum number of webhooks reached (15)'];
    expect([await make('2000'), await move('2000')]).toEqual([full, full]);
    // With those two, 999 in all.
    await hooks(15, 998);
    expect(await make('2066')).toBe(200);
    const fullGuild = [400, 30058, 'Maximum number of webhooks per guild reached (1000)'];
    expect([await make('2066'), await move('2066')]).toEqual([fullGuild, fullGuild]);
  });

  it.each([
    ['x'.repeat(80), 200],
    ['x'.repeat(81), 400],
    ['', 400],
    ['A cLyDe', 400],
    ['Discordance', 400],
  ])('may have the name %j: %i', async (name, status) => {
    const { ask } = await changing();
    const answer = await ask(`POST /channels/${ids.general}/webhooks`, { name });
    expect(answer.status).toBe(status);
    const word = ['clyde', 'discord'].find((one) => name.toLowerCase().includes(one));
    if (word === undefined) return;
    expect(answer.body.errors.name._errors).toEqual([
      { code: 'USERNAME_INVALID_CONTAINS', message: `Username cannot contain "${word}"` },
    ]);
  });

  it('follows an announcement channel into another that holds messages', async () => {
    const { ask, done, apply, heard } = await changing();
    await apply({ guilds: [{ id: ids.riverBank, name: 'B'.repeat(78) }] });
    heard();
    const follow = async (from: string, to: string) => {
      const { status, body } = await ask(`POST /channels/${from}/followers`, { webhook_channel_id: to });
      return [status, body.code];
    };
    expect(await follow(ids.general, NEWS)).toEqual([400, 50024]);
    expect(await follow(NEWS, FORUM)).toEqual([400, 50024]);
    expect(await follow(NEWS, VOICE)).toEqual([400, 50024]);
    expect(await follow(NEWS, '1')).toEqual([404, 10003]);
    expect(await follow('1', NEWS)).toEqual([404, 10003]);
    const name = `${'B'.repeat(78)} #`;
    const { body } = await ask(`POST /channels/${NEWS}/followers`, { webhook_channel_id: ids.general });
    expect(body).toEqual({ channel_id: NEWS, webhook_id: expect.stringMatching(/^\d+$/) });
    expect(await done(`GET /webhooks/${body.webhook_id}`)).toMatchObject({
      type: 2,
      name,
      channel_id: ids.general,
      application_id: null,
      source_channel: { id: NEWS, name: 'news' },
      user: { id: APP },
    });
    const [notice] = await done(`GET /channels/${ids.general}/messages?limit=1`);
    expect(notice).toMatchObject({
      type: 12,
      content: name,
      author: { id: APP },
      message_reference: { channel_id: NEWS, guild_id: ids.riverBank },
    });
  });
});
