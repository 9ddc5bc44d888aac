import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlClient } from '../../src/control/client.ts';
import { CLIENT_ID } from '../helpers/app-peer.ts';
import {
  hostlessRequest,
  outcomeOf,
  strangeHosts,
  strangeOrigins,
  upgradeRequest,
} from '../helpers/cross-site.ts';
import { type Daemon, startDaemon } from '../helpers/daemon.ts';
import { uid } from '../helpers/sockets.ts';
import { exchange, head, ORIGIN } from '../helpers/web-bridge.ts';

let daemon: Daemon;
let port: number;
beforeAll(async () => {
  daemon = await startDaemon();
  port = Number(new URL(daemon.ready.endpoints.find(({ kind }) => kind === 'websocket')?.path ?? '').port);
  // The overlay whose id these requests name may come in, so that a refusal is about the origin alone.
  await daemon.cli(['origins', 'add', 'streamkit']);
});
afterAll(async () => {
  await daemon?.stop();
});

async function sessionsEver(): Promise<unknown> {
  // Not by `footbridge status`, which shakes hands itself.
  const place = { os: process.platform === 'darwin' ? 'darwin' : 'linux', uid } as const;
  const { counters, sessions } = await controlClient({ folder: place, env: daemon.env }).status();
  return { accepted: counters['accepted'], open: sessions.length };
}

describe('a cross-site request of a web page [T47, T48, T49]', () => {
  it('opens no session in the built daemon, whatever its Origin or Host', async () => {
    for (const [name, lines] of strangeOrigins) {
      const outcome = outcomeOf(await exchange(port, upgradeRequest(port, lines)));
      expect([name, outcome]).toEqual([name, 4001]);
    }
    for (const [name, hosts] of strangeHosts) {
      const request = hostlessRequest(port, [...hosts(port), `Origin: ${ORIGIN}`]);
      expect([name, outcomeOf(await exchange(port, request))]).toEqual([name, 403]);
    }
    expect(await sessionsEver()).toEqual({ accepted: 0, open: 0 });
  });
  it('to POST /rpc is answered with the constant 404, without a header that lets the page read it', async () => {
    const body = '{"cmd":"GET_PLATFORM_BEHAVIORS","nonce":"1"}';
    const usual = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const post = (headers: Readonly<Record<string, string>>) =>
      exchange(port, head(`POST /rpc?v=1&client_id=${CLIENT_ID}`, { ...usual, ...headers }) + body);
    const here = `127.0.0.1:${port}`;
    const attempts = [
      { host: here },
      { host: here, origin: 'null' },
      { host: here, origin: 'https://evil.example' },
      { host: here, origin: `${ORIGIN}.evil.example` },
      { host: 'evil.example', origin: ORIGIN },
    ];
    const answers = new Set<string>();
    for (const headers of attempts) answers.add(await post(headers));
    expect([...answers]).toEqual([
      'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ]);
    expect(await sessionsEver()).toEqual({ accepted: 0, open: 0 });
    // The same request from the allowed page is served, so that nothing above means something.
    expect(await post({ host: here, origin: ORIGIN })).toContain('"cmd":"GET_PLATFORM_BEHAVIORS"');
  });
});
