import http from 'node:http';
import https from 'node:https';
import { ApiHandler, AttachmentBuilder, Client, createEvent } from 'seyfert';
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
import { listens, placesFor } from './bot-parts.ts';
import type { Seen } from './bot-stage.ts';
import { playDay } from './day.ts';

const placeOf = ({ channelId, id }: Seen) => ({ channel: channelId, id });
const file = (name: string, bytes: Buffer, description = '') =>
  new AttachmentBuilder({ filename: name, description, type: 'buffer', resolvable: bytes });

/** Its gateway knows no address but of TLS at the usual port, so requests of TLS go to the emulator until the end. */
function connectPlainly(api: string): () => void {
  const { port } = new URL(api);
  const { request } = https;
  https.request = ((options: object) => http.request({ ...options, port })) as typeof request;
  return () => {
    https.request = request;
  };
}

playDay(botDay, {
  name: 'seyfert',
  absent: {},
  start({ api, token }) {
    const client: Seen = new Client({ getRC: () => ({ token, intents: INTENTS, locations: { base: '' } }) });
    const { origin } = new URL(api);
    const restore = connectPlainly(api);
    client.setServices({ rest: new ApiHandler({ token, domain: origin, baseUrl: 'api/v10' }) });
    const heard: Seen[] = [];
    const faults: string[] = [];
    let resumed = 0;
    let isReady: () => void = () => {};
    const ready = new Promise<void>((resolve) => {
      isReady = resolve;
    });
    client.events.set([
      createEvent({ data: { name: 'botReady' }, run: () => isReady() }),
      createEvent({
        data: { name: 'messageCreate' },
        run(message: Seen) {
          if (message.author.id !== APP && message.webhookId === undefined) heard.push(message);
        },
      }),
      createEvent({
        data: { name: 'resumed' },
        run() {
          resumed += 1;
        },
      }),
      createEvent({
        data: { name: 'interactionCreate' },
        run: (interaction: Seen) => answer(interaction).catch((error: unknown) => faults.push(String(error))),
      }),
    ]);
    const { messages, members, channels, guilds, roles, threads, webhooks } = client;
    return {
      faults: () => faults.splice(0),
      end() {
        client.gateway?.disconnectAll();
        restore();
      },
      parts: {
        async login() {
          await client.start();
          await ready;
          return client.me.username;
        },
        async cache(id) {
          const shard = client.gateway.values().next().value;
          const chunk = await shard.requestGuildMember({ guild_id: id, query: '', limit: 0 });
          const { name } = await client.cache.guilds.get(id);
          const [known, found] = await Promise.all([
            client.cache.channels.values(id),
            client.cache.roles.values(id),
          ]);
          return { name, channels: known.length, roles: found.length, members: chunk.members.length };
        },
        async reply(said, content) {
          await expect.poll(() => heard.some((message) => message.content === said)).toBe(true);
          const message = heard.find(({ content: text }) => text === said);
          return placeOf(await message.reply({ content }));
        },
        async message(channel) {
          const message = await messages.write(channel, { content: 'low' });
          await message.edit({ content: 'high' });
          await message.react('🌊');
          return placeOf(message);
        },
        async direct(user, content) {
          return placeOf(await client.users.write(user, { content }));
        },
        async purge(channel, ids) {
          await messages.purge([...ids], channel);
        },
        async roles(guild, user, other) {
          const { id } = await roles.create(guild, {
            name: 'crew',
            color: BLUE,
            hoist: true,
            mentionable: true,
            permissions: String(RIGHTS.manageMessages),
          });
          await members.addRole(guild, user, id);
          await members.edit(guild, user, { roles: [id, other] });
          await members.removeRole(guild, user, other);
          return id;
        },
        async channels(guild, category) {
          const { id } = await guilds.channels.create(guild, { name: 'deck', type: 0, parent_id: category });
          await channels.edit(id, { topic: 'On deck', rate_limit_per_user: 5 }, { guildId: guild });
          await guilds.channels.editPositions(guild, [{ id, position: 0 }]);
          return id;
        },
        async overwrites(channel, role, user) {
          const [allow, deny] = [String(RIGHTS.view), String(RIGHTS.send)];
          await channels.editOverwrite(channel, role, { type: 0, allow, deny });
          await channels.editOverwrite(channel, user, { type: 1, allow: deny });
          await channels.deleteOverwrite(channel, user);
        },
        async threads({ channel, id: message }, user) {
          const { id } = await threads.fromMessage(channel, message, { name: 'Tide' });
          await threads.addMember(id, user);
          await messages.write(id, { content: 'Rising' });
          await threads.edit(id, { archived: true });
          await threads.edit(id, { archived: false });
          await threads.lock(id, true);
          return id;
        },
        async forum(guild) {
          const available_tags = [{ name: 'High' }, { name: 'Low' }];
          const forum = await guilds.channels.create(guild, { name: 'logs', type: 15, available_tags });
          const low = forum.availableTags.find(({ name }: Seen) => name === 'Low');
          const post = await threads.create(forum.id, {
            name: 'Monday',
            applied_tags: [low.id],
            message: { content: 'All well' },
          });
          return { forum: forum.id, post: post.id };
        },
        async files(channel, png) {
          const files = [
            file('tide table.png', Buffer.from(png, 'base64'), 'The tide'),
            file('notes.txt', NOTES),
          ];
          const message = await messages.write(channel, { files });
          const [picture] = message.attachments;
          return placeOf(await message.edit({ attachments: [{ id: picture.id }] }));
        },
        async embeds(channel, png) {
          const files = [file('tide.png', Buffer.from(png, 'base64'))];
          return placeOf(await messages.write(channel, { embeds: [EMBED], files }));
        },
        async components(channel) {
          return placeOf(await messages.write(channel, { content: 'Where to?', components: ROWS }));
        },
        async moderation(guild, [first, second, third]) {
          await members.timeout(guild, first, 60, REASON);
          await members.timeout(guild, first, null, REASON);
          await members.kick(guild, second, REASON);
          await members.ban(guild, third, { deleteMessageSeconds: 3600, reason: REASON });
          const banned = (await client.bans.list(guild, {}, true)).map(
            ({ user, id }: Seen) => user?.id ?? id,
          );
          await members.unban(guild, third, REASON);
          return banned;
        },
        async voice(guild, user, channel) {
          await members.edit(guild, user, { channel_id: channel });
          await members.edit(guild, user, { mute: true });
          const where = async () => (await client.cache.voiceStates.get(user, guild))?.channelId;
          await expect.poll(where).toBe(channel);
          return (await where()) ?? '';
        },
        async hangUp(guild, user) {
          await members.edit(guild, user, { channel_id: null });
        },
        async commands(guild) {
          await client.proxy
            .applications(client.applicationId)
            .guilds(guild)
            .commands.put({ body: COMMANDS });
        },
        autocomplete: listens,
        modals: listens,
        commandFiles: listens,
        async invites(channel) {
          const { invites } = await channels.fetch(channel);
          const { code } = await invites.create({ max_age: 3600, max_uses: 2 });
          const listed = Object.values(await invites.list()).map((one: Seen) => one.code);
          await client.invites.delete(code);
          return { code, listed };
        },
        async webhooks(channel) {
          const { id } = await webhooks.create(channel, { name: 'Tide table' });
          const listed = (await webhooks.listFromChannel(channel)).map((one: Seen) => one.id);
          await webhooks.edit(id, { name: 'Tides' }, {});
          return { id, listed };
        },
        async webhookMessages({ id, token: secret }) {
          const message = await webhooks.writeMessage(id, secret, {
            body: {
              content: 'High water',
              username: 'Buoy',
              embeds: [{ title: 'Now' }],
              files: [file('notes.txt', NOTES)],
            },
            query: { wait: true },
          });
          const edited = { messageId: message.id, body: { content: 'Low water' } };
          return placeOf(await webhooks.editMessage(id, secret, edited));
        },
        async events(guild, channel_id) {
          const events = client.proxy.guilds(guild)['scheduled-events'];
          const scheduled_start_time = tomorrow().toISOString();
          const body = {
            name: 'Regatta',
            scheduled_start_time,
            privacy_level: 2,
            entity_type: 2,
            channel_id,
          };
          const { id } = await events.post({ body });
          await client.proxy
            .guilds(guild)
            ['scheduled-events'](id)
            .patch({ body: { name: 'Race' } });
          await client.proxy
            .guilds(guild)
            ['scheduled-events'](id)
            .patch({ body: { status: 2 } });
          return id;
        },
        async pins({ channel, id }) {
          await channels.setPin(id, channel);
          return (await channels.pins(channel)).items.map(({ message }: Seen) => message.id);
        },
        async search(guild, content) {
          const found = await guilds.searchMessages(guild, { content }, true);
          return found.messages.map(({ id }: Seen) => id);
        },
        resume: () => Promise.resolve({ resumed, heard: heard.map(({ content }) => content) }),
      },
    };
  },
});

async function answer(interaction: Seen): Promise<void> {
  const { user } = interaction;
  if (interaction.isAutocomplete()) {
    await interaction.respond(placesFor(interaction.getInput()));
  } else if (interaction.isButton()) {
    await interaction.update({ content: `${user.username} sails`, components: [] });
  } else if (interaction.isStringSelectMenu()) {
    await interaction.write({ content: `To ${interaction.values[0]}`, flags: 64 });
  } else if (interaction.isModal()) {
    const [{ components }] = interaction.data.components;
    await interaction.write({ content: `Written: ${components[0].value}` });
  } else if (interaction.data.name === 'tide') {
    const [place, who] = interaction.data.options;
    const { username } = interaction.data.resolved.users[who.value];
    await interaction.write({ content: `${place.value} for ${username}` });
  } else if (interaction.data.name === 'log') {
    await interaction.modal(MODAL);
  } else {
    await interaction.deferReply();
    const { filename } = interaction.data.resolved.attachments[interaction.data.options[0].value];
    await interaction.editResponse({ content: `Chart of ${filename}`, files: [file('chart.txt', CHART)] });
  }
}
