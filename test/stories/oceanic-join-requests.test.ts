// A bot of Oceanic that reviews who asks to join: it reads the events raw, because Oceanic has the routes alone.
import { Client } from 'oceanic.js';
import { expect, it, onTestFinished } from 'vitest';
import { botStory, GUILD, OTTER } from './bot-world.ts';
import { APP, botToken } from './story.ts';

it('Oceanic is told of a join request, lists it and approves it, which lets the pending member in', async () => {
  const emulator = await botStory();
  const features = [
    'MEMBER_VERIFICATION_GATE_ENABLED',
    'MEMBER_VERIFICATION_MANUAL_APPROVAL',
    'PREVIEW_ENABLED',
  ];
  const patch = { guilds: [{ id: GUILD, features, departed: [{ user: OTTER }] }] };
  await emulator.operations.call('emulator.apply', { patch });
  const client = new Client({
    auth: `Bot ${botToken()}`,
    rest: { baseURL: `${emulator.api}/v10` },
    gateway: { intents: ['GUILDS', 'GUILD_MEMBERS', 'GUILD_MODERATION'] },
  });
  onTestFinished(() => client.disconnect(false));
  const told: unknown[] = [];
  client.on('packet', ({ t, d }: { readonly t: string | null; readonly d: unknown }) => {
    if (/^GUILD_(?:JOIN_REQUEST|MEMBER)_/.test(t ?? '')) told.push([t, d]);
  });
  const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()));
  await client.connect();
  await ready;

  const args = { guild: GUILD, user: OTTER, answers: ['Why?=Fish'] };
  const { id } = await emulator.operations.call('guild.ask-to-join', args);
  await expect.poll(() => told).toHaveLength(2);
  const { guildJoinRequests, total } = await client.rest.guilds.getJoinRequests(GUILD, {
    status: 'SUBMITTED',
  });
  const [request] = guildJoinRequests;
  expect([total, request?.id, request?.userID]).toEqual([1, id, OTTER]);
  await client.rest.guilds.actionJoinRequest(GUILD, id, { action: 'APPROVED' });
  await expect.poll(() => told).toHaveLength(4);
  const about = (status: string) => ({
    guild_id: GUILD,
    status,
    request: { id, application_status: status },
  });
  expect(told).toMatchObject([
    ['GUILD_MEMBER_ADD', { user: { id: OTTER }, pending: true }],
    ['GUILD_JOIN_REQUEST_CREATE', about('SUBMITTED')],
    ['GUILD_MEMBER_UPDATE', { user: { id: OTTER }, pending: false }],
    ['GUILD_JOIN_REQUEST_UPDATE', { ...about('APPROVED'), request: { actioned_by_user: { id: APP } } }],
  ]);
});
