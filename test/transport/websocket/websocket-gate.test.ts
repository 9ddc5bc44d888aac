import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLIENT_ID, settled } from '../../helpers/app-peer.ts';
import {
  hostlessRequest,
  outcomeOf,
  strangeHosts,
  strangeOrigins,
  upgradeRequest,
} from '../../helpers/cross-site.ts';
import { asNobody } from '../../helpers/other-user.ts';
import { uid } from '../../helpers/sockets.ts';
import {
  exchange,
  head,
  loopback,
  ORIGIN,
  QUERY,
  upgradeHeaders,
  type WebBridge,
  webBridge,
} from '../../helpers/web-bridge.ts';

const RPC = `/rpc?v=1&client_id=${CLIENT_ID}`;
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** Nothing of the bridge has been touched: no session, no question to the core. */
function untouched({ core, server }: WebBridge): boolean {
  return core.peers.length === 0 && server.sessions().length === 0 && server.counters()['accepted'] === 0;
}

describe('a WebSocket from a foreign origin (§9 case 23) [T47]', () => {
  it.each(strangeOrigins)('gets 4001 and nothing else: %s', async (_what, lines) => {
    const bridge = await webBridge();
    expect(outcomeOf(await bridge.exchange(upgradeRequest(bridge.port, lines)))).toBe(4001);
    await settled();
    expect(untouched(bridge)).toBe(true);
  });
  it('gets the same bytes, whatever its query', async () => {
    const bridge = await webBridge();
    const queries = [QUERY, '/', '/?v=9', '/?v=1&client_id=1', `/?v=1&client_id=${CLIENT_ID}&encoding=etf`];
    const answers = new Set<string>();
    for (const query of queries) {
      const request = upgradeRequest(bridge.port, ['Origin: https://evil.example'], query);
      answers.add(await bridge.exchange(request));
    }
    expect(answers.size).toBe(1);
  });
  it('gets no answer to a frame behind its request', async () => {
    const bridge = await webBridge();
    const request = upgradeRequest(bridge.port, ['Origin: https://evil.example']);
    const payload = '{"cmd":"GET_GUILDS","nonce":"1"}';
    const frame = Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]).toString('latin1') + payload;
    expect(outcomeOf(await bridge.exchange(request + frame))).toBe(4001);
    expect(untouched(bridge)).toBe(true);
  });
  it('is reported, so that the user can allow its origin', async () => {
    const { exchange: send, port, refused } = await webBridge();
    await send(upgradeRequest(port, [`Origin: https://${'e'.repeat(500)}.example`]));
    expect(refused[0]).toMatch(/4001.*https:\/\/eeee/);
    expect(refused[0]?.length).toBeLessThan(250);
  });
  it('is accepted for its own app only', async () => {
    const origins = [{ clientId: '905987126099836938', origin: ORIGIN }];
    const { connect } = await webBridge({ origins });
    expect((await connect().closed()).code).toBe(4001);
    const own = connect('/?v=1&client_id=905987126099836938');
    expect((await own.answer()).evt).toBe('READY');
  });
});

