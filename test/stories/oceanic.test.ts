// Oceanic writes its requests in its own way: other headers, other forms, its own reading of every answer.
import { ChannelTypes, Client, MessageReferenceType } from 'oceanic.js';
import { expect, it } from 'vitest';
import { botStory, GENERAL, GUILD, OTTER, PNG, RIVER } from './bot-world.ts';
import { botToken } from './story.ts';

it('Oceanic makes channels, roles and invites with targets, posts files, pins, forwards, searches and prunes [W-1, O-21, P-1, P-2, P-11, P-12, P-14, P-19]', async () => {
  const { api } = await botStory();
  const client = new Client({ auth: `Bot ${botToken()}`, rest: { baseURL: `${api}/v10` } });
  // Asks for the bot and its application, which the gateway would tell.
  await client.restMode();
  const { rest } = client;

  const guild = await rest.guilds.get(GUILD, true);
  expect([guild.name, guild.approximateMemberCount]).toEqual(['River Bank', expect.any(Number)]);
  const crew = await rest.guilds.createRole(GUILD, {
    name: 'crew',
    permissions: '32768',
    reason: 'the season begins',
  });
  await rest.guilds.addMemberRole(GUILD, OTTER, crew.id);
  expect((await rest.guilds.getMember(GUILD, OTTER)).roles).toEqual([crew.id]);
  expect(await rest.guilds.getMembers(GUILD, { limit: 10 })).not.toHaveLength(0);

  const deck = await rest.guilds.createChannel(GUILD, ChannelTypes.GUILD_TEXT, {
    name: 'deck',
    topic: 'On deck',
  });
  expect([deck.name, deck.topic]).toEqual(['deck', 'On deck']);
  await rest.channels.editPermission(deck.id, crew.id, { type: 0, allow: 1024n });

  const invite = await rest.channels.createInvite(deck.id, {
    maxAge: 3600,
    targetUsers: [OTTER, RIVER],
    roleIDs: [crew.id],
  });
  expect(invite.code).toMatch(/^\w+$/);
  expect(await rest.channels.getInvites(deck.id)).toHaveLength(1);

  const said = await rest.channels.createMessage(deck.id, {
    content: 'Low water',
    files: [{ name: 'tide.png', contents: PNG, index: 0 }],
    attachments: [{ id: '0', filename: 'tide.png', description: 'The tide' }],
  });
  expect(said.attachments.map(({ filename, description, size }) => [filename, description, size])).toEqual([
    ['tide.png', 'The tide', PNG.length],
  ]);
  await rest.channels.pinMessage(deck.id, said.id, 'to find it');
  const pins = await rest.channels.getPins(deck.id);
  expect(pins.map(({ message }) => message.id)).toEqual([said.id]);
  await rest.channels.createReaction(deck.id, said.id, '🌊');
  expect(await rest.channels.getReactions(deck.id, said.id, '🌊')).toHaveLength(1);
  const passed = await rest.channels.createMessage(GENERAL, {
    messageReference: { type: MessageReferenceType.FORWARD, channelID: deck.id, messageID: said.id },
  });
  expect(passed.messageSnapshots?.[0]?.message.content).toBe('Low water');
  const found = await rest.guilds.searchMessages(GUILD, { content: 'low water', channelIDs: [deck.id] });
  expect([found.totalResults, found.messages[0]?.[0]?.id]).toEqual([1, said.id]);

  const hook = await rest.webhooks.create(deck.id, { name: 'Tide table' });
  const told = await rest.webhooks.execute(hook.id, hook.token ?? '', { content: 'High water', wait: true });
  expect(told.content).toBe('High water');
  const count = await rest.guilds.getPruneCount(GUILD, { days: 1, includeRoles: [crew.id] });
  expect(await rest.guilds.beginPrune(GUILD, { days: 1, includeRoles: [crew.id] })).toBe(count);
  const { entries } = await rest.guilds.getAuditLog(GUILD);
  expect(entries.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['the season begins', 'to find it']),
  );
  await rest.channels.deleteMessage(deck.id, said.id);
  await rest.channels.delete(deck.id);
  await expect(rest.channels.get(deck.id)).rejects.toMatchObject({ code: 10003 });
});
