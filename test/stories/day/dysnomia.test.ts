import * as Dysnomia from '@projectdysnomia/dysnomia';
import { expect } from 'vitest';
import { BLUE, CHART, COMMANDS, EMBED, MODAL, NOTES, REASON, RIGHTS, ROWS, tomorrow } from './bot-content.ts';
import { botDay } from './bot-day.ts';
import { listens, placesFor } from './bot-parts.ts';
import type { Seen } from './bot-stage.ts';
import { playDay } from './day.ts';

playDay(botDay, {
  name: '@projectdysnomia/dysnomia',
  absent: { search: 'has no search of messages' },
  start({ api, token }) {
    const { hostname, port } = new URL(api);
    const client = new Dysnomia.Client(`Bot ${token}`, {
      gateway: { intents: ['guilds', 'guildMembers', 'guildMessages', 'guildVoiceStates', 'messageContent'] },
      rest: { https: false, domain: hostname, port: Number(port) },
    });
    const heard: Dysnomia.Message<Dysnomia.PossiblyUncachedTextableChannel>[] = [];
    const faults: string[] = [];
    let resumed = 0;
    client.on('messageCreate', (message) => {
      if (message.author.id !== client.user.id && message.webhookID === undefined) heard.push(message);
    });
    client.on('shardResume', () => {
      resumed += 1;
    });
    client.on('error', (error) => {
      if (!String(error).includes('reset by peer')) faults.push(String(error));
    });
    client.on('warn', (warning) => faults.push(warning));
    client.on('interactionCreate', (interaction) => {
      answer(interaction).catch((error: unknown) => faults.push(String(error)));
    });
    const guildOf = (id: string) => client.guilds.get(id) ?? missing(id);
    const placeOf = ({ channel, id }: Dysnomia.Message<Dysnomia.PossiblyUncachedTextableChannel>) => ({
      channel: channel.id,
      id,
    });
    return {
      faults: () => faults.splice(0),
      end: () => client.disconnect({ reconnect: false }),
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
        async reply(said, text) {
          await expect.poll(() => heard.some(({ content }) => content === said)).toBe(true);
          const { channel, id } = heard.find(({ content }) => content === said) ?? missing(said);
          const reply = { content: text, messageReference: { messageID: id } };
          return placeOf(await client.createMessage(channel.id, reply as never));
        },
        async message(channel) {
          const message = await client.createMessage(channel, 'low');
          await message.edit('high');
          await message.addReaction('🌊');
          return placeOf(message);
        },
        async direct(user, text) {
          return placeOf(await (await client.getDMChannel(user)).createMessage(text));
        },
        purge: (channel, messages) => client.deleteMessages(channel, [...messages]),
        async roles(guild, user, other) {
          const crew = await client.createRole(guild, {
            name: 'crew',
            color: BLUE,
            hoist: true,
            mentionable: true,
            permissions: RIGHTS.manageMessages,
          });
          await client.addGuildMemberRole(guild, user, crew.id);
          await client.editGuildMember(guild, user, { roles: [crew.id, other] });
          await client.removeGuildMemberRole(guild, user, other);
          return crew.id;
        },
        async channels(guild, category) {
          const deck = await client.createChannel(guild, 'deck', 0, { parentID: category });
          await client.editChannel(deck.id, { topic: 'On deck', rateLimitPerUser: 5 });
          await client.editChannelPosition(deck.id, 0);
          return deck.id;
        },
        async overwrites(channel, role, user) {
          await client.editChannelPermission(channel, role, RIGHTS.view, RIGHTS.send, 0);
          await client.editChannelPermission(channel, user, RIGHTS.send, 0n, 1);
          await client.deleteChannelPermission(channel, user);
        },
        async threads({ channel, id }, user) {
          const thread = await client.createThreadWithMessage(channel, id, { name: 'Tide' });
          await client.joinThread(thread.id, user);
          await client.createMessage(thread.id, 'Rising');
          await client.editChannel(thread.id, { archived: true });
          await client.editChannel(thread.id, { archived: false });
          await client.editChannel(thread.id, { locked: true });
          return thread.id;
        },
        async forum(guild) {
          const availableTags = [{ name: 'High' }, { name: 'Low' }];
          const forum = await client.createChannel(guild, 'logs', 15, { availableTags } as never);
          const tags = (forum as unknown as { readonly availableTags: readonly Dysnomia.ForumTag[] })
            .availableTags;
          const low = tags.find(({ name }) => name === 'Low') ?? missing('Low');
          const post = await client.createThread(forum.id, {
            name: 'Monday',
            appliedTags: [low.id],
            message: { content: 'All well' },
          } as never);
          return { forum: forum.id, post: post.id };
        },
        async files(channel, png) {
          const attachments = [
            { filename: 'tide table.png', description: 'The tide', file: Buffer.from(png, 'base64') },
            { filename: 'notes.txt', file: NOTES },
          ];
          const message = await client.createMessage(channel, { attachments });
          const [kept] = message.attachments.map(({ id }) => ({ id }));
          return placeOf(await message.edit({ attachments: [kept as never] }));
        },
        async embeds(channel, png) {
          const attachments = [{ filename: 'tide.png', file: Buffer.from(png, 'base64') }];
          return placeOf(await client.createMessage(channel, { attachments, embeds: [EMBED as never] }));
        },
        async components(channel) {
          const content = { content: 'Where to?', components: ROWS as never };
          return placeOf(await client.createMessage(channel, content));
        },
        async moderation(guild, [first, second, third]) {
          const until = new Date(Date.now() + 60_000);
          await client.editGuildMember(guild, first, { communicationDisabledUntil: until }, REASON);
          await client.editGuildMember(guild, first, { communicationDisabledUntil: null }, REASON);
          await client.kickGuildMember(guild, second, REASON);
          await client.banGuildMember(guild, third, { deleteMessageSeconds: 3600, reason: REASON });
          const banned = (await client.getGuildBans(guild)).map(({ user }) => user.id);
          await client.unbanGuildMember(guild, third, REASON);
          return banned;
        },
        async voice(guild, user, channel) {
          await client.editGuildMember(guild, user, { channelID: channel });
          await client.editGuildMember(guild, user, { mute: true });
          const where = () => guildOf(guild).members.get(user)?.voiceState.channelID;
          await expect.poll(where).toBe(channel);
          return where() ?? '';
        },
        async hangUp(guild, user) {
          await client.editGuildMember(guild, user, { channelID: null });
        },
        async commands(guild) {
          await client.bulkEditGuildCommands(guild, structuredClone(COMMANDS) as never);
        },
        autocomplete: listens,
        modals: listens,
        commandFiles: listens,
        async invites(channel) {
          const { code } = await client.createChannelInvite(channel, { maxAge: 3600, maxUses: 2 });
          const listed = (await client.getChannelInvites(channel)).map((invite) => invite.code);
          await client.deleteInvite(code);
          return { code, listed };
        },
        async webhooks(channel) {
          const { id } = await client.createChannelWebhook(channel, { name: 'Tide table' });
          const listed = (await client.getChannelWebhooks(channel)).map((hook) => hook.id);
          await client.editWebhook(id, { name: 'Tides' });
          return { id, listed };
        },
        async webhookMessages({ id, token: secret }) {
          const message = await client.executeWebhook(id, secret, {
            wait: true,
            content: 'High water',
            username: 'Buoy',
            embeds: [{ title: 'Now' }],
            attachments: [{ filename: 'notes.txt', file: NOTES }],
          });
          return placeOf(await client.editWebhookMessage(id, secret, message.id, { content: 'Low water' }));
        },
        async events(guild, channel) {
          const event = await client.createGuildScheduledEvent(guild, {
            name: 'Regatta',
            scheduledStartTime: tomorrow(),
            privacyLevel: 2,
            entityType: 2,
            channelID: channel,
          } as never);
          await client.editGuildScheduledEvent(guild, event.id, { name: 'Race' } as never);
          await client.editGuildScheduledEvent(guild, event.id, { status: 2 } as never);
          return event.id;
        },
        async pins({ channel, id }) {
          await client.pinMessage(channel, id);
          return (await client.getPins(channel, {})).items.map(({ message }) => message.id);
        },
        resume: () => Promise.resolve({ resumed, heard: heard.map(({ content }) => content) }),
      },
    };
  },
});

