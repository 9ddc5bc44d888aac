import { ShardClient } from 'detritus-client';
import { expect } from 'vitest';
import { APP } from '../story.ts';
import { BLUE, COMMANDS, EMBED, INTENTS, NOTES, RIGHTS } from './bot-content.ts';
import { botDay } from './bot-day.ts';
import { placesFor } from './bot-parts.ts';
import type { Seen } from './bot-stage.ts';
import { playDay } from './day.ts';

const placeOf = ({ channelId, id }: Seen) => ({ channel: channelId, id });
const OLD = 'is older than this part of the platform';

playDay(botDay, {
  name: 'detritus-client',
  absent: {
    forum: OLD,
    moderation: OLD,
    autocomplete: OLD,
    modals: OLD,
    commandFiles: OLD,
    events: OLD,
  },
  start({ api, token }) {
    const client = new ShardClient(token, {
      isBot: true,
      rest: { baseUrl: `${api}/v9` },
      gateway: { intents: INTENTS },
    });
    const rest: Seen = client.rest;
    const heard: Seen[] = [];
    const faults: string[] = [];
    let resumed = 0;
    client.on('messageCreate', ({ message }: Seen) => {
      if (message.author.id !== APP && !message.webhookId) heard.push(message);
    });
    client.on('gatewayResumed', () => {
      resumed += 1;
    });
    client.on('warn', ({ error }: Seen) => {
      // It reads a list of games that no documentation has.
      if (!String(error).includes('Failed to fetch Applications')) faults.push(String(error));
    });
    client.on('interactionCreate', ({ interaction }: Seen) => {
      answer(interaction).catch((error: unknown) => faults.push(String(error)));
    });
    return {
      faults: () => faults.splice(0),
      end: () => client.kill(),
      parts: {
        async login() {
          await client.run();
          return client.user?.username ?? '';
        },
        async cache(id) {
          await expect.poll(() => client.guilds.has(id)).toBe(true);
          const { members } = await client.requestGuildMembers(id, { query: '', limit: 0 });
          const { name, channels, roles } = client.guilds.get(id) as Seen;
          return { name, channels: channels.length, roles: roles.length, members: members.length };
        },
        async reply(said, content) {
          await expect.poll(() => heard.some((message) => message.content === said)).toBe(true);
          const { id, channelId } = heard.find((message) => message.content === said);
          return placeOf(
            await rest.createMessage(channelId, { content, messageReference: { messageId: id } }),
          );
        },
        async message(channel) {
          const message = await rest.createMessage(channel, 'low');
          await message.edit({ content: 'high' });
          await message.react('🌊');
          return placeOf(message);
        },
        async direct(user, content) {
          const { id } = await rest.createDm({ recipientId: user });
          return placeOf(await rest.createMessage(id, { content }));
        },
        async purge(channel, messages) {
          await rest.bulkDeleteMessages(channel, [...messages]);
        },
        async roles(guild, user, other) {
          const { id } = await rest.createGuildRole(guild, {
            name: 'crew',
            color: BLUE,
            hoist: true,
            mentionable: true,
            permissions: String(RIGHTS.manageMessages),
          });
          await rest.addGuildMemberRole(guild, user, id);
          await rest.editGuildMember(guild, user, { roles: [id, other] });
          await rest.removeGuildMemberRole(guild, user, other);
          return id;
        },
        async channels(guild, category) {
          const { id } = await rest.createGuildChannel(guild, { name: 'deck', type: 0, parentId: category });
          await rest.editChannel(id, { topic: 'On deck', rateLimitPerUser: 5 });
          await rest.editGuildChannels(guild, [{ id, position: 0 }]);
          return id;
        },
        async overwrites(channel, role, user) {
          const [allow, deny] = [String(RIGHTS.view), String(RIGHTS.send)];
          await rest.editChannelOverwrite(channel, role, { type: 0, allow, deny });
          await rest.editChannelOverwrite(channel, user, { type: 1, allow: deny });
          await rest.deleteChannelOverwrite(channel, user);
        },
        async threads({ channel, id: message }, user) {
          const { id } = await rest.createChannelMessageThread(channel, message, { name: 'Tide' });
          await rest.addThreadMember(id, user);
          await rest.createMessage(id, 'Rising');
          await rest.editChannel(id, { archived: true });
          await rest.editChannel(id, { archived: false });
          await rest.editChannel(id, { locked: true });
          return id;
        },
        async files(channel, png) {
          const files = [
            { filename: 'tide table.png', value: Buffer.from(png, 'base64') },
            { filename: 'notes.txt', value: NOTES },
          ];
          // It describes a file of a message that is there.
          const message = await rest.createMessage(channel, { files });
          const [picture] = [...message.attachments.values()];
          const attachments = [{ id: picture.id, description: 'The tide' }];
          return placeOf(await rest.editMessage(channel, message.id, { attachments }));
        },
        async embeds(channel, png) {
          const file = { filename: 'tide.png', value: Buffer.from(png, 'base64') };
          return placeOf(await rest.createMessage(channel, { file, embeds: [EMBED] }));
        },
        async components(channel) {
          const options = placesFor('').map(({ name }) => ({ label: name, value: name }));
          const components = [
            { type: 1, components: [{ type: 2, style: 1, customId: 'sail', label: 'Sail' }] },
            { type: 1, components: [{ type: 3, customId: 'port', options }] },
          ];
          return placeOf(await rest.createMessage(channel, { content: 'Where to?', components }));
        },
        async voice(guild, user, channel) {
          await rest.editGuildMember(guild, user, { channelId: channel });
          await rest.editGuildMember(guild, user, { mute: true });
          const where = () => client.voiceStates.get(guild, user)?.channelId;
          await expect.poll(where).toBe(channel);
          return where() ?? '';
        },
        async hangUp(guild, user) {
          await rest.editGuildMember(guild, user, { channelId: null });
        },
        async commands(guild) {
          await rest.bulkOverwriteApplicationGuildCommands(APP, guild, [...COMMANDS]);
        },
        async invites(channel) {
          const { code } = await rest.createChannelInvite(channel, { maxAge: 3600, maxUses: 2 });
          const listed = [...(await rest.fetchChannelInvites(channel)).values()].map((one: Seen) => one.code);
          await rest.deleteInvite(code);
          return { code, listed };
        },
        async webhooks(channel) {
          const { id } = await rest.createWebhook(channel, { name: 'Tide table' });
          const listed = [...(await rest.fetchChannelWebhooks(channel)).values()].map((one: Seen) => one.id);
          await rest.editWebhook(id, { name: 'Tides' });
          return { id, listed };
        },
        async webhookMessages({ id, token: secret }) {
          const message = await rest.executeWebhook(id, secret, {
            wait: true,
            content: 'High water',
            username: 'Buoy',
            embeds: [{ title: 'Now' }],
            file: { filename: 'notes.txt', value: NOTES },
          });
          return placeOf(
            await rest.editWebhookTokenMessage(id, secret, message.id, { content: 'Low water' }),
          );
        },
        async pins({ channel, id }) {
          await rest.addPinnedMessage(channel, id);
          return [...(await rest.fetchPinnedMessages(channel)).values()].map((one: Seen) => one.id);
        },
        async search(guild, content) {
          const { messages } = await rest.searchGuild(guild, { content });
          return messages.flatMap(([message]: Seen) => message.id);
        },
        resume: () => Promise.resolve({ resumed, heard: heard.map(({ content }) => content) }),
      },
    };
  },
});

const MESSAGE = 4;
const UPDATE = 7;

async function answer(interaction: Seen): Promise<void> {
  const { data, user } = interaction;
  if (interaction.isFromMessageComponent) {
    if (data.customId === 'sail')
      await interaction.respond(UPDATE, { content: `${user.username} sails`, components: [] });
    else await interaction.respond(MESSAGE, { content: `To ${data.values[0]}`, flags: 64 });
  } else if (data.name === 'tide') {
    const who = data.resolved.users.get(data.options.get('who').value);
    await interaction.respond(MESSAGE, `${data.options.get('place').value} for ${who.username}`);
  }
}
