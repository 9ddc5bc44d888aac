import * as Oceanic from 'oceanic.js';
import { expect } from 'vitest';
import { APP } from '../story.ts';
import { BLUE, CHART, COMMANDS, EMBED, NOTES, REASON, RIGHTS, tomorrow } from './bot-content.ts';
import { botDay } from './bot-day.ts';
import { listens, placesFor } from './bot-parts.ts';
import type { Seen } from './bot-stage.ts';
import { playDay } from './day.ts';

const placeOf = ({ channelID, id }: Seen) => ({ channel: channelID, id });

playDay(botDay, {
  name: 'oceanic.js',
  absent: {},
  start({ api, token }) {
    const client = new Oceanic.Client({
      auth: `Bot ${token}`,
      rest: { baseURL: `${api}/v10` },
      gateway: {
        intents: ['GUILDS', 'GUILD_MEMBERS', 'GUILD_MESSAGES', 'GUILD_VOICE_STATES', 'MESSAGE_CONTENT'],
      },
    });
    const { rest } = client;
    const heard: Oceanic.Message[] = [];
    const faults: string[] = [];
    const complain = (fault: unknown) => {
      if (!String(fault).includes('1006')) faults.push(String(fault));
    };
    let resumed = 0;
    client.on('messageCreate', (message) => {
      if (message.author.id !== APP && message.webhookID === undefined) heard.push(message);
    });
    client.on('shardResume', () => {
      resumed += 1;
    });
    client.on('error', complain);
    client.on('warn', complain);
    client.on('interactionCreate', (interaction) => {
      answer(interaction).catch(complain);
    });
    const guildOf = (id: string) => client.guilds.get(id) ?? missing(id);
    return {
      faults: () => faults.splice(0),
      end: () => client.disconnect(false),
      parts: {
        async login() {
          const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()));
          await client.connect();
          await ready;
          return client.user.username;
        },
        async cache(id) {
          const guild = guildOf(id);
          await guild.fetchMembers();
          const { name, channels, roles, members } = guild;
          return { name, channels: channels.size, roles: roles.size, members: members.size };
        },
        async reply(said, content) {
          await expect.poll(() => heard.some((message) => message.content === said)).toBe(true);
          const message = heard.find(({ content: text }) => text === said);
          const messageReference = { messageID: message?.id ?? '' };
          return placeOf(
            await rest.channels.createMessage(message?.channelID ?? '', { content, messageReference }),
          );
        },
        async message(channel) {
          const message = await rest.channels.createMessage(channel, { content: 'low' });
          await message.edit({ content: 'high' });
          await message.createReaction('🌊');
          return placeOf(message);
        },
        async direct(user, content) {
          return placeOf(await (await rest.channels.createDM(user)).createMessage({ content }));
        },
        async purge(channel, messages) {
          await rest.channels.deleteMessages(channel, [...messages]);
        },
        async roles(guild, user, other) {
          const crew = await rest.guilds.createRole(guild, {
            name: 'crew',
            color: BLUE,
            hoist: true,
            mentionable: true,
            permissions: String(RIGHTS.manageMessages),
          });
          await rest.guilds.addMemberRole(guild, user, crew.id);
          await rest.guilds.editMember(guild, user, { roles: [crew.id, other] });
          await rest.guilds.removeMemberRole(guild, user, other);
          return crew.id;
        },
        async channels(guild, category) {
          const made = { name: 'deck', parentID: category };
          const { id } = await rest.guilds.createChannel(guild, Oceanic.ChannelTypes.GUILD_TEXT, made);
          await rest.channels.edit(id, { topic: 'On deck', rateLimitPerUser: 5 });
          await rest.guilds.editChannelPositions(guild, [{ id, position: 0 }]);
          return id;
        },
        async overwrites(channel, role, user) {
          const { view, send } = RIGHTS;
          await rest.channels.editPermission(channel, role, { type: 0, allow: view, deny: send });
          await rest.channels.editPermission(channel, user, { type: 1, allow: send });
          await rest.channels.deletePermission(channel, user);
        },
        async threads({ channel, id: message }, user) {
          const thread = await rest.channels.startThreadFromMessage(channel, message, { name: 'Tide' });
          await rest.channels.addThreadMember(thread.id, user);
          await rest.channels.createMessage(thread.id, { content: 'Rising' });
          await rest.channels.edit(thread.id, { archived: true });
          await rest.channels.edit(thread.id, { archived: false });
          await rest.channels.edit(thread.id, { locked: true });
          return thread.id;
        },
        async forum(guild) {
          const availableTags = [{ name: 'High' }, { name: 'Low' }];
          const made = { name: 'logs', availableTags };
          const forum: Seen = await rest.guilds.createChannel(
            guild,
            Oceanic.ChannelTypes.GUILD_FORUM,
            made as never,
          );
          const post = await rest.channels.startThreadInThreadOnlyChannel(forum.id, {
            name: 'Monday',
            appliedTags: [forum.availableTags[1].id],
            message: { content: 'All well' },
          });
          return { forum: forum.id, post: post.id };
        },
        async files(channel, png) {
          const message = await rest.channels.createMessage(channel, {
            attachments: [{ id: '0', description: 'The tide' }, { id: '1' }],
            files: [
              { name: 'tide table.png', contents: Buffer.from(png, 'base64'), index: 0 },
              { name: 'notes.txt', contents: NOTES, index: 1 },
            ],
          });
          const [kept] = message.attachments.map(({ id }) => ({ id }));
          return placeOf(await message.edit({ attachments: kept === undefined ? [] : [kept] }));
        },
        async embeds(channel, png) {
          const files = [{ name: 'tide.png', contents: Buffer.from(png, 'base64') }];
          return placeOf(await rest.channels.createMessage(channel, { embeds: [EMBED as never], files }));
        },
        async components(channel) {
          const options = placesFor('').map(({ name }) => ({ label: name, value: name }));
          const message = await rest.channels.createMessage(channel, {
            content: 'Where to?',
            components: [
              { type: 1, components: [{ type: 2, style: 1, customID: 'sail', label: 'Sail' }] },
              { type: 1, components: [{ type: 3, customID: 'port', options }] },
            ],
          });
          return placeOf(message);
        },
        async moderation(guild, [first, second, third]) {
          const reason = REASON;
          const until = new Date(Date.now() + 60_000).toISOString();
          await rest.guilds.editMember(guild, first, { communicationDisabledUntil: until, reason });
          await rest.guilds.editMember(guild, first, { communicationDisabledUntil: null, reason });
          await rest.guilds.removeMember(guild, second, reason);
          await rest.guilds.createBan(guild, third, { deleteMessageSeconds: 3600, reason });
          const banned = (await rest.guilds.getBans(guild)).map(({ user }) => user.id);
          await rest.guilds.removeBan(guild, third, reason);
          return banned;
        },
        async voice(guild, user, channel) {
          await rest.guilds.editMember(guild, user, { channelID: channel });
          await rest.guilds.editMember(guild, user, { mute: true });
          const where = () => guildOf(guild).voiceStates.get(user)?.channelID;
          await expect.poll(where).toBe(channel);
          return where() ?? '';
        },
        async hangUp(guild, user) {
          await rest.guilds.editMember(guild, user, { channelID: null });
        },
        async commands(guild) {
          await client.application.bulkEditGuildCommands(guild, [...COMMANDS] as never);
        },
        autocomplete: listens,
        modals: listens,
        commandFiles: listens,
        async invites(channel) {
          const { code } = await rest.channels.createInvite(channel, { maxAge: 3600, maxUses: 2 });
          const listed = (await rest.channels.getInvites(channel)).map((invite) => invite.code);
          await rest.channels.deleteInvite(code);
          return { code, listed };
        },
        async webhooks(channel) {
          const { id } = await rest.webhooks.create(channel, { name: 'Tide table' });
          const listed = (await rest.webhooks.getForChannel(channel)).map((hook) => hook.id);
          await rest.webhooks.edit(id, { name: 'Tides' });
          return { id, listed };
        },
        async webhookMessages({ id, token: secret }) {
          const message = await rest.webhooks.execute(id, secret, {
            wait: true,
            content: 'High water',
            username: 'Buoy',
            embeds: [{ title: 'Now' }],
            files: [{ name: 'notes.txt', contents: NOTES }],
          });
          const edited = { content: 'Low water' };
          return placeOf(await rest.webhooks.editMessage(id, secret, message.id, edited));
        },
        async events(guild, channelID) {
          const event = await rest.guilds.createScheduledEvent(guild, {
            name: 'Regatta',
            scheduledStartTime: tomorrow().toISOString(),
            privacyLevel: 2,
            entityType: 2,
            channelID,
          } as never);
          await rest.guilds.editScheduledEvent(guild, event.id, { name: 'Race' });
          await rest.guilds.editScheduledEvent(guild, event.id, { status: 2 });
          return event.id;
        },
        async pins({ channel, id }) {
          await rest.channels.pinMessage(channel, id);
          return (await rest.channels.getPins(channel)).map(({ message }) => message.id);
        },
        async search(guild, content) {
          const { messages } = await rest.guilds.searchMessages(guild, { content });
          return messages.flatMap(([message]) => (message === undefined ? [] : [message.id]));
        },
        resume: () => Promise.resolve({ resumed, heard: heard.map(({ content }) => content) }),
      },
    };
  },
});

