import { createBot, createDesiredPropertiesObject } from '@discordeno/bot';
import { expect } from 'vitest';
import { APP } from '../story.ts';
import {
  BLUE,
  CHART,
  COMMANDS,
  EMBED,
  INTENTS,
  MODAL,
  NOTES,
  REASON,
  ROWS,
  tomorrow,
} from './bot-content.ts';
import { botDay } from './bot-day.ts';
import { listens, placesFor } from './bot-parts.ts';
import type { Seen } from './bot-stage.ts';
import { playDay } from './day.ts';

/** The library's objects have numbers that JSON has as texts. */
const placeOf = ({ channelId, id }: Seen) => ({ channel: String(channelId), id: String(id) });

/** The API's names as this library writes them. */
function camelized(value: Seen): Seen {
  if (Array.isArray(value)) return value.map(camelized);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, below]) => [
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    camelized(below),
  ]);
  return Object.fromEntries(entries);
}

playDay(botDay, {
  name: '@discordeno/bot',
  absent: { search: 'has no search of messages' },
  start({ api, token }) {
    const heard: Seen[] = [];
    const faults: string[] = [];
    const guilds = new Map<string, Seen>();
    const calls = new Map<string, string>();
    let resumed = 0;
    let ready: Seen;
    const complain = (...words: unknown[]) => {
      if (!words.some((word) => String(word).includes('1006'))) faults.push(words.map(String).join(' '));
    };
    const quiet = () => undefined;
    const logger = { debug: quiet, info: quiet, warn: complain, error: complain, fatal: complain };
    const bot = createBot({
      token,
      intents: INTENTS,
      gateway: { cache: { requestMembers: { enabled: true } } },
      desiredProperties: createDesiredPropertiesObject({}, true),
      loggerFactory: () => logger,
      events: {
        ready: (payload) => {
          ready = payload;
        },
        guildCreate: (guild) => void guilds.set(String(guild.id), guild),
        messageCreate(message) {
          if (String(message.author.id) !== APP && message.webhookId === undefined) heard.push(message);
        },
        voiceStateUpdate: ({ userId, channelId }) => void calls.set(String(userId), String(channelId)),
        interactionCreate(interaction) {
          answer(interaction).catch((error: unknown) => faults.push(String(error)));
        },
      },
    });
    bot.gateway.events.resumed = () => {
      resumed += 1;
    };
    const { rest } = bot;
    // Its option for another address gives the limits up, which are part of the day.
    Object.assign(rest, { baseUrl: api, isProxied: false });

    async function answer(interaction: Seen): Promise<void> {
      const { data, type, user } = interaction;
      const option = (name: string) => data.options.find((each: Seen) => each.name === name).value;
      if (type === 4) await interaction.respond({ choices: placesFor(option('place')) });
      else if (data.customId === 'sail')
        await interaction.edit({ content: `${user.username} sails`, components: [] });
      else if (data.customId === 'port')
        await interaction.respond(`To ${data.values[0]}`, { isPrivate: true });
      else if (type === 5) await interaction.respond(`Written: ${data.components[0].components[0].value}`);
      else if (data.name === 'log') await interaction.respond(camelized(MODAL));
      else if (data.name === 'tide') {
        const who = data.resolved.users.get(BigInt(option('who')));
        await interaction.respond(`${option('place')} for ${who.username}`);
      } else {
        await interaction.defer();
        const file = data.resolved.attachments.get(BigInt(option('file')));
        const files = [{ name: 'chart.txt', blob: new Blob([CHART]) }];
        await interaction.edit({ content: `Chart of ${file.filename}`, files });
      }
    }

    return {
      faults: () => faults.splice(0),
      end: () => bot.shutdown(),
      parts: {
        async login() {
          await bot.start();
          await expect.poll(() => ready?.user.username).toBeDefined();
          return ready.user.username;
        },
        async cache(id) {
          await expect.poll(() => guilds.has(id)).toBe(true);
          const members = await bot.gateway.requestMembers(id, { query: '', limit: 0 });
          const { name, channels, roles } = guilds.get(id);
          return { name, channels: channels.size, roles: roles.size, members: members.length };
        },
        async reply(said, content) {
          await expect.poll(() => heard.some((message) => message.content === said)).toBe(true);
          const { id, channelId } = heard.find((message) => message.content === said);
          const messageReference = { messageId: id, failIfNotExists: true };
          return placeOf(await bot.helpers.sendMessage(channelId, { content, messageReference }));
        },
        async message(channel) {
          const { id } = await bot.helpers.sendMessage(channel, { content: 'low' });
          await bot.helpers.editMessage(channel, id, { content: 'high' });
          await bot.helpers.addReaction(channel, id, '🌊');
          return { channel, id: String(id) };
        },
        async direct(user, content) {
          const { id } = await bot.helpers.getDmChannel(user);
          return placeOf(await bot.helpers.sendMessage(id, { content }));
        },
        purge: (channel, messages) => bot.helpers.deleteMessages(channel, [...messages]),
        async roles(guild, user, other) {
          const crew = await bot.helpers.createRole(guild, {
            name: 'crew',
            color: BLUE,
            hoist: true,
            mentionable: true,
            permissions: ['MANAGE_MESSAGES'],
          });
          await bot.helpers.addRole(guild, user, crew.id);
          await bot.helpers.editMember(guild, user, { roles: [crew.id, other] });
          await bot.helpers.removeRole(guild, user, other);
          return String(crew.id);
        },
        async channels(guild, category) {
          const deck = await bot.helpers.createChannel(guild, { name: 'deck', parentId: category });
          await bot.helpers.editChannel(deck.id, { topic: 'On deck', rateLimitPerUser: 5 });
          await bot.helpers.editChannelPositions(guild, [{ id: String(deck.id), position: 0 }]);
          return String(deck.id);
        },
        async overwrites(channel, role, user) {
          const { editChannelPermissionOverrides: edit, deleteChannelPermissionOverride } = bot.helpers;
          await edit(channel, {
            id: BigInt(role),
            type: 0,
            allow: ['VIEW_CHANNEL'],
            deny: ['SEND_MESSAGES'],
          });
          await edit(channel, { id: BigInt(user), type: 1, allow: ['SEND_MESSAGES'] });
          await deleteChannelPermissionOverride(channel, user);
        },
        async threads({ channel, id: message }, user) {
          const thread = await bot.helpers.startThreadWithMessage(channel, message, {
            name: 'Tide',
            autoArchiveDuration: 1440,
          });
          await bot.helpers.addThreadMember(thread.id, user);
          await bot.helpers.sendMessage(thread.id, { content: 'Rising' });
          await bot.helpers.editChannel(thread.id, { archived: true });
          await bot.helpers.editChannel(thread.id, { archived: false });
          await bot.helpers.editChannel(thread.id, { locked: true });
          return String(thread.id);
        },
        async forum(guild) {
          const availableTags = [{ name: 'High' }, { name: 'Low' }];
          const made = { name: 'logs', type: 15, availableTags };
          const forum: Seen = await rest.createChannel(guild, made as never);
          const post = await rest.createForumThread(forum.id, {
            name: 'Monday',
            autoArchiveDuration: 1440,
            appliedTags: [forum.availableTags[1].id],
            message: { content: 'All well' },
          } as never);
          return { forum: forum.id, post: post.id };
        },
        async files(channel, png) {
          const sent: Seen = await rest.sendMessage(channel, {
            attachments: [{ id: '0', filename: 'tide table.png', description: 'The tide' }, { id: '1' }],
            files: [
              { name: 'tide table.png', blob: new Blob([Buffer.from(png, 'base64')]) },
              { name: 'notes.txt', blob: new Blob([NOTES]) },
            ],
          } as never);
          const [kept] = sent.attachments;
          await rest.editMessage(channel, sent.id, { attachments: [{ id: kept.id }] as never });
          return { channel, id: sent.id };
        },
        async embeds(channel, png) {
          const files = [{ name: 'tide.png', blob: new Blob([Buffer.from(png, 'base64')]) }];
          return placeOf(await bot.helpers.sendMessage(channel, { embeds: [EMBED as never], files }));
        },
        async components(channel) {
          const components = camelized(ROWS);
          return placeOf(await bot.helpers.sendMessage(channel, { content: 'Where to?', components }));
        },
        async moderation(guild, [first, second, third]) {
          const until = new Date(Date.now() + 60_000).toISOString();
          const { editMember, kickMember, banMember, getBans, unbanMember } = bot.helpers;
          await editMember(guild, first, { communicationDisabledUntil: until }, REASON);
          await editMember(guild, first, { communicationDisabledUntil: null }, REASON);
          await kickMember(guild, second, REASON);
          await banMember(guild, third, { deleteMessageSeconds: 3600 }, REASON);
          const banned = [...(await getBans(guild)).values()].map(({ user }) => String(user.id));
          await unbanMember(guild, third, REASON);
          return banned;
        },
        async voice(guild, user, channel) {
          await bot.helpers.editMember(guild, user, { channelId: channel });
          await bot.helpers.editMember(guild, user, { mute: true });
          await expect.poll(() => calls.get(user)).toBe(channel);
          return calls.get(user) ?? '';
        },
        async hangUp(guild, user) {
          await bot.helpers.editMember(guild, user, { channelId: null });
        },
        async commands(guild) {
          await bot.helpers.upsertGuildApplicationCommands(guild, camelized([...COMMANDS]));
        },
        autocomplete: listens,
        modals: listens,
        commandFiles: listens,
        async invites(channel) {
          const { code } = await bot.helpers.createInvite(channel, { maxAge: 3600, maxUses: 2 });
          const listed = (await rest.getChannelInvites(channel)).map((invite) => invite.code);
          await bot.helpers.deleteInvite(code);
          return { code, listed };
        },
        async webhooks(channel) {
          const { id } = await rest.createWebhook(channel, { name: 'Tide table' });
          const listed = (await rest.getChannelWebhooks(channel)).map((hook) => hook.id);
          await bot.helpers.editWebhook(id, { name: 'Tides' });
          return { id, listed };
        },
        async webhookMessages({ id, token: secret }) {
          const message: Seen = await bot.helpers.executeWebhook(id, secret, {
            wait: true,
            content: 'High water',
            username: 'Buoy',
            embeds: [{ title: 'Now' }],
          });
          // The library loses files where it executes a webhook.
          const edited = { content: 'Low water', files: [{ name: 'notes.txt', blob: new Blob([NOTES]) }] };
          return placeOf(await bot.helpers.editWebhookMessage(id, secret, message.id, edited));
        },
        async events(guild, channelId) {
          const event = await bot.helpers.createScheduledEvent(guild, {
            name: 'Regatta',
            scheduledStartTime: tomorrow().toISOString(),
            privacyLevel: 2,
            entityType: 2,
            channelId,
          } as never);
          await bot.helpers.editScheduledEvent(guild, event.id, { name: 'Race' });
          await bot.helpers.editScheduledEvent(guild, event.id, { status: 2 });
          return String(event.id);
        },
        async pins({ channel, id }) {
          await bot.helpers.pinMessage(channel, id);
          return (await bot.helpers.getPinnedMessages(channel)).map((message) => String(message.id));
        },
        resume: () => Promise.resolve({ resumed, heard: heard.map(({ content }) => content) }),
      },
    };
  },
});
