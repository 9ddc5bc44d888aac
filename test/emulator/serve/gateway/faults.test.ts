import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';

const PROPERTIES = { os: 'linux', browser: 'test', device: 'test' };

it('an invalid payload closes only its own connection, with the documented code [W-2, N-7, U-10, L-11]', async () => {
  const platform = await botPlatform({}, ['message_content']);
  const token = tokenOf(platform);
  const bystander = new GatewayClient(platform.url);
  await bystander.identify(token);
  const identify = (fields: object): object => ({
    op: 2,
    d: { token, intents: 0, properties: PROPERTIES, ...fields },
  });
  const heartbeat = { op: 1, d: null };
  const rows: readonly (readonly [
    what: string,
    code: number,
    reason: RegExp,
    sent: readonly unknown[],
    query?: string,
  ])[] = [
    ['an unknown opcode', 4001, /does not|do not send 5/, [{ op: 5, d: null }]],
    ['an opcode of the server', 4001, /do not send 10/, [{ op: 10, d: null }]],
    ['no JSON', 4002, /not JSON/, ['{']],
    ['a list', 4002, /not an object/, ['[]']],
    ['no opcode', 4002, /"op"/, ['{"d":1}']],
    ['bytes that are not JSON', 4002, /not JSON/, [Buffer.from([0x83, 0x6d, 0, 0])]],
    ['bytes that are not UTF-8', 4002, /not JSON/, [Buffer.from('{"op":1,"d":"\xff"}', 'latin1')]],
    ['more than 4,096 binary bytes', 4002, /4096 bytes/, [Buffer.alloc(4097, ' ')]],
    ['more than 4,096 bytes', 4002, /4096 bytes/, [`{"op":1,"d":null,"x":"${'x'.repeat(4096)}"}`]],
    ['ETF', 4002, /ETF is not offered; connect with encoding=json$/, [], '?v=10&encoding=etf'],
    [
      'another encoding',
      4002,
      /: that encoding is not offered; connect with encoding=json$/,
      [],
      '?encoding=xml',
    ],
    ['another compression', 4002, /: compress is zlib-stream, zstd-stream or absent$/, [], '?compress=gzip'],
    ['another version', 4012, /from 6 to 10/, [], '?v=11&encoding=json'],
    ['a command before Identify', 4003, /Identify or Resume first/, [{ op: 8, d: {} }]],
    ['a wrong token', 4004, /token/, [identify({ token: `${token}x` })]],
    ['no token', 4002, /d\.token/, [{ op: 2, d: { intents: 0, properties: {} } }]],
    ['no properties', 4002, /d\.properties/, [{ op: 2, d: { token, intents: 0 } }]],
    ['Identify twice', 4005, /Already/, [identify({}), identify({})]],
    ['Resume after Identify', 4005, /Already/, [identify({}), { op: 6, d: {} }]],
    ['a shard that is none', 4010, /id < count/, [identify({ shard: [2, 2] })]],
    ['an unknown intent', 4013, /documented bits/, [identify({ intents: 1 << 19 })]],
    ['a negative set of intents', 4013, /documented bits/, [identify({ intents: -1 })]],
    ['no intents', 4013, /documented bits/, [identify({ intents: undefined })]],
    ['a privileged intent that is not allowed', 4014, /GUILD_MEMBERS/, [identify({ intents: 1 << 1 })]],
    ['more than 120 payloads in a minute', 4008, /120/, Array.from({ length: 121 }, () => heartbeat)],
    ['presence without a status', 4002, /d\.status/, [identify({}), { op: 3, d: { activities: [] } }]],
    [
      'more than 100 members by id',
      4002,
      /user_ids/,
      [identify({}), { op: 8, d: { guild_id: '1', user_ids: [] } }, { op: 8, d: null }],
    ],
  ];
  for (const [what, code, reason, sent, query] of rows) {
    const client = new GatewayClient(platform.url, query);
    if (query === undefined) await client.op(10);
    for (const payload of sent) client.send(payload);
    const closed = await client.closed;
    expect({ what, code: closed.code }).toEqual({ what, code });
    if (!what.startsWith('more than 100')) expect(closed.reason).toMatch(reason);
  }
  bystander.send(heartbeat);
  await bystander.op(11);
  // Libraries drop the reason of a close.
  expect(platform.lines).toContain(
    'the gateway refused a connection: 4002 Error while decoding payload: ETF is not offered; connect with encoding=json',
  );
  // discord.js says no more than "Used disallowed intents".
  expect(platform.lines).toContain(
    'the gateway refused a session: 4014 Disallowed intent(s): GUILD_MEMBERS. Lacking in "intents" of the application: guild_members',
  );
});

it('a web page, a wrong Host and another path get no WebSocket, and an h2c request a plain response [W-2]', async () => {
  const platform = await botPlatform();
  const { port, host } = new URL(platform.url);
  const upgrade = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = request({
        port,
        path,
        agent: false,
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': Buffer.alloc(16).toString('base64'),
          ...headers,
        },
      });
      asked.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve(101);
      });
      asked.on('error', reject);
      asked.end();
    });
  for (const path of ['/gateway', '/gateway/', '/gateway/?v=10&encoding=json', '/?v=10&encoding=json', '/']) {
    expect(await upgrade(path, {})).toBe(101);
  }
  for (const origin of ['http://localhost', `http://${host}`, 'null', '']) {
    expect(await upgrade('/gateway', { origin })).toBe(403);
  }
  expect(await upgrade('/gateway', { host: 'rebound.example' })).toBe(403);
  expect(await upgrade('/api/v10/gateway', {})).toBe(200);
  expect(await upgrade('/gateway', { 'sec-websocket-version': '12' })).toBe(400);
  const body = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
      if (text.includes('shards')) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    const head = `Host: ${host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n`;
    socket.write(
      `GET /api/v10/gateway/bot HTTP/1.1\r\n${head}Authorization: ${platform.bot().authorization}\r\n\r\n`,
    );
  });
  expect(body).toMatch(/^HTTP\/1\.1 200/);
});