async function answer(interaction: Oceanic.AnyInteractionGateway): Promise<void> {
  if (interaction.isAutocompleteInteraction()) {
    await interaction.result(placesFor(interaction.data.options.getString('place') ?? ''));
  } else if (interaction.isComponentInteraction()) {
    const { data, user } = interaction;
    if (data.customID === 'sail')
      await interaction.editParent({ content: `${user.username} sails`, components: [] });
    else await interaction.createMessage({ content: `To ${(data as Seen).values.raw[0]}`, flags: 64 });
  } else if (interaction.isModalSubmitInteraction()) {
    const words = interaction.data.components.getTextInput('words', true);
    await interaction.createMessage({ content: `Written: ${words}` });
  } else if (interaction.isCommandInteraction()) {
    const { name, options } = interaction.data;
    if (name === 'tide') {
      const who = options.getUser('who', true);
      await interaction.createMessage({ content: `${options.getString('place')} for ${who.username}` });
    } else if (name === 'log') {
      await interaction.createModal({
        customID: 'log',
        title: 'The log',
        components: [{ type: 1, components: [{ type: 4, customID: 'words', label: 'Words', style: 1 }] }],
      });
    } else {
      await interaction.defer();
      const content = `Chart of ${options.getAttachment('file', true).filename}`;
      await interaction.editOriginal({ content, files: [{ name: 'chart.txt', contents: CHART }] });
    }
  }
}

function missing(what: string): never {
  throw new Error(`${what} is missing`);
}