describe('a WebSocket to another host [T48]', () => {
  it.each(strangeHosts)('gets 403 before the upgrade: %s', async (_what, hosts) => {
    const bridge = await webBridge();
    const lines = [...hosts(bridge.port), `Origin: ${ORIGIN}`];
    const answer = await bridge.exchange(hostlessRequest(bridge.port, lines));
    expect(answer).toBe('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    expect(untouched(bridge)).toBe(true);
  });
});

describe('any other request on the port [T49]', () => {
  it('gets the same bytes, whatever its content', async () => {
    const bridge = await webBridge();
    const here = `127.0.0.1:${bridge.port}`;
    const evil = { host: here, origin: 'https://evil.example' };
    const json = { 'content-type': 'application/json', 'content-length': '2' };
    const upgrade = upgradeHeaders(bridge.port);
    const probes = [
      ...['GET /', 'HEAD /', 'OPTIONS *', 'DELETE /../../etc/passwd', 'PUT /rpc', 'TRACE /'].map((line) =>
        head(line, { host: here }),
      ),
      head('GET /', { host: 'evil.example' }),
      head('GET /', evil),
      head(`GET ${RPC}`, { host: here, origin: ORIGIN }),
      head(`GET ${RPC}&payload=%7B%7D&callback=http%3A%2F%2F${here}`, { host: here }),
      head(`OPTIONS ${RPC}`, evil),
      head(`OPTIONS ${RPC}`, { ...evil, 'access-control-request-private-network': 'true' }),
      `${head(`POST ${RPC}`, { ...evil, ...json })}{}`,
      `${head(`POST ${RPC}`, { host: here, ...json })}{}`,
      `${head(`POST ${RPC}`, { host: 'evil.example', origin: ORIGIN, ...json })}{}`,
      `${head('POST /rpc/', { host: here, origin: ORIGIN, ...json })}{}`,
      `${head('POST /rpc', { host: here, origin: 'null', ...json })}{}`,
      head('POST /rpc', { ...evil, expect: '100-continue', 'content-length': '5' }),
      head('POST /', { host: here, expect: 'the unexpected', 'content-length': '0' }),
      head(`CONNECT ${here}`, { host: here }),
      'GET / HTTP/1.0\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'no http at all\r\n\r\n',
      '\0\0\0\0\x20\0\0\0{"v":1}',
      `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      'POST /rpc HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      head(`GET /other${QUERY}`, { ...upgrade, origin: ORIGIN }),
      head(`GET ${QUERY}`, { ...upgrade, origin: ORIGIN, upgrade: 'h2c' }),
      head(`GET ${QUERY}`, { ...upgrade, origin: ORIGIN, 'sec-websocket-version': '8' }),
      head(`GET ${QUERY}`, { ...upgrade, origin: ORIGIN, 'sec-websocket-key': 'short' }),
      head(`POST ${QUERY}`, { ...upgrade, origin: ORIGIN }),
    ];
    for (const probe of probes) expect([probe, await bridge.exchange(probe)]).toEqual([probe, NOT_FOUND]);
    expect(untouched(bridge)).toBe(true);
  });
  it('gets one answer per connection, and a second request none', async () => {
    const bridge = await webBridge();
    const request = head('GET /', { host: `127.0.0.1:${bridge.port}` });
    const rpc = head(`POST ${RPC}`, {
      host: `127.0.0.1:${bridge.port}`,
      origin: ORIGIN,
      'content-type': 'application/json',
      'content-length': '32',
    });
    expect(await bridge.exchange(`${request}${rpc}{"cmd":"GET_GUILDS","nonce":"1"}`)).toBe(NOT_FOUND);
    expect(untouched(bridge)).toBe(true);
  });
});

describe('a slow peer [T50]', () => {
  it.each([
    ['says nothing', ''],
    ['sends half a request', 'GET / HTTP/1.1\r\nHost: '],
    [
      'sends half a body',
      `POST ${RPC} HTTP/1.1\r\nHost: HOST\r\nOrigin: ${ORIGIN}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    ],
  ])('is closed with 408 when it %s', async (_what, request) => {
    const bridge = await webBridge({ receiveMs: 50 });
    const answer = await bridge.exchange(request.replace('HOST', `127.0.0.1:${bridge.port}`));
    expect(answer).toBe('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  it('does not lose its session to the request deadline', async () => {
    const bridge = await webBridge({ receiveMs: 1000 });
    const app = await bridge.app();
    // Whoever comes after it is cut, and it is still there.
    await bridge.exchange('GET ');
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('is displaced by the next one when there are too many', async () => {
    const bridge = await webBridge({ receiveMs: 600_000 });
    const first = await loopback(bridge.port);
    first.resume();
    const cut = once(first, 'close');
    for (let i = 0; i < 64; i++) await loopback(bridge.port);
    await cut;
    expect(await bridge.http('GET', '/')).toMatchObject({ status: 404 });
    const app = await bridge.app();
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('does not prevent 32 connects of a page at once, however long each check lasts', async () => {
    const owner = { kind: 'known', uid } as const;
    const bridge = await webBridge({ ownerOf: () => sleep(100, owner) });
    const apps = await Promise.all(Array.from({ length: 32 }, () => bridge.app()));
    for (const app of apps) expect(await app.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('that resets its connection has no effect', async () => {
    const bridge = await webBridge();
    for (const request of ['GET', upgradeRequest(bridge.port, [`Origin: ${ORIGIN}`])]) {
      const socket = await loopback(bridge.port);
      socket.write(request);
      socket.resetAndDestroy();
    }
    expect(await bridge.http('GET', '/')).toMatchObject({ status: 404 });
  });
});

describe('the port itself [T52]', () => {
  it.skipIf(process.platform !== 'linux')(
    'is bound to 127.0.0.1 and nothing else (needs /proc/net)',
    async () => {
      const { port } = await webBridge();
      const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
      const listening = ['tcp', 'tcp6']
        .flatMap((name) => readFileSync(`/proc/net/${name}`, 'latin1').split('\n').slice(1))
        .map((line) => line.trim().split(/\s+/))
        .filter(([, local, , state]) => state === '0A' && local?.endsWith(suffix))
        .map(([, local]) => local);
      expect(listening).toEqual([
        `${Buffer.from([127, 0, 0, 1]).readUInt32LE().toString(16).padStart(8, '0').toUpperCase()}${suffix}`,
      ]);
    },
  );
  it.skipIf(process.platform === 'darwin')(
    'does not listen on another address of this machine (not on macOS)',
    async () => {
      const { port } = await webBridge();
      const other = connect(port, '127.0.0.2');
      onTestFinished(() => void other.destroy());
      const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException];
      expect(error.code).toBe('ECONNREFUSED');
    },
  );
});

describe('the process at the other end', () => {
  it.each([
    ['another user', { kind: 'known', uid: uid + 1 }],
    ['nobody the system knows', { kind: 'unknown' }],
  ] as const)('is refused like an unknown request: %s', async (_who, owner) => {
    const bridge = await webBridge({ ownerOf: async () => owner });
    const request = upgradeRequest(bridge.port, [`Origin: ${ORIGIN}`]);
    expect(await bridge.exchange(request)).toBe(NOT_FOUND);
    const headers = { origin: ORIGIN, 'content-type': 'application/json' };
    expect(await bridge.http('POST', RPC, headers, '{}')).toMatchObject({ status: 404, body: '' });
    expect(untouched(bridge)).toBe(true);
    expect(bridge.refused).toHaveLength(2);
  });
  it.each([
    ['our user', { kind: 'known', uid }],
    ['root', { kind: 'known', uid: 0 }],
    ['whoever it is, where no table says', { kind: 'unknowable' }],
  ] as const)('is accepted: %s', async (_who, owner) => {
    const bridge = await webBridge({ ownerOf: async () => owner });
    const app = await bridge.app();
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('is refused when the look-up itself fails', async () => {
    const bridge = await webBridge({ ownerOf: () => Promise.reject(new Error('no table')) });
    expect(await bridge.exchange(upgradeRequest(bridge.port, [`Origin: ${ORIGIN}`]))).toBe(NOT_FOUND);
    expect(untouched(bridge)).toBe(true);
  });
  it.skipIf(uid !== 0 || process.platform !== 'linux')(
    'of another user of this machine is refused by the real look-up (needs root on Linux)',
    async () => {
      const bridge = await webBridge();
      const request = upgradeRequest(bridge.port, [`Origin: ${ORIGIN}`]);
      expect(await asNobody(bridge.port, request)).toBe(NOT_FOUND);
      expect(bridge.refused).toEqual(['the peer belongs to uid 65534']);
    },
  );
});

describe('the exchange helper', () => {
  it('detects a session, so that its absence proves something', async () => {
    const bridge = await webBridge();
    const answer = exchange(bridge.port, upgradeRequest(bridge.port, [`Origin: ${ORIGIN}`]));
    while (bridge.core.peers.length === 0) await settled();
    await bridge.server.close();
    expect(await answer).toContain('"evt":"READY"');
    expect(untouched(bridge)).toBe(false);
  });
});
