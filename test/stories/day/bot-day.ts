// The day of a bot, and what is looked at in each step of what is written and who may what.
import { expect } from 'vitest';
import { PNG } from '../bot-world.ts';
import { APP } from '../story.ts';
import { interactionSteps } from './bot-interactions.ts';
import type { BotParts, MessagePlace } from './bot-parts.ts';
import { type BotStage, openBotStage, type Seen, WORLD } from './bot-stage.ts';
import type { Day, Steps } from './day.ts';

const { guild, general, otter, mole, toad } = WORLD;
const VIEW = '1024';
const SEND = '2048';
const BASE64 = PNG.toString('base64');

async function say({ emulator }: BotStage, text: string, author: string = otter): Promise<string> {
  const said = await emulator.operations.call('channel.say', { channel: general, text, author });
  return (said as { readonly id: string }).id;
}

async function messageAt({ look }: BotStage, { channel, id }: MessagePlace): Promise<Seen> {
  const { status, body } = await look(`/channels/${channel}/messages/${id}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
}

const steps: Steps<BotStage, BotParts> = {
  async login(_stage, login) {
    expect(await login()).toBe('harbour');
  },

  async cache({ look }, cache) {
    const [channels, roles, members] = await Promise.all(
      ['channels', 'roles', 'members?limit=100'].map(
        async (what) => (await look(`/guilds/${guild}/${what}`)).body,
      ),
    );
    expect(await cache(guild)).toEqual({
      name: 'River Bank',
      channels: channels.length,
      roles: roles.length,
      members: members.length,
    });
  },

  async reply(stage, reply) {
    const said = await say(stage, 'ahoy');
    const place = await reply('ahoy', 'ahoy yourself');
    expect(await messageAt(stage, place)).toMatchObject({
      type: 19,
      content: 'ahoy yourself',
      message_reference: { message_id: said },
    });
  },

  async message(stage, message) {
    expect(await messageAt(stage, await message(general))).toMatchObject({
      content: 'high',
      edited_timestamp: expect.any(String),
      reactions: [{ emoji: { name: '🌊' }, count: 1 }],
    });
  },

  async direct({ emulator }, direct) {
    const { channel, id } = await direct(otter, 'Only you');
    const shown = (await emulator.operations.call('emulator.show', {})) as Seen;
    const own = shown.messages.find((row: Seen) => row.id === id);
    expect(own).toMatchObject({ channel, content: 'Only you' });
  },

  async purge(stage, purge) {
    const said = [await say(stage, 'one'), await say(stage, 'two'), await say(stage, 'three')];
    await purge(general, said);
    for (const id of said) expect((await stage.look(`/channels/${general}/messages/${id}`)).status).toBe(404);
  },

  async roles({ look }, roles) {
    const role = await roles(guild, otter, WORLD.deckhand);
    expect((await look(`/guilds/${guild}/roles/${role}`)).body).toMatchObject({
      name: 'crew',
      color: 0x3366ff,
      hoist: true,
      mentionable: true,
      permissions: '8192',
    });
    expect((await look(`/guilds/${guild}/members/${otter}`)).body.roles).toEqual([role]);
  },

  async channels({ look }, channels) {
    const id = await channels(guild, WORLD.category);
    expect((await look(`/channels/${id}`)).body).toMatchObject({
      name: 'deck',
      parent_id: WORLD.category,
      topic: 'On deck',
      rate_limit_per_user: 5,
      position: 0,
    });
  },

  async overwrites({ look, make }, overwrites) {
    const { id } = await make(`/guilds/${guild}/channels`, { name: 'cabin' });
    await overwrites(id, WORLD.deckhand, otter);
    expect((await look(`/channels/${id}`)).body.permission_overwrites).toEqual([
      { id: WORLD.deckhand, type: 0, allow: VIEW, deny: SEND },
    ]);
  },

  async threads(stage, threads) {
    const message = await say(stage, 'The tide');
    const id = await threads({ channel: general, id: message }, otter);
    expect((await stage.look(`/channels/${id}`)).body).toMatchObject({
      id: message,
      name: 'Tide',
      thread_metadata: { archived: false, locked: true },
    });
    const members = (await stage.look(`/channels/${id}/thread-members`)).body as Seen[];
    expect(members.map(({ user_id }) => user_id)).toContain(otter);
    const said = (await stage.look(`/channels/${id}/messages`)).body as Seen[];
    expect(said.map(({ content }) => content)).toContain('Rising');
  },

  async forum({ look }, makeForum) {
    const { forum, post } = await makeForum(guild);
    const { available_tags, type } = (await look(`/channels/${forum}`)).body;
    expect([type, available_tags.map(({ name }: Seen) => name)]).toEqual([15, ['High', 'Low']]);
    expect((await look(`/channels/${post}`)).body).toMatchObject({
      parent_id: forum,
      name: 'Monday',
      applied_tags: [available_tags[1].id],
    });
    expect((await look(`/channels/${post}/messages/${post}`)).body.content).toBe('All well');
  },

  async files(stage, files) {
    const { attachments } = await messageAt(stage, await files(general, BASE64));
    expect(attachments).toMatchObject([{ size: PNG.length, description: 'The tide' }]);
    expect(attachments[0].filename).toMatch(/^tide.table\.png$/);
    const fetched = await fetch(attachments[0].url);
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(PNG);
  },

  async embeds(stage, embeds) {
    const { attachments, embeds: shown } = await messageAt(stage, await embeds(general, BASE64));
    expect(shown).toMatchObject([
      {
        title: 'Tide table',
        color: 0x3366ff,
        fields: [
          { name: 'High', value: '06:12', inline: true },
          { name: 'Low', value: '12:20', inline: true },
        ],
        image: { url: expect.stringContaining('tide.png') },
      },
    ]);
    expect(attachments).toEqual([]);
  },

  async moderation(stage, moderation) {
    const said = await say(stage, 'grr', toad);
    expect(await moderation(guild, [otter, mole, toad])).toEqual([toad]);
    const { look } = stage;
    expect((await look(`/guilds/${guild}/members/${otter}`)).body.communication_disabled_until).toBeNull();
    for (const user of [mole, toad])
      expect((await look(`/guilds/${guild}/members/${user}`)).status).toBe(404);
    expect((await look(`/channels/${general}/messages/${said}`)).status).toBe(404);
    expect((await look(`/guilds/${guild}/bans`)).body).toEqual([]);
    const { audit_log_entries: entries } = (await look(`/guilds/${guild}/audit-logs`)).body;
    const because = entries.filter(({ reason }: Seen) => reason === 'the rules');
    expect(because.map(({ action_type }: Seen) => action_type)).toEqual([23, 22, 20, 24, 24]);
  },

  async voice({ emulator, look }, voice) {
    await emulator.operations.call('voice.join', { user: otter, channel: WORLD.lounge });
    expect(await voice(guild, otter, WORLD.boat)).toBe(WORLD.boat);
    expect((await look(`/guilds/${guild}/voice-states/${otter}`)).body).toMatchObject({
      channel_id: WORLD.boat,
      mute: true,
    });
  },

  async hangUp({ look }, hangUp) {
    await hangUp(guild, otter);
    expect((await look(`/guilds/${guild}/voice-states/${otter}`)).body).toMatchObject({ code: 10065 });
  },

  ...interactionSteps,

  async invites({ look }, invites) {
    const { code, listed } = await invites(general);
    expect(listed).toEqual([code]);
    expect((await look(`/invites/${code}`)).status).toBe(404);
  },

  async webhooks({ look }, webhooks) {
    const { id, listed } = await webhooks(general);
    expect(listed).toContain(id);
    expect((await look(`/webhooks/${id}`)).body).toMatchObject({ name: 'Tides', channel_id: general });
  },

  async webhookMessages(stage, send) {
    const { id, token, url } = await stage.make(`/channels/${general}/webhooks`, { name: 'Weather' });
    const place = await send({ id, token, url, channel: general });
    expect(await messageAt(stage, place)).toMatchObject({
      webhook_id: id,
      content: 'Low water',
      author: { username: 'Buoy' },
      embeds: [{ title: 'Now' }],
      attachments: [{ filename: 'notes.txt', size: 10 }],
    });
  },

  async events({ look }, events) {
    const id = await events(guild, WORLD.lounge);
    const { body } = await look(`/guilds/${guild}/scheduled-events/${id}`);
    expect(body).toMatchObject({ name: 'Race', status: 2, channel_id: WORLD.lounge });
  },

  async pins(stage, pins) {
    const id = await say(stage, 'To find again');
    expect(await pins({ channel: general, id })).toEqual([id]);
    expect(await messageAt(stage, { channel: general, id })).toMatchObject({ pinned: true });
  },

  async search(stage, search) {
    const id = await say(stage, 'kingfisher at the weir');
    expect(await search(guild, 'kingfisher')).toEqual([id]);
  },

  async resume(stage, resume) {
    const { operations } = stage.emulator;
    // A message of an earlier step may still be on its way.
    const said = async () => (await resume()).heard.filter((text) => text.startsWith('while '));
    const resumed = async () => (await resume()).resumed;
    const patience = { timeout: 30_000 };
    await operations.call('gateway.cut', { app: APP });
    await say(stage, 'while it was cut');
    await expect.poll(said, patience).toEqual(['while it was cut']);
    await operations.call('gateway.reconnect', { app: APP });
    await say(stage, 'while it came back');
    await expect.poll(said, patience).toEqual(['while it was cut', 'while it came back']);
    await expect.poll(resumed, patience).toBe(2);
  },
};

/** The day of a bot. */
export const botDay: Day<BotStage, BotParts> = {
  kind: 'bots',
  steps,
  open: openBotStage,
  close: ({ emulator }) => emulator.close(),
};
