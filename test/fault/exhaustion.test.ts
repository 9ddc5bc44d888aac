import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import {
  APP,
  authorized,
  endpointsIn,
  faultBridge,
  isLinux,
  PROGRAM,
  place,
  startCommand,
} from '../helpers/fault-bridge.ts';
import { concatBytes, frameBytes, headerBytes } from '../helpers/frame-bytes.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { rounds } from '../helpers/rounds.ts';

/** Rates beyond what these tests send, where the rate is not what is tested. */
const FAST = { messages_burst: 100_000, bytes_per_second: 1024 * 1024 * 1024 } as const;
const SLOW = { timeout: 20_000, interval: 50 } as const;
const request = (cmd: string, nonce: string, args: object = {}, evt?: string): Uint8Array =>
  frameBytes(Opcode.FRAME, JSON.stringify({ cmd, nonce, args, evt }));

it('idle connections do not keep an honest app out [T36]', async () => {
  const bridge = await faultBridge();
  for (let i = 0; i < 300; i++) await bridge.raw();
  const silent = async (): Promise<number> => {
    const { sessions } = await bridge.control.status();
    return sessions.filter(({ state }) => state === 'handshaking').length;
  };
  // They are idle once they are served; while some wait to be, their process has its whole share.
  await expect.poll(silent, SLOW).toBe(256);
  const app = await bridge.app();
  expect((await app.call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
  expect(await silent()).toBeLessThanOrEqual(256);
  // After the time for a handshake, the oldest are dropped.
  await expect.poll(silent, SLOW).toBeLessThanOrEqual(64);
});

it('a slow handshake is closed at the deadline, counted from the connect [T37]', async () => {
  const bridge = await faultBridge({ limits: { handshake_ms: 400 } });
  const peer = await bridge.peer();
  const bytes = frameBytes(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: APP }));
  let sent = 0;
  const drip = setInterval(() => peer.write(bytes.subarray(sent, ++sent)), 40);
  expect(await peer.closed()).toMatchObject({ code: CloseCode.ABNORMAL });
  clearInterval(drip);
  expect(sent).toBeLessThan(bytes.byteLength);
});

