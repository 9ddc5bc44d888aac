import { Client } from 'cloudstorm';
import { SnowTransfer } from 'snowtransfer';
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
  name: 'snowtransfer + cloudstorm',
  absent: { search: 'has no search of messages' },
  start({ api: base, token }) {
    const api = new SnowTransfer(`Bot ${token}`, { baseHost: new URL(base).origin });
    // The two are typed by different releases of the first.
    const client = new Client(token, { snowtransferInstance: api as never, intents: INTENTS });
    const heard: Seen[] = [];
    const faults: string[] = [];
    const guilds = new Map<string, Seen>();
    const members = new Map<string, number>();
    const calls = new Map<string, string | null>();
    let resumed = 0;
    let ready: Seen;
    client.on('dispatch', ({ t, d }: Seen) => {
      if (t === 'READY') ready = d;
      if (t === 'RESUMED') resumed += 1;
      if (t === 'GUILD_CREATE') guilds.set(d.id, d);
      if (t === 'GUILD_MEMBERS_CHUNK') members.set(d.guild_id, d.members.length);
      if (t === 'VOICE_STATE_UPDATE') calls.set(d.user_id, d.channel_id);
      if (t === 'MESSAGE_CREATE' && d.author.id !== APP && d.webhook_id === undefined) heard.push(d);
      if (t === 'INTERACTION_CREATE') answer(api, d).catch((error: unknown) => faults.push(String(error)));
    });
    client.on('error', (error) => faults.push(error));
    const placeOf = ({ channel_id: channel, id }: Seen): MessagePlace => ({ channel, id });
    return {
      faults: () => faults.splice(0),
      end: () => client.disconnect(),
      parts: {
        async login() {
          await client.connect();
          await expect.poll(() => ready?.user.username).toBeDefined();
          return ready.user.username;
        },
        async cache(id) {
          await expect.poll(() => guilds.has(id)).toBe(true);
          await client.requestGuildMembers(0, { guild_id: id, query: '', limit: 0 });
          await expect.poll(() => members.has(id)).toBe(true);
          const { name, channels, roles } = guilds.get(id);
          return { name, channels: channels.length, roles: roles.length, members: members.get(id) ?? 0 };
        },
        async reply(said, content) {
          await expect.poll(() => heard.some((message) => message.content === said)).toBe(true);
          const { id, channel_id } = heard.find((message) => message.content === said);
          const reply = { content, message_reference: { message_id: id } };
          return placeOf(await api.channel.createMessage(channel_id, reply));
        },
        async message(channel) {
          const { id } = await api.channel.createMessage(channel, 'low');
          await api.channel.editMessage(channel, id, 'high');
          await api.channel.createReaction(channel, id, encodeURIComponent('🌊'));
          return { channel, id };
        },
        async direct(user, content) {
          const { id } = await api.user.createDirectMessageChannel(user);
          return placeOf(await api.channel.createMessage(id, content));
        },
        async purge(channel, messages) {
          await api.channel.bulkDeleteMessages(channel, [...messages]);
        },
        async roles(guild, user, other) {
          const crew = await api.guild.createGuildRole(guild, {
            name: 'crew',
            color: BLUE,
            hoist: true,
            mentionable: true,
            permissions: String(RIGHTS.manageMessages),
          });
          await api.guild.addGuildMemberRole(guild, user, crew.id);
          await api.guild.updateGuildMember(guild, user, { roles: [crew.id, other] });
          await api.guild.removeGuildMemberRole(guild, user, other);
          return crew.id;
        },
        async channels(guild, category) {
          const { id } = await api.guild.createGuildChannel(guild, { name: 'deck', parent_id: category });
          await api.channel.updateChannel(id, { topic: 'On deck', rate_limit_per_user: 5 });
          await api.guild.updateChannelPositions(guild, [{ id, position: 0 }]);
          return id;
        },
        async overwrites(channel, role, user) {
          const [view, send] = [String(RIGHTS.view), String(RIGHTS.send)];
          await api.channel.editChannelPermission(channel, role, { type: 0, allow: view, deny: send });
          await api.channel.editChannelPermission(channel, user, { type: 1, allow: send });
          await api.channel.deleteChannelPermission(channel, user);
        },
        async threads({ channel, id: message }, user) {
          const { id } = await api.channel.createThreadWithMessage(channel, message, { name: 'Tide' });
          await api.channel.addThreadMember(id, user);
          await api.channel.createMessage(id, 'Rising');
          await api.channel.updateChannel(id, { archived: true });
          await api.channel.updateChannel(id, { archived: false });
          await api.channel.updateChannel(id, { locked: true });
          return id;
        },
        async forum(guild) {
          const tags = [{ name: 'High' }, { name: 'Low' }];
          const made = { name: 'logs', type: 15, available_tags: tags };
          const forum: Seen = await api.guild.createGuildChannel(guild, made as never);
          const post = await api.channel.createThreadWithoutMessage(forum.id, {
            name: 'Monday',
            applied_tags: [forum.available_tags[1].id],
            message: { content: 'All well' },
          } as never);
          return { forum: forum.id, post: post.id };
        },
        async files(channel, png) {
          const { id, attachments } = await api.channel.createMessage(channel, {
            attachments: [{ id: '0', description: 'The tide' }, { id: '1' }],
            files: [
              { name: 'tide table.png', file: Buffer.from(png, 'base64') },
              { name: 'notes.txt', file: NOTES },
            ],
          });
          const [kept] = attachments.map((attachment) => ({ id: attachment.id }));
          await api.channel.editMessage(channel, id, { attachments: kept === undefined ? [] : [kept] });
          return { channel, id };
        },
        async embeds(channel, png) {
          const files = [{ name: 'tide.png', file: Buffer.from(png, 'base64') }];
          return placeOf(await api.channel.createMessage(channel, { embeds: [EMBED as never], files }));
        },
        async components(channel) {
          const body = { content: 'Where to?', components: ROWS as never };
          return placeOf(await api.channel.createMessage(channel, body));
        },
        async moderation(guild, [first, second, third]) {
          const reason = REASON;
          const until = new Date(Date.now() + 60_000).toISOString();
          const timeout = (communication_disabled_until: string | null) =>
            api.guild.updateGuildMember(guild, first, { communication_disabled_until, reason } as never);
          await timeout(until);
          await timeout(null);
          await api.guild.removeGuildMember(guild, second, reason);
          await api.guild.createGuildBan(guild, third, { delete_message_seconds: 3600, reason });
          const banned = (await api.guild.getGuildBans(guild)).map(({ user }) => user.id);
          await api.guild.removeGuildBan(guild, third, reason);
          return banned;
        },
        async voice(guild, user, channel) {
          await api.guild.updateGuildMember(guild, user, { channel_id: channel });
          await api.guild.updateGuildMember(guild, user, { mute: true });
          await expect.poll(() => calls.get(user)).toBe(channel);
          return calls.get(user) ?? '';
        },
        async hangUp(guild, user) {
          await api.guild.updateGuildMember(guild, user, { channel_id: null });
        },
        async commands(guild) {
          await api.interaction.bulkOverwriteGuildApplicationCommands(APP, guild, [...COMMANDS] as never);
        },
        autocomplete: listens,
        modals: listens,
        commandFiles: listens,
        async invites(channel) {
          const made = { max_age: 3600, max_uses: 2 };
          const { code } = await api.channel.createChannelInvite(channel, made);
          const listed = (await api.channel.getChannelInvites(channel)).map((invite) => invite.code);
          await api.invite.deleteInvite(code);
          return { code, listed };
        },
        async webhooks(channel) {
          const { id } = await api.webhook.createWebhook(channel, { name: 'Tide table' });
          const listed = (await api.webhook.getChannelWebhooks(channel)).map((hook) => hook.id);
          await api.webhook.updateWebhook(id, { name: 'Tides' });
          return { id, listed };
        },
        async webhookMessages({ id, token: secret }) {
          const message: Seen = await api.webhook.executeWebhook(
            id,
            secret,
            {
              content: 'High water',
              username: 'Buoy',
              embeds: [{ title: 'Now' }],
              files: [{ name: 'notes.txt', file: NOTES }],
            },
            { wait: true },
          );
          const edited = { content: 'Low water' };
          return placeOf(await api.webhook.editWebhookMessage(id, secret, message.id, edited));
        },
        async events(guild, channel_id) {
          const { guildScheduledEvent: events } = api;
          const { id } = await events.createGuildScheduledEvent(guild, {
            name: 'Regatta',
            scheduled_start_time: tomorrow().toISOString(),
            privacy_level: 2,
            entity_type: 2,
            channel_id,
          });
          await events.editGuildScheduledEvent(guild, id, { name: 'Race' });
          await events.editGuildScheduledEvent(guild, id, { status: 2 });
          return id;
        },
        async pins({ channel, id }) {
          await api.channel.addChannelPinnedMessage(channel, id);
          const { items } = await api.channel.getChannelPinnedMessages(channel);
          return items.map(({ message }) => message.id);
        },
        resume: () => Promise.resolve({ resumed, heard: heard.map(({ content }) => content) }),
      },
    };
  },
});

async function answer({ interaction: interactions }: SnowTransfer, interaction: Seen): Promise<void> {
  const { id, token, data, type } = interaction;
  const respond = (kind: number, answered?: object) =>
    interactions.createInteractionResponse(id, token, { type: kind, data: answered } as never);
  const { options, resolved } = data;
  if (type === 4) await respond(8, { choices: placesFor(options[0].value) });
  else if (data.custom_id === 'sail')
    await respond(7, { content: `${interaction.member.user.username} sails`, components: [] });
  else if (data.custom_id === 'port') await respond(4, { content: `To ${data.values[0]}`, flags: 64 });
  else if (type === 5) await respond(4, { content: `Written: ${data.components[0].components[0].value}` });
  else if (data.name === 'log') await respond(9, MODAL);
  else if (data.name === 'tide')
    await respond(4, { content: `${options[0].value} for ${resolved.users[options[1].value].username}` });
  else {
    await respond(5);
    const content = `Chart of ${resolved.attachments[options[0].value].filename}`;
    const files = [{ name: 'chart.txt', file: CHART }];
    await interactions.editOriginalInteractionResponse(APP, token, { content, files });
  }
}
