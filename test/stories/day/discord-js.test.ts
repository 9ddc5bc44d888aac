import {
  ActionRowBuilder,
  ApplicationCommandOptionType,
  ButtonBuilder,
  ButtonStyle,
  ChannelType,
  Client,
  EmbedBuilder,
  Events,
  GatewayIntentBits,
  type Guild,
  GuildScheduledEventEntityType,
  GuildScheduledEventPrivacyLevel,
  type Interaction,
  type Message,
  MessageFlags,
  ModalBuilder,
  StringSelectMenuBuilder,
  type TextChannel,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { expect } from 'vitest';
import { botDay } from './bot-day.ts';
import { listens, placesFor } from './bot-parts.ts';
import { playDay } from './day.ts';

const NOTES = { attachment: Buffer.from('06:12 high'), name: 'notes.txt' };

playDay(botDay, {
  name: 'discord.js',
  absent: { search: 'has no search of messages' },
  start({ api, token }) {
    const client = new Client({
      intents: [
        GatewayIntentBits.Guilds,
        GatewayIntentBits.GuildMembers,
        GatewayIntentBits.GuildMessages,
        GatewayIntentBits.GuildVoiceStates,
        GatewayIntentBits.MessageContent,
      ],
      rest: { api },
    });
    const heard: Message[] = [];
    const faults: string[] = [];
    let resumed = 0;
    client.on(Events.MessageCreate, (message) => {
      if (message.author.id !== client.user?.id && message.webhookId === null) heard.push(message);
    });
    client.on(Events.ShardResume, () => {
      resumed += 1;
    });
    client.on(Events.Error, (error) => faults.push(String(error)));
    client.on(Events.Warn, (warning) => faults.push(warning));
    client.on(Events.InteractionCreate, (interaction) => {
      answer(interaction).catch((error: unknown) => faults.push(String(error)));
    });
    const guildOf = (id: string): Guild => client.guilds.cache.get(id) ?? missing(id);
    const textChannel = (id: string): TextChannel => client.channels.cache.get(id) as TextChannel;
    const placeOf = ({ channelId, id }: Message) => ({ channel: channelId, id });
    return {
      faults: () => faults.splice(0),
      end: () => client.destroy(),
      parts: {
        async login() {
          const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
          await client.login(token);
          await ready;
          return client.user?.username ?? '';
        },
        async cache(id) {
          const { name, channels, roles, members } = guildOf(id);
          await members.fetch();
          return {
            name,
            channels: channels.cache.size,
            roles: roles.cache.size,
            members: members.cache.size,
          };
        },
        async reply(said, answerText) {
          await expect.poll(() => heard.some(({ content }) => content === said)).toBe(true);
          const message = heard.find(({ content }) => content === said) ?? missing(said);
          return placeOf(await message.reply(answerText));
        },
        async message(channel) {
          const message = await textChannel(channel).send('low');
          await message.edit('high');
          await message.react('🌊');
          return placeOf(message);
        },
        async direct(user, text) {
          return placeOf(await (await client.users.fetch(user)).send(text));
        },
        async purge(channel, messages) {
          await textChannel(channel).bulkDelete(messages);
        },
        async roles(guild, user, other) {
          const { roles, members } = guildOf(guild);
          const crew = await roles.create({
            name: 'crew',
            colors: { primaryColor: 0x3366ff },
            hoist: true,
            mentionable: true,
            permissions: ['ManageMessages'],
          });
          const member = await members.fetch(user);
          await member.roles.add(crew);
          await member.roles.set([crew.id, other]);
          await member.roles.remove(other);
          return crew.id;
        },
        async channels(guild, category) {
          const { channels } = guildOf(guild);
          const deck = await channels.create({ name: 'deck', parent: category });
          await deck.edit({ topic: 'On deck', rateLimitPerUser: 5 });
          await deck.setPosition(0);
          return deck.id;
        },
        async overwrites(channel, role, user) {
          const { permissionOverwrites } = textChannel(channel);
          await permissionOverwrites.create(role, { ViewChannel: true, SendMessages: false });
          await permissionOverwrites.create(user, { SendMessages: true });
          await permissionOverwrites.delete(user);
        },
        async threads({ channel, id }, user) {
          const message = await textChannel(channel).messages.fetch(id);
          const thread = await message.startThread({ name: 'Tide' });
          await thread.members.add(user);
          await thread.send('Rising');
          await thread.setArchived(true);
          await thread.setArchived(false);
          await thread.setLocked(true);
          return thread.id;
        },
        async forum(guild) {
          const forum = await guildOf(guild).channels.create({
            name: 'logs',
            type: ChannelType.GuildForum,
            availableTags: [{ name: 'High' }, { name: 'Low' }],
          });
          const low = forum.availableTags.find(({ name }) => name === 'Low') ?? missing('Low');
          const post = await forum.threads.create({
            name: 'Monday',
            appliedTags: [low.id],
            message: { content: 'All well' },
          });
          return { forum: forum.id, post: post.id };
        },
        async files(channel, png) {
          const picture = {
            attachment: Buffer.from(png, 'base64'),
            name: 'tide table.png',
            description: 'The tide',
          };
          const message = await textChannel(channel).send({ files: [picture, NOTES] });
          const kept = message.attachments.first() ?? missing('attachment');
          await message.edit({ attachments: [kept] });
          return placeOf(message);
        },
        async embeds(channel, png) {
          const embed = new EmbedBuilder()
            .setTitle('Tide table')
            .setColor(0x3366ff)
            .addFields(
              { name: 'High', value: '06:12', inline: true },
              { name: 'Low', value: '12:20', inline: true },
            )
            .setImage('attachment://tide.png');
          const file = { attachment: Buffer.from(png, 'base64'), name: 'tide.png' };
          return placeOf(await textChannel(channel).send({ embeds: [embed], files: [file] }));
        },
        async components(channel) {
          const sail = new ButtonBuilder().setCustomId('sail').setLabel('Sail').setStyle(ButtonStyle.Primary);
          const port = new StringSelectMenuBuilder()
            .setCustomId('port')
            .addOptions(placesFor('').map(({ name }) => ({ label: name, value: name })));
          const message = await textChannel(channel).send({
            content: 'Where to?',
            components: [
              new ActionRowBuilder<ButtonBuilder>().addComponents(sail),
              new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(port),
            ],
          });
          return placeOf(message);
        },
        async moderation(guild, [first, second, third]) {
          const reason = 'the rules';
          const { members, bans } = guildOf(guild);
          const member = await members.fetch(first);
          await member.timeout(60_000, reason);
          await member.timeout(null, reason);
          await members.kick(second, reason);
          await members.ban(third, { deleteMessageSeconds: 3600, reason });
          const banned = [...(await bans.fetch()).keys()];
          await bans.remove(third, reason);
          return banned;
        },
        async voice(guild, user, channel) {
          const member = await guildOf(guild).members.fetch(user);
          await member.voice.setChannel(channel);
          await member.voice.setMute(true);
          await expect.poll(() => member.voice.channelId).toBe(channel);
          return member.voice.channelId ?? '';
        },
        async hangUp(guild, user) {
          await (await guildOf(guild).members.fetch(user)).voice.disconnect();
        },
        async commands(guild) {
          await guildOf(guild).commands.set([
            {
              name: 'tide',
              description: 'When the water is high',
              options: [
                {
                  type: ApplicationCommandOptionType.String,
                  name: 'place',
                  description: 'Where',
                  required: true,
                  autocomplete: true,
                },
                { type: ApplicationCommandOptionType.User, name: 'who', description: 'For whom' },
              ],
            },
            { name: 'log', description: 'Write in the log' },
            {
              name: 'chart',
              description: 'Of the place',
              options: [
                { type: ApplicationCommandOptionType.Attachment, name: 'file', description: 'The map' },
              ],
            },
          ]);
        },
        autocomplete: listens,
        modals: listens,
        commandFiles: listens,
        async invites(channel) {
          const { code } = await textChannel(channel).createInvite({ maxAge: 3600, maxUses: 2 });
          const listed = [...(await textChannel(channel).fetchInvites()).keys()];
          await guildOf(textChannel(channel).guildId).invites.delete(code);
          return { code, listed };
        },
        async webhooks(channel) {
          const hook = await textChannel(channel).createWebhook({ name: 'Tide table' });
          const listed = [...(await textChannel(channel).fetchWebhooks()).keys()];
          await hook.edit({ name: 'Tides' });
          return { id: hook.id, listed };
        },
        async webhookMessages({ id, token: secret }) {
          const hook = await client.fetchWebhook(id, secret);
          const sent = await hook.send({
            content: 'High water',
            username: 'Buoy',
            embeds: [{ title: 'Now' }],
            files: [NOTES],
          });
          return placeOf(await hook.editMessage(sent, { content: 'Low water' }));
        },
        async events(guild, channel) {
          const event = await guildOf(guild).scheduledEvents.create({
            name: 'Regatta',
            scheduledStartTime: Date.now() + 86_400_000,
            privacyLevel: GuildScheduledEventPrivacyLevel.GuildOnly,
            entityType: GuildScheduledEventEntityType.Voice,
            channel,
          });
          await event.setName('Race');
          await event.setStatus(2);
          return event.id;
        },
        async pins({ channel, id }) {
          await (await textChannel(channel).messages.fetch(id)).pin();
          const { items } = await textChannel(channel).messages.fetchPins();
          return items.map(({ message }) => message.id);
        },
        resume: () => Promise.resolve({ resumed, heard: heard.map(({ content }) => content) }),
      },
    };
  },
});

async function answer(interaction: Interaction): Promise<unknown> {
  if (interaction.isAutocomplete()) return interaction.respond(placesFor(interaction.options.getFocused()));
  if (interaction.isButton())
    return interaction.update({ content: `${interaction.user.username} sails`, components: [] });
  if (interaction.isStringSelectMenu())
    return interaction.reply({ content: `To ${interaction.values[0]}`, flags: MessageFlags.Ephemeral });
  if (interaction.isModalSubmit())
    return interaction.reply(`Written: ${interaction.fields.getTextInputValue('words')}`);
  if (!interaction.isChatInputCommand()) return undefined;
  const { options, commandName } = interaction;
  if (commandName === 'tide')
    return interaction.reply(`${options.getString('place')} for ${options.getUser('who')?.username}`);
  if (commandName === 'log') {
    const words = new TextInputBuilder()
      .setCustomId('words')
      .setLabel('Words')
      .setStyle(TextInputStyle.Short);
    const row = new ActionRowBuilder<TextInputBuilder>().addComponents(words);
    return interaction.showModal(
      new ModalBuilder().setCustomId('log').setTitle('The log').addComponents(row),
    );
  }
  await interaction.deferReply();
  const file = { attachment: Buffer.from('shoals'), name: 'chart.txt' };
  const content = `Chart of ${options.getAttachment('file')?.name}`;
  return interaction.editReply({ content, files: [file] });
}

function missing(what: string): never {
  throw new Error(`${what} is missing`);
}
