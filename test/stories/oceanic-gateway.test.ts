// Oceanic at the gateway: it identifies with "Bot T", and expects its own number back with what it asked for.
import * as zlib from 'node:zlib';
import { Client, type Message } from 'oceanic.js';
import { expect, it, onTestFinished } from 'vitest';
import { botStory, GENERAL, GUILD, OTTER } from './bot-world.ts';
import { linesTo } from './gateway-bot.ts';
import { APP, botToken } from './story.ts';

const BOATHOUSE = '500000000000000005';

/** Oceanic takes Node's own zstd, which not every Node has. */
const ZSTD = 'createZstdCompress' in zlib ? ['zstd-stream' as const] : [];

it.each([false as const, 'zlib-stream' as const, ...ZSTD])(
  'Oceanic logs in, requests channel info and members, receives messages, and resumes, with compression %s [W-2, V-8]',
  async (compress) => {
    const emulator = await botStory();
    const lines = linesTo(emulator.api);
    const client = new Client({
      auth: `Bot ${botToken()}`,
      rest: { baseURL: `${emulator.api}/v10` },
      gateway: {
        compress,
        intents: ['GUILDS', 'GUILD_MEMBERS', 'GUILD_MESSAGES', 'GUILD_VOICE_STATES', 'MESSAGE_CONTENT'],
      },
    });
    const faults: unknown[] = [];
    client.on('error', (error) => faults.push(error));
    client.on('warn', (warning) => faults.push(warning));
    onTestFinished(() => client.disconnect(false));
    const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()));
    await client.connect();
    await ready;
    expect([client.user.id, client.guilds.get(GUILD)?.name]).toEqual([APP, 'River Bank']);
    const shard = client.shards.get(0);
    if (shard === undefined) throw new Error('no shard');

    await emulator.operations.call('voice.join', { user: OTTER, channel: BOATHOUSE });
    const asked = await shard.requestChannelInfo(GUILD, { fields: ['status', 'voice_start_time'] });
    expect(asked.map(({ channel }) => channel?.id)).toContain(BOATHOUSE);
    const members = await shard.requestGuildMembers(GUILD, { query: 'ott', limit: 5 });
    expect(members.map(({ id }) => id)).toEqual([OTTER]);

    const told: string[] = [];
    client.on('messageCreate', ({ content }: Message) => void told.push(content));
    const say = (text: string) =>
      emulator.operations.call('channel.say', { channel: GENERAL, text, author: OTTER });
    await say('before');
    await expect.poll(() => told).toEqual(['before']);
    const resumed = new Promise<void>((resolve) => shard.once('resume', () => resolve()));
    expect(lines.cut()).toBeGreaterThan(0);
    await say('meanwhile');
    await resumed;
    await say('after');
    await expect.poll(() => told).toEqual(['before', 'meanwhile', 'after']);
    expect(faults.filter((fault) => !String(fault).includes('1006'))).toEqual([]);
  },
);
