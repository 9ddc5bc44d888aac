// What libraries send otherwise than the platform's pages say.
import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { APP } from '../../../helpers/platform.ts';

const GUILDS = 1;
const VOICE_STATES = 1 << 7;
const GUILD = ids.riverBank;

describe('hikari', () => {
  it('sends every opcode as JSON in binary messages', async () => {
    const platform = await botPlatform();
    const token = tokenOf(platform);
    const properties = { os: 'linux', browser: 'hikari', device: 'hikari' };
    const connected = async () => {
      const client = new GatewayClient(platform.url);
      await client.op(10);
      const send = (op: number, d: unknown) => client.send(Buffer.from(JSON.stringify({ op, d })));
      return { client, send };
    };
    const { client, send } = await connected();
    send(1, null);
    await client.op(11);
    send(2, { token, compress: false, large_threshold: 250, properties, shard: [0, 1], intents: GUILDS });
    const { d: ready } = await client.event('READY');
    send(3, {
      since: null,
      afk: false,
      status: 'idle',
      activities: [{ name: 'ebb – ü', state: null, type: 0, url: null }],
    });
    send(8, { guild_id: GUILD, query: '', limit: 0, user_ids: [APP], nonce: 'n' });
    expect((await client.event('GUILD_MEMBERS_CHUNK')).d).toMatchObject({
      nonce: 'n',
      members: [{ user: { id: APP } }],
    });
    const presences = [...platform.emulator.tables.session_presences].filter(({ user }) => user === APP);
    expect(presences).toMatchObject([{ status: 'idle', activities: [{ name: 'ebb – ü' }] }]);
    send(31, { guild_ids: [GUILD] });
    await client.event('SOUNDBOARD_SOUNDS');
    send(43, { guild_id: GUILD, fields: ['status'] });
    const { s } = await client.event('CHANNEL_INFO');
    await client.cut();
    const again = await connected();
    again.send(6, { token, session_id: ready.session_id, seq: s });
    await again.client.event('RESUMED');
  });
});

describe('a voice state', () => {
  it.each([
    ['hikari, which omits self_mute and self_deaf', {}],
    ['detritus-client, which omits what its user left out', { self_deaf: true }],
    ['a program that sends null', { self_mute: null, self_deaf: null }],
  ])('of %s has false for them', async (_, flags) => {
    const platform = await botPlatform();
    const channel = [...platform.emulator.tables.channels.by('guild', GUILD)].find(({ type }) => type === 2);
    const client = new GatewayClient(platform.url);
    await client.identify(tokenOf(platform), { intents: GUILDS | VOICE_STATES });
    client.send({ op: 4, d: { guild_id: GUILD, channel_id: channel?.id, ...flags } });
    expect((await client.event('VOICE_STATE_UPDATE')).d).toMatchObject({
      channel_id: channel?.id,
      user_id: APP,
      self_mute: false,
      self_deaf: 'self_deaf' in flags && flags.self_deaf === true,
    });
    client.send({ op: 4, d: { guild_id: GUILD, channel_id: null } });
    expect((await client.event('VOICE_STATE_UPDATE')).d).toMatchObject({ channel_id: null });
  });
});
