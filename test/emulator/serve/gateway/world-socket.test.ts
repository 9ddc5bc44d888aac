import { expect, it } from 'vitest';
import { INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import { botTokenOf } from '../../../../src/emulator/applications/bot.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient } from '../../../helpers/gateway-client.ts';
import { APP } from '../../../helpers/platform.ts';

const TOKEN = botTokenOf({ id: APP, bot_token: null });

/** A bot that may have every intent, before the day from which on channels out of view are hidden. */
async function platform() {
  const made = await botPlatform({}, ['message_content', 'guild_members', 'guild_presences']);
  made.emulator.clock.freeze();
  made.emulator.clock.set(Date.parse('2026-11-15'));
  return made;
}

it('a session hides channels by its own capabilities, and another session does not [W-2, V-4]', async () => {
  const { url, emulator, ask, only } = await platform();
  await only('MANAGE_CHANNELS', 'MANAGE_ROLES');
  const [plain, hiding] = [new GatewayClient(url), new GatewayClient(url)];
  await plain.identify(TOKEN, { intents: INTENTS.GUILDS });
  await hiding.identify(TOKEN, { intents: INTENTS.GUILDS, capabilities: 1 << 15 });
  const names = async (client: GatewayClient) => {
    const { d } = await client.event('GUILD_CREATE');
    return new Set(d.channels.map(({ name }: { name: string }) => name === '___hidden___'));
  };
  expect(await names(plain)).toEqual(new Set([false]));
  expect(await names(hiding)).toEqual(new Set([true]));
  // Whoever sees it is told by HTTP, by a patch and by the desktop alike.
  await only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'MANAGE_ROLES');
  expect((await hiding.event('CHANNEL_UPDATE')).d.name).not.toBe('___hidden___');
  await ask(`PATCH /channels/${ids.general}`, { topic: 'Boats' });
  for (const client of [plain, hiding]) {
    const { d } = await client.next(({ t, d: data }) => t === 'CHANNEL_UPDATE' && data.topic === 'Boats');
    expect(d).toMatchObject({ id: ids.general, name: 'general' });
  }
  emulator.setGuild(ids.riverBank, 'name', 'Left Bank');
  for (const client of [plain, hiding]) expect((await client.event('GUILD_UPDATE')).d.name).toBe('Left Bank');
});

it('a session receives the members of a guild that is not large, and changes of members [W-2, V-7]', async () => {
  const { url, emulator, ask } = await platform();
  const users = Array.from({ length: 60 }, (_, at) => ({ id: String(7000 + at), username: `gull${at}` }));
  await emulator.apply({ users });
  const intents = INTENTS.GUILDS | INTENTS.GUILD_MEMBERS | INTENTS.GUILD_PRESENCES;
  const told = async (large_threshold?: number) => {
    const client = new GatewayClient(url);
    await client.identify(TOKEN, { intents, ...(large_threshold === undefined ? {} : { large_threshold }) });
    const { d } = await client.event('GUILD_CREATE');
    return { client, large: d.large, members: d.members.length, count: d.member_count };
  };
  expect(await told()).toMatchObject({ large: true, members: 3, count: 64 });
  const { client, ...wide } = await told(100);
  expect(wide).toEqual({ large: false, members: 64, count: 64 });
  await emulator.apply({ users: [{ id: '7000', remove: true }] });
  expect((await client.event('GUILD_MEMBER_REMOVE')).d).toMatchObject({ user: { id: '7000' } });
  await ask(`DELETE /users/@me/guilds/${ids.riverBank}`);
  expect((await client.event('GUILD_DELETE')).d).toEqual({ id: ids.riverBank });
  await emulator.apply({ guilds: [{ id: ids.riverBank, members: [{ user: APP }] }] });
  expect((await client.event('GUILD_CREATE')).d).toMatchObject({ id: ids.riverBank, member_count: 63 });
});
