import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';

const QUERY = '?v=10&encoding=json&compress=zstd-stream';
const hasZstd = 'createZstdDecompress' in zlib;

describe('compress=zstd-stream', () => {
  it.runIf(hasZstd)('sends all payloads in one zstd frame, each as one message', async () => {
    const platform = await botPlatform();
    const client = new GatewayClient(platform.url, QUERY);
    const { guilds } = (await client.identify(tokenOf(platform), { intents: 1 })).d;
    expect(guilds).not.toEqual([]);
    for (const _ of guilds) expect((await client.event('GUILD_CREATE')).d.channels).not.toEqual([]);
    client.send({ op: 1, d: null });
    await client.op(11);
    expect(client.binary).toBe(client.received.length);
  });

  it.skipIf(hasZstd)('is closed with the version of Node that has it, on an earlier one', async () => {
    const platform = await botPlatform();
    const reason = `Error while decoding payload: zstd-stream needs Node 22.15 or newer, this is ${process.versions.node}; take zlib-stream`;
    expect(await new GatewayClient(platform.url, QUERY).closed).toEqual({ code: 4002, reason });
    expect(platform.lines).toContain(`the gateway refused a connection: 4002 ${reason}`);
  });
});