async function answer(interaction: Dysnomia.Interaction): Promise<void> {
  const { data, member } = interaction as Seen;
  const name = member?.username;
  if (interaction instanceof Dysnomia.AutocompleteInteraction) {
    await interaction.result(placesFor(data.options[0].value));
  } else if (interaction instanceof Dysnomia.ComponentInteraction) {
    if (data.custom_id === 'sail') await interaction.editParent({ content: `${name} sails`, components: [] });
    else await interaction.createMessage({ content: `To ${data.values[0]}`, flags: 64 });
  } else if (interaction instanceof Dysnomia.ModalSubmitInteraction) {
    await interaction.createMessage(`Written: ${data.components[0].components[0].value}`);
  } else if (interaction instanceof Dysnomia.CommandInteraction) {
    if (data.name === 'tide') {
      const [place, who] = data.options;
      await interaction.createMessage(`${place.value} for ${data.resolved.users.get(who.value).username}`);
    } else if (data.name === 'log') {
      await interaction.createModal(MODAL as never);
    } else {
      await interaction.defer();
      const file = data.resolved.attachments.get(data.options[0].value);
      const content = `Chart of ${file.filename}`;
      await interaction.editOriginalMessage({
        content,
        attachments: [{ filename: 'chart.txt', file: CHART }],
      });
    }
  }
}

function missing(what: string): never {
  throw new Error(`${what} is missing`);
}
