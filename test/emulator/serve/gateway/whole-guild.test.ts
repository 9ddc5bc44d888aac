import { expect, it } from 'vitest';
import { INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { APP } from '../../../helpers/platform.ts';

const [SECRET, STAGE, QUIET, SIDE, OLD] = ['880', '881', '882', '883', '884'];

it('a whole guild has what is in it that the bot sees: events, stages, voices, threads and sounds', async () => {
  const start = '2031-01-01T00:00:00Z';
  const event = (id: string, more: object) => ({ id, name: `event ${id}`, start, ...more });
  const platform = await botPlatform({
    guilds: [
      {
        id: ids.riverBank,
        channels: [
          { id: SECRET, name: 'secret', type: 'voice', deny: [APP] },
          { id: STAGE, name: 'stage', type: 'stage' },
          { id: QUIET, name: 'quiet', type: 'voice' },
          { id: SIDE, name: 'side', type: 'public_thread', parent: ids.general, owner: 'river' },
          {
            id: OLD,
            name: 'old',
            type: 'public_thread',
            parent: ids.general,
            owner: 'river',
            thread: { archived: true },
          },
        ],
        scheduled_events: [
          event('91', { type: 'voice', channel: SECRET }),
          event('92', { type: 'voice', channel: QUIET, status: 'completed' }),
          event('93', { type: 'voice', channel: QUIET, status: 'canceled' }),
          event('94', { type: 'voice', channel: QUIET }),
          event('95', { type: 'external', location: 'The quay', end: '2031-01-02T00:00:00Z' }),
        ],
      },
    ],
    soundboard_sounds: [
      { id: '76', name: 'far', guild: ids.harbour, emoji_name: '🔔' },
      { id: '77', name: 'bell', guild: ids.riverBank, emoji_name: '🔔' },
    ],
  });
  const { emulator, url, ask } = platform;
  emulator.calls.join(ids.heron, STAGE);
  const stage = await ask('POST /stage-instances', { channel_id: STAGE, topic: 'Tides' });
  expect(stage.status).toBe(200);
  const client = new GatewayClient(url);
  await client.identify(tokenOf(platform), { intents: INTENTS.GUILDS });
  const { d } = await client.event('GUILD_CREATE');
  const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  expect(idsOf(d.guild_scheduled_events)).toEqual(['94', '95']);
  expect(idsOf(d.stage_instances)).toEqual([stage.body.id]);
  expect(idsOf(d.threads)).toEqual([SIDE]);
  expect(idsOf(d.channels)).not.toContain(SIDE);
  expect(idsOf(d.channels)).toEqual(expect.arrayContaining([STAGE, QUIET, ids.general]));
  expect(d.soundboard_sounds).toMatchObject([{ sound_id: '77', name: 'bell' }]);
  expect(d.voice_states).toMatchObject([{ user_id: ids.heron, channel_id: STAGE }]);
  for (const left of ['guild_id', 'member']) expect(d.voice_states[0]).not.toHaveProperty(left);
  // Without the intent for presences it has the bot itself, and who is heard.
  const members = d.members.map(({ user }: { user: { id: string } }) => user.id);
  expect(members).toEqual([APP, ids.heron]);
  expect([d.large, d.unavailable, d.presences, d.member_count > 3]).toEqual([false, false, [], true]);
});

it('a session is resumed with a token of its own kind, grant and application alone', async () => {
  const platform = await botPlatform({ users: [{ id: ids.lighthouse, username: 'lamp', bot: true }] });
  const { url, bearer, bot } = platform;
  const scopes = ['identify', 'gateway.connect'];
  const own = tokenOf(platform);
  const other = bot(ids.lighthouse).authorization;
  const [first, second, foreign] = [
    await bearer(scopes),
    await bearer(scopes),
    await bearer(scopes, ids.lighthouse),
  ].map(({ authorization }) => authorization) as [string, string, string];
  const session = async (token: string) => {
    const client = new GatewayClient(url);
    const { d } = await client.identify(token);
    return d.session_id as string;
  };
  const sessions = { bot: await session(own), person: await session(first) };
  const outcome = async (session_id: string, token: string) => {
    const client = new GatewayClient(url);
    await client.op(10);
    client.send({ op: 6, d: { token, session_id, seq: 1 } });
    const { op, t, d } = await client.next();
    return op === 9 ? d : t;
  };
  for (const token of [first, second, foreign, other]) expect(await outcome(sessions.bot, token)).toBe(false);
  for (const token of [own, second, foreign, other])
    expect(await outcome(sessions.person, token)).toBe(false);
  expect(await outcome(sessions.bot, `Bot ${own}`)).toBe('RESUMED');
  expect(await outcome(sessions.person, first)).toBe('RESUMED');
});