it('peers that never read are closed, and no other app waits for them [T38, R07]', async () => {
  const bridge = await faultBridge({ limits: { ...FAST, unread_ms: 500 } });
  const pings = concatBytes(
    ...Array.from({ length: 100 }, () => frameBytes(Opcode.PING, JSON.stringify('x'.repeat(50_000)))),
  );
  const mute = await Promise.all(Array.from({ length: 6 }, () => bridge.raw({ reading: false })));
  for (const peer of mute) {
    peer.write(frameBytes(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: APP })));
    peer.write(pings);
  }
  const app = await bridge.app();
  expect((await app.call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
  await expect.poll(async () => (await bridge.control.status()).sessions.length, SLOW).toBe(1);
  expect((await app.call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
});

it('peers that stop reading are only paused at first, and lose nothing when they resume in time [T38]', async () => {
  const bridge = await faultBridge({ limits: FAST });
  const pings = Array.from({ length: 20 }, (_, i) =>
    frameBytes(Opcode.PING, JSON.stringify(`${i}`.padEnd(50_000))),
  );
  const mute = await Promise.all(Array.from({ length: 40 }, () => bridge.raw({ reading: false })));
  for (const peer of mute) {
    peer.write(frameBytes(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: APP })));
    peer.write(concatBytes(...pings));
  }
  const app = await bridge.app();
  // Long enough for all of them to be slow, and for the bridge to have taken what it takes.
  for (let i = 0; i < 40; i++) {
    expect((await app.call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const peer of mute) peer.socket.resume();
  for (const peer of mute) {
    const bodies: Buffer[] = [];
    while (bodies.length < pings.length) {
      const frame = await peer.receive();
      if (frame === undefined) break;
      // READY may come anywhere among them.
      if (frame.opcode === Opcode.PONG) bodies.push(Buffer.from(frame.body));
    }
    expect(bodies).toHaveLength(pings.length);
    for (const [i, ping] of pings.entries()) expect(bodies[i]?.equals(ping.subarray(8))).toBe(true);
  }
});

describe('a message flood [T39]', () => {
  it('is only slowed while it is a burst: 300 messages are all answered', async () => {
    const bridge = await faultBridge();
    const app = await bridge.app();
    app.write(concatBytes(...Array.from({ length: 300 }, (_, i) => request('GET_GUILDS', String(i)))));
    for (let i = 0; i < 300; i++) expect((await app.answer()).nonce).toBe(String(i));
  });
  it('that continues is closed with 4002, after answers and without an ERROR', async () => {
    const bridge = await faultBridge({
      limits: { messages_burst: 20, messages_per_second: 50, flood_ms: 1000 },
    });
    const app = await bridge.app();
    const other = await (await bridge.elsewhere()).app('42');
    app.write(concatBytes(...Array.from({ length: 2000 }, (_, i) => frameBytes(Opcode.PING, String(i)))));
    let answered = 0;
    let last = await app.next();
    for (; last?.opcode === Opcode.PONG; last = await app.next()) answered += 1;
    expect(last).toMatchObject({ opcode: Opcode.CLOSE, body: { code: CloseCode.RATE_LIMITED } });
    expect(answered).toBeGreaterThan(20);
    expect(answered).toBeLessThan(2000);
    expect((await other.call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
  });
});

it('a byte flood pauses its sender, and other apps are answered meanwhile [T40]', async () => {
  // 4.8 MB at 70 kB a second, and 256 KiB of it at once: a minute, far beyond what this takes.
  const bridge = await faultBridge({
    limits: { frame_bytes: 256 * 1024, messages_burst: 100_000, bytes_per_second: 70_000 },
  });
  const nested = `{"cmd":"GET_GUILDS","nonce":"f","args":${'{"a":'.repeat(50)}"${'x'.repeat(60_000)}"${'}'.repeat(51)}`;
  const flood = concatBytes(...Array.from({ length: 20 }, () => frameBytes(Opcode.FRAME, nested)));
  const flooders = await Promise.all(Array.from({ length: 4 }, () => bridge.app()));
  for (const flooder of flooders) flooder.write(flood);
  // Of all of them 256 KiB are taken at once, which are four frames and a part of the fifth.
  const [first] = flooders;
  expect((await first?.answer())?.nonce).toBe('f');
  const honest = await (await bridge.elsewhere()).app('42');
  for (let i = 0; i < 50; i++) expect((await honest.call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
  const more = (await Promise.all(flooders.map((flooder) => flooder.rest()))).flat();
  expect(more.length).toBeLessThan(15);
  expect(more.every(({ opcode }) => opcode === Opcode.FRAME)).toBe(true);
  expect((await bridge.control.status()).sessions).toHaveLength(5);
});

it('subscriptions beyond 1,024 get an ERROR, and earlier ones continue to work [T41]', async () => {
  const { app, core } = await memoryBridge({ limits: { messagesBurst: 100_000 } });
  const peer = await app();
  const subscribe = (id: number) => peer.subscribe('GUILD_STATUS', { guild_id: String(id) });
  for (let id = 1; id <= 1024; id++) expect((await subscribe(id)).data).toEqual({ evt: 'GUILD_STATUS' });
  for (let id = 1025; id <= 1100; id++) {
    expect(await subscribe(id)).toMatchObject({ evt: 'ERROR', data: { code: ErrorCode.INVALID_PAYLOAD } });
  }
  const data = { guild: { id: '1024', name: 'G', icon_url: null }, online: 0 as const };
  core.host.emit('GUILD_STATUS', data, { filter: { guild_id: '1024' } });
  expect((await peer.answer()).data).toEqual(data);
});

describe('the connection capacity [T43]', () => {
  it('refuses further connections with a frame, and counts them', async () => {
    // A process may have half of them.
    const bridge = await faultBridge({ limits: { connections: 40 } });
    const inside = await Promise.all(Array.from({ length: 20 }, () => bridge.app()));
    for (let i = 0; i < 10; i++) {
      const peer = await bridge.peer();
      expect(await peer.closed()).toMatchObject({ code: CloseCode.ABNORMAL });
    }
    expect((await bridge.control.status()).counters['refused']).toBe(10);
    inside[0]?.end();
    await expect.poll(async () => (await bridge.control.status()).sessions.length, SLOW).toBe(19);
    await bridge.app();
  });
  it('allows one process half of 512 slots, and leaves many to another process [R17]', async () => {
    const bridge = await faultBridge();
    const apps = [];
    for (let i = 0; i < 256; i++) apps.push(await bridge.app());
    expect((await (await bridge.peer()).closed()).code).toBe(CloseCode.ABNORMAL);
    const { app, peer } = await bridge.elsewhere();
    for (let i = 0; i < 85; i++) apps.push(await app());
    expect((await (await peer()).closed()).code).toBe(CloseCode.ABNORMAL);
    for (const one of [apps[0], apps[255], apps[340]])
      expect((await one?.call('GET_GUILDS'))?.cmd).toBe('GET_GUILDS');
  });
});

it.skipIf(!isLinux)(
  'many apps that connect, send requests and leave keep no descriptor open (requires /proc) [T44, R18]',
  async () => {
    const bridge = await faultBridge({ limits: { connects_burst: 30, connects_per_second: 400 } });
    const storm = rounds({ few: 40, many: 200 });
    const longLived = await Promise.all(Array.from({ length: 5 }, () => bridge.app()));
    const fds = async () => (await bridge.control.status()).fds;
    const before = await fds();
    for (let i = 0; i < storm; i++) {
      const app = await bridge.app();
      for (let call = 0; call < 3; call++) {
        expect((await app.call('SET_ACTIVITY', { pid: 1, activity: { state: `at ${i}` } })).evt).toBeNull();
      }
      app.end();
    }
    await expect.poll(fds, SLOW).toBe(before);
    const { counters, sessions } = await bridge.control.status();
    expect([counters['ready'], sessions.length]).toEqual([storm + 5, 5]);
    for (const app of longLived) expect((await app.call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
  },
);

it('frames that break the protocol do not fill the log [T46]', async () => {
  const bridge = await faultBridge({
    args: ['--consent', 'allow', '--http-port', '0', '--log-level', 'info'],
  });
  for (let i = 0; i < 300; i++) {
    const peer = await bridge.peer();
    peer.write(headerBytes(9, i));
    await peer.closed();
  }
  // Those that a web page may cause are told of, once.
  const web = bridge.ready.endpoints.find(({ kind }) => kind === 'websocket')?.path ?? '';
  for (let i = 0; i < 100; i++) {
    const page = new WebSocket(web, { origin: 'http://evil.example' });
    await new Promise((resolve) => page.on('error', () => {}).once('close', resolve));
  }
  const { stderr } = await bridge.stop();
  expect(stderr).toContain('http://evil.example');
  // Far fewer than one for each of them.
  expect(stderr.split('\n').length).toBeLessThan(30);
});

it('a byte flood does not stop a daemon with a small heap [R23]', async () => {
  const bridge = await faultBridge({
    nodeFlags: [...NODE_FLAGS, '--max-old-space-size=40'],
    limits: FAST,
  });
  // Half a megabyte once it is parsed, so that a few dozen that are kept fill that heap.
  const nested = `{"cmd":"SET_ACTIVITY","nonce":"f","args":${'{"a":'.repeat(50)}[${'{},'.repeat(15_000)}{}]${'}'.repeat(51)}`;
  const flood = concatBytes(...Array.from({ length: 100 }, () => frameBytes(Opcode.FRAME, nested)));
  const flooders = await Promise.all(Array.from({ length: 4 }, () => bridge.app()));
  for (const flooder of flooders) flooder.write(flood);
  for (let answered = 0; answered < 100; answered++) {
    for (const flooder of flooders) expect((await flooder.answer()).nonce).toBe('f');
  }
  expect((await (await bridge.app('42')).call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
  expect((await bridge.control.status()).pid).toBe(bridge.pid);
});

it.skipIf(!isLinux)(
  'a daemon with 64 descriptors stays up, sheds connections, and serves again (Linux only) [R06]',
  async () => {
    const runtime = place();
    const running = startCommand(
      [
        'sh',
        '-c',
        'ulimit -n 64; exec "$0" "$@"',
        process.execPath,
        PROGRAM,
        'run',
        '--json',
        '--http-port',
        '0',
      ],
      runtime.env,
    );
    const { endpoints } = JSON.parse(await running.said('\n')) as {
      endpoints: { kind: string; path: string }[];
    };
    const path = endpoints.find(({ kind }) => kind === 'ipc')?.path ?? '';
    const peers = await Promise.all(Array.from({ length: 300 }, () => rawPeer(path)));
    const served = async (): Promise<boolean> => {
      const app = new AppPeer(await rawPeer(path));
      app.send(Opcode.HANDSHAKE, { v: 1, client_id: APP });
      return (await app.next())?.opcode === Opcode.FRAME;
    };
    // T36 holds with so few, too: those that say nothing make room.
    expect(await served()).toBe(true);
    for (const { end } of peers) end();
    // How soon the system has taken all of them back is not ours to say.
    await expect.poll(served, SLOW).toBe(true);
    running.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).toContain('fewer connections than configured');
    expect(endpointsIn(runtime.folder)).toEqual([]);
  },
);

describe('a half-closed peer [R08]', () => {
  it('that sent all its requests receives its answers, and then the end', async () => {
    const bridge = await faultBridge();
    const raw = await bridge.raw();
    const peer = new AppPeer(raw);
    await peer.handshake();
    peer.request('GET_GUILDS', {}, { nonce: 'last' });
    raw.halfClose();
    expect((await peer.answer()).nonce).toBe('last');
    expect(await peer.next()).toBeUndefined();
  });
  it('in the middle of a frame is closed at the deadline', async () => {
    const bridge = await faultBridge({ limits: { partial_frame_ms: 300 } });
    const app = await bridge.app();
    app.write(headerBytes(Opcode.FRAME, 100));
    app.write(new TextEncoder().encode('{"cmd":'));
    expect((await app.closed()).code).toBe(CloseCode.UNSUPPORTED);
  });
  it('is detected even when the daemon does not read from it', async () => {
    const bridge = await faultBridge({ limits: { messages_burst: 5, messages_per_second: 1 } });
    const app = await bridge.app();
    app.write(concatBytes(...Array.from({ length: 100 }, (_, i) => frameBytes(Opcode.PING, String(i)))));
    await app.next();
    app.end();
    await expect.poll(async () => (await bridge.control.status()).sessions.length, SLOW).toBe(0);
  });
});

it('200 GET_GUILD and 200 SUBSCRIBE GUILD_STATUS at once, of 200 guilds, are all answered', async () => {
  const runtime = place();
  const fixture = join(runtime.folder, 'guilds.toml');
  const ids = Array.from({ length: 200 }, (_, i) => String(400_000 + i));
  const guilds = ids.map((id) => `[[guilds]]\nid = "${id}"\nname = "Guild ${id}"\n`);
  writeFileSync(fixture, `me = "7"\n[[users]]\nid = "7"\nusername = "seven"\n${guilds.join('')}`);
  const bridge = await faultBridge({
    runtime,
    args: ['--consent', 'allow', '--http-port', '0', '--fixture', fixture],
  });
  const app = await bridge.app();
  await authorized(bridge, app);
  app.write(
    concatBytes(
      ...ids.flatMap((id) => [
        request('GET_GUILD', `g${id}`, { guild_id: id }),
        request('SUBSCRIBE', `s${id}`, { guild_id: id }, 'GUILD_STATUS'),
      ]),
    ),
  );
  const answered = new Set<string | null>();
  const replayed = new Set<string>();
  while (answered.size < 400 || replayed.size < 200) {
    const { cmd, nonce, evt, data } = await app.answer();
    expect(evt).not.toBe('ERROR');
    if (cmd === 'DISPATCH') replayed.add(data.guild.id);
    else answered.add(nonce);
  }
});
