import { type API, Client, GatewayDispatchEvents } from '@discordjs/core';
import { REST } from '@discordjs/rest';
import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
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
  RIGHTS,
  ROWS,
  tomorrow,
} from './bot-content.ts';
import { botDay } from './bot-day.ts';
import { listens, type MessagePlace, placesFor } from './bot-parts.ts';
import type { Seen } from './bot-stage.ts';
import { playDay } from './day.ts';

playDay(botDay, {
  name: '@discordjs/core',
  absent: {},
  start({ api: base, token }) {
    const rest = new REST({ version: '10', api: base }).setToken(token);
    const gateway = new WebSocketManager({ token, intents: INTENTS, rest });
    const client = new Client({ rest, gateway });
    const { api } = client;
    const heard: Seen[] = [];
    const faults: string[] = [];
    const guilds = new Map<string, Seen>();
    const calls = new Map<string, string | null>();
    let resumed = 0;
    client.on(GatewayDispatchEvents.MessageCreate, ({ data }) => {
      if (data.author.id !== APP && data.webhook_id === undefined) heard.push(data);
    });
    client.on(GatewayDispatchEvents.GuildCreate, ({ data }) => guilds.set(data.id, data));
    client.on(GatewayDispatchEvents.VoiceStateUpdate, ({ data }) => calls.set(data.user_id, data.channel_id));
    client.on(GatewayDispatchEvents.InteractionCreate, ({ data }) => {
      answer(api, data).catch((error: unknown) => faults.push(String(error)));
    });
    gateway.on(WebSocketShardEvents.Resumed, () => {
      resumed += 1;
    });
    gateway.on(WebSocketShardEvents.Error, (error) => {
      if (!String(error).includes('ECONNRESET')) faults.push(String(error));
    });
    const placeOf = ({ channel_id: channel, id }: Seen): MessagePlace => ({ channel, id });
    return {
      faults: () => faults.splice(0),
      end: async () => {
        await gateway.destroy();
      },
      parts: {
        async login() {
          const ready = new Promise<string>((resolve) =>
            client.once(GatewayDispatchEvents.Ready, ({ data }) => resolve(data.user.username)),
          );
          await gateway.connect();
          return ready;
        },
        async cache(id) {
          await expect.poll(() => guilds.has(id)).toBe(true);
          const { members } = await client.requestGuildMembers({ guild_id: id, query: '', limit: 0 });
          const { name, channels, roles } = guilds.get(id);
          return { name, channels: channels.length, roles: roles.length, members: members.length };
        },
        async reply(said, content) {
          await expect.poll(() => heard.some((message) => message.content === said)).toBe(true);
          const { id, channel_id } = heard.find((message) => message.content === said);
          const reply = { content, message_reference: { message_id: id } };
          return placeOf(await api.channels.createMessage(channel_id, reply));
        },
        async message(channel) {
          const { id } = await api.channels.createMessage(channel, { content: 'low' });
          await api.channels.editMessage(channel, id, { content: 'high' });
          await api.channels.addMessageReaction(channel, id, '🌊');
          return { channel, id };
        },
        async direct(user, content) {
          const { id } = await api.users.createDM(user);
          return placeOf(await api.channels.createMessage(id, { content }));
        },
        purge: (channel, messages) => api.channels.bulkDeleteMessages(channel, [...messages]),
        async roles(guild, user, other) {
          const crew = await api.guilds.createRole(guild, {
            name: 'crew',
            color: BLUE,
            hoist: true,
            mentionable: true,
            permissions: String(RIGHTS.manageMessages),
          });
          await api.guilds.addRoleToMember(guild, user, crew.id);
          await api.guilds.editMember(guild, user, { roles: [crew.id, other] });
          await api.guilds.removeRoleFromMember(guild, user, other);
          return crew.id;
        },
        async channels(guild, category) {
          const { id } = await api.guilds.createChannel(guild, { name: 'deck', parent_id: category });
          await api.channels.edit(id, { topic: 'On deck', rate_limit_per_user: 5 });
          await api.guilds.setChannelPositions(guild, [{ id, position: 0 }]);
          return id;
        },
        async overwrites(channel, role, user) {
          const [view, send] = [String(RIGHTS.view), String(RIGHTS.send)];
          await api.channels.editPermissionOverwrite(channel, role, { type: 0, allow: view, deny: send });
          await api.channels.editPermissionOverwrite(channel, user, { type: 1, allow: send });
          await api.channels.deletePermissionOverwrite(channel, user);
        },
        async threads({ channel, id: message }, user) {
          const { id } = await api.channels.createThread(channel, { name: 'Tide' }, message);
          await api.threads.addMember(id, user);
          await api.channels.createMessage(id, { content: 'Rising' });
          await api.channels.edit(id, { archived: true });
          await api.channels.edit(id, { archived: false });
          await api.channels.edit(id, { locked: true });
          return id;
        },
        async forum(guild) {
          const tags = [{ name: 'High' }, { name: 'Low' }];
          const made = { name: 'logs', type: 15, available_tags: tags } as const;
          const forum: Seen = await api.guilds.createChannel(guild, made as never);
          const post = await api.channels.createForumThread(forum.id, {
            name: 'Monday',
            applied_tags: [forum.available_tags[1].id],
            message: { content: 'All well' },
          });
          return { forum: forum.id, post: post.id };
        },
        async files(channel, png) {
          const { id, attachments } = await api.channels.createMessage(channel, {
            attachments: [{ id: '0', description: 'The tide' }, { id: '1' }],
            files: [
              { name: 'tide table.png', data: Buffer.from(png, 'base64') },
              { name: 'notes.txt', data: NOTES },
            ],
          });
          const [kept] = attachments.map((attachment) => ({ id: attachment.id }));
          await api.channels.editMessage(channel, id, { attachments: kept === undefined ? [] : [kept] });
          return { channel, id };
        },
        async embeds(channel, png) {
          const files = [{ name: 'tide.png', data: Buffer.from(png, 'base64') }];
          return placeOf(await api.channels.createMessage(channel, { embeds: [EMBED as never], files }));
        },
        async components(channel) {
          const body = { content: 'Where to?', components: ROWS as never };
          return placeOf(await api.channels.createMessage(channel, body));
        },
        async moderation(guild, [first, second, third]) {
          const because = { reason: REASON };
          const until = new Date(Date.now() + 60_000).toISOString();
          await api.guilds.editMember(guild, first, { communication_disabled_until: until }, because);
          await api.guilds.editMember(guild, first, { communication_disabled_until: null }, because);
          await api.guilds.removeMember(guild, second, because);
          await api.guilds.banUser(guild, third, { delete_message_seconds: 3600 }, because);
          const banned = (await api.guilds.getMemberBans(guild)).map(({ user }) => user.id);
          await api.guilds.unbanUser(guild, third, because);
          return banned;
        },
        async voice(guild, user, channel) {
          await api.guilds.editMember(guild, user, { channel_id: channel });
          await api.guilds.editMember(guild, user, { mute: true });
          await expect.poll(() => calls.get(user)).toBe(channel);
          return calls.get(user) ?? '';
        },
        async hangUp(guild, user) {
          await api.guilds.editMember(guild, user, { channel_id: null });
        },
        async commands(guild) {
          await api.applicationCommands.bulkOverwriteGuildCommands(APP, guild, [...COMMANDS] as never);
        },
        autocomplete: listens,
        modals: listens,
        commandFiles: listens,
        async invites(channel) {
          const { code } = await api.channels.createInvite(channel, { max_age: 3600, max_uses: 2 });
          const listed = (await api.channels.getInvites(channel)).map((invite) => invite.code);
          await api.invites.delete(code);
          return { code, listed };
        },
        async webhooks(channel) {
          const { id } = await api.channels.createWebhook(channel, { name: 'Tide table' });
          const listed = (await api.channels.getWebhooks(channel)).map((hook) => hook.id);
          await api.webhooks.edit(id, { name: 'Tides' });
          return { id, listed };
        },
        async webhookMessages({ id, token: secret }) {
          const message = await api.webhooks.execute(id, secret, {
            wait: true,
            content: 'High water',
            username: 'Buoy',
            embeds: [{ title: 'Now' }],
            files: [{ name: 'notes.txt', data: NOTES }],
          });
          return placeOf(await api.webhooks.editMessage(id, secret, message.id, { content: 'Low water' }));
        },
        async events(guild, channel_id) {
          const event = await api.guilds.createScheduledEvent(guild, {
            name: 'Regatta',
            scheduled_start_time: tomorrow().toISOString(),
            privacy_level: 2,
            entity_type: 2,
            channel_id,
          });
          await api.guilds.editScheduledEvent(guild, event.id, { name: 'Race' });
          await api.guilds.editScheduledEvent(guild, event.id, { status: 2 });
          return event.id;
        },
        async pins({ channel, id }) {
          await api.channels.pinMessage(channel, id);
          return (await api.channels.getPins(channel)).map((message) => message.id);
        },
        async search(guild, content) {
          let found: Seen;
          // Until the guild is indexed the answer says when to ask again.
          const messages = async () => {
            found = await api.guilds.searchForMessages(guild, { content });
            return found.messages;
          };
          await expect.poll(messages).toBeDefined();
          return found.messages.map(([message]: Seen) => message.id);
        },
        resume: () => Promise.resolve({ resumed, heard: heard.map(({ content }) => content) }),
      },
    };
  },
});

async function answer({ interactions }: API, interaction: Seen): Promise<unknown> {
  const { id, token, data, type } = interaction;
  if (type === 4)
    return interactions.createAutocompleteResponse(id, token, { choices: placesFor(data.options[0].value) });
  if (data.custom_id === 'sail') {
    const content = `${interaction.member.user.username} sails`;
    return interactions.updateMessage(id, token, { content, components: [] });
  }
  if (data.custom_id === 'port')
    return interactions.reply(id, token, { content: `To ${data.values[0]}`, flags: 64 });
  if (type === 5) {
    const content = `Written: ${data.components[0].components[0].value}`;
    return interactions.reply(id, token, { content });
  }
  if (data.name === 'log') return interactions.createModal(id, token, MODAL as never);
  const { options, resolved } = data;
  if (data.name === 'tide') {
    const content = `${options[0].value} for ${resolved.users[options[1].value].username}`;
    return interactions.reply(id, token, { content });
  }
  await interactions.defer(id, token);
  const content = `Chart of ${resolved.attachments[options[0].value].filename}`;
  return interactions.editReply(APP, token, { content, files: [{ name: 'chart.txt', data: CHART }] });
}
