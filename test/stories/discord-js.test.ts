// The REST half of discord.js: its client is never logged in, and its managers call the platform all the same. What they
// cannot do so is below, each with the reason: it is discord.js that needs the gateway for it.
import {
  AttachmentBuilder,
  ChannelType,
  Client,
  type Guild,
  OverwriteType,
  PermissionFlagsBits,
  Routes,
} from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { botStory, GENERAL, GUILD, OTTER, PNG, RIVER } from './bot-world.ts';
import { botToken } from './story.ts';

function clientOf({ api }: TestEmulator): Client {
  const client = new Client({ intents: [], rest: { api, version: '10' } });
  onTestFinished(() => client.destroy());
  client.rest.setToken(botToken());
  return client;
}

/** The guild with what managers look up in it: whatever the gateway would have told at the start. */
async function guildOf(client: Client): Promise<Guild> {
  const guild = await client.guilds.fetch(GUILD);
  await guild.roles.fetch();
  await guild.channels.fetch();
  return guild;
}

describe('discord.js without the gateway', () => {
  it('makes channels, roles and invites with targets, posts files, pins, forwards and prunes [W-1, O-21, P-3, P-5, P-11, P-14, P-19]', async () => {
    const client = clientOf(await botStory());
    const guild = await guildOf(client);
    expect([guild.name, guild.channels.cache.has(GENERAL)]).toEqual(['River Bank', true]);

    expect((await guild.setIcon(PNG)).icon).toMatch(/^[0-9a-f]{32}$/);
    const crew = await guild.roles.create({
      name: 'crew',
      colors: { primaryColor: 0x1a2b3c },
      permissions: [PermissionFlagsBits.AttachFiles],
      reason: 'the season begins',
    });
    expect([crew.hexColor, crew.permissions.has('AttachFiles')]).toEqual(['#1a2b3c', true]);
    const otter = await guild.members.fetch(OTTER);
    await otter.roles.add(crew);
    await client.rest.patch(Routes.guildMember(GUILD, OTTER), {
      body: { nick: 'Lontra' },
      reason: 'so they are called',
    });
    const again = await guild.members.fetch({ user: OTTER, force: true });
    expect([again.nickname, again.roles.cache.has(crew.id)]).toEqual(['Lontra', true]);

    const tides = await guild.channels.create({ name: 'Tides', type: ChannelType.GuildCategory });
    const deck = await guild.channels.create({
      name: 'deck',
      type: ChannelType.GuildText,
      parent: tides.id,
      permissionOverwrites: [
        { id: guild.roles.everyone, type: OverwriteType.Role, deny: ['ViewChannel'] },
        { id: crew, type: OverwriteType.Role, allow: ['ViewChannel'] },
      ],
    });
    expect(deck.permissionOverwrites.cache.size).toBe(2);
    await deck.setTopic('What is on deck');
    expect((await deck.fetch(true)).topic).toBe('What is on deck');
    const forum = await guild.channels.create({
      name: 'log',
      type: ChannelType.GuildForum,
      availableTags: [{ name: 'storm', moderated: false, emoji: null }],
    });
    const post = await forum.threads.create({
      name: 'Gale',
      message: { content: 'Nine knots' },
      appliedTags: forum.availableTags.map(({ id }) => id),
    });
    expect([post.name, post.appliedTags.length, post.parentId]).toEqual(['Gale', 1, forum.id]);

    const invite = await guild.invites.create(deck, {
      maxAge: 3600,
      roles: [crew],
      targetUsersFile: [OTTER, RIVER],
    });
    await expect
      .poll(async () => (await guild.invites.fetchTargetUsersJobStatus(invite.code)).processedUsers)
      .toBe(2);
    expect(String(await guild.invites.fetchTargetUsers(invite.code))).toContain(OTTER);
    expect((await guild.invites.fetch({ cache: false })).has(invite.code)).toBe(true);

    const file = new AttachmentBuilder(PNG, { name: 'tide.png', description: 'The tide' });
    const said = await deck.send({ content: `Low water, <@${RIVER}>`, files: [file] });
    const [attachment] = said.attachments.values();
    expect([attachment?.name, attachment?.description, attachment?.size]).toEqual([
      'tide.png',
      'The tide',
      PNG.length,
    ]);
    expect(said.mentions.users.has(RIVER)).toBe(true);
    const reply = await said.reply('Aye');
    expect((await reply.fetchReference()).id).toBe(said.id);
    await said.pin('to find it');
    expect((await deck.messages.fetchPins()).items.map(({ message }) => message.id)).toEqual([said.id]);
    const passed = await said.forward(GENERAL);
    expect(passed.messageSnapshots.first()?.content).toBe(said.content);
    await passed.react('🌊');
    // A message with reactions is read by what READY says of the bot.
    expect(await client.rest.get(Routes.channelMessage(GENERAL, passed.id))).toMatchObject({
      reactions: [{ emoji: { name: '🌊' }, count: 1, me: true }],
    });
    const thread = await said.startThread({ name: 'Low water' });
    await thread.members.add(OTTER);
    expect((await thread.members.fetch()).has(OTTER)).toBe(true);

    const hook = await deck.createWebhook({ name: 'Tide table' });
    const told = await hook.send({ content: 'High water', username: 'The sea' });
    expect([told.author.username, told.webhookId]).toEqual(['The sea', hook.id]);
    const emoji = await guild.emojis.create({ attachment: PNG, name: 'wave' });
    expect((await guild.emojis.fetch()).get(emoji.id)?.name).toBe('wave');
    await guild.bans.create(RIVER, { reason: 'adrift' });
    expect((await guild.bans.fetch(RIVER)).reason).toBe('adrift');
    await guild.bans.remove(RIVER);

    const count = await guild.members.prune({ days: 1, dry: true, roles: [crew] });
    expect(await guild.members.prune({ days: 1, roles: [crew] })).toBe(count);
    const log = await guild.fetchAuditLogs();
    expect(log.entries.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['the season begins', 'so they are called', 'to find it', 'adrift']),
    );
    await deck.bulkDelete([said.id, reply.id]);
    await expect(deck.messages.fetch({ message: said.id, force: true })).rejects.toMatchObject({
      code: 10008,
    });
    await deck.delete();
    await expect(guild.channels.fetch(deck.id, { force: true })).rejects.toMatchObject({ code: 10003 });
  });

  it('fails in methods that need data from the gateway', async () => {
    const client = clientOf(await botStory());
    // Who the bot is stands in READY alone, and with it whatever asks whether something is the bot's own.
    expect([client.user, client.application]).toEqual([null, null]);
    const guild = await guildOf(client);
    expect(() => guild.members.me).toThrow(TypeError);
    const otter = await guild.members.fetch(OTTER);
    expect(() => otter.setNickname('Lontra')).toThrow(TypeError);
    await expect(guild.members.edit(otter, { nick: 'Lontra' })).rejects.toThrow(TypeError);
    const general = await guild.channels.fetch(GENERAL);
    if (general?.isTextBased() !== true) throw new Error('no text channel');
    const said = await general.send('Low water');
    await expect(said.edit('High water')).rejects.toThrow(TypeError);
    await said.react('🌊');
    await expect(said.fetch(true)).rejects.toThrow(TypeError);
    // All members at once are asked for over the gateway alone; the list of HTTP is there.
    await expect(guild.members.fetch()).rejects.toThrow();
    expect((await guild.members.list({ limit: 10 })).size).toBeGreaterThan(3);
  });
});
