import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FaultEffect } from '../../src/faults/fault.ts';
import { Faults } from '../../src/faults/faults.ts';
import type { FaultHost } from '../../src/faults/faulty-connection.ts';
import { Journal } from '../../src/journal/journal.ts';
import { silentLogger } from '../../src/server/options.ts';
import { createServer } from '../../src/server/server.ts';
import { Session } from '../../src/session/session.ts';
import { startPrivateBridge } from '../../src/testing/private-bridge.ts';
import { memoryTransport } from '../../src/transport/memory.ts';
import type { Connection, ConnectionListener } from '../../src/wire/connection.ts';
import { FrameDecoder } from '../../src/wire/decoder.ts';
import { encodeFrame } from '../../src/wire/frame.ts';
import { AppPeer, CLIENT_ID } from '../helpers/app-peer.ts';
import { fakeCore } from '../helpers/fake-core.ts';

const APP = '300000000000000001';

/** A server whose transport writes down who listens to each of its connections. */
async function scene({ faults, journal }: Partial<FaultHost>) {
  const memory = memoryTransport();
  const own: Connection[] = [];
  const listeners: ConnectionListener[] = [];
  const server = await createServer({
    core: fakeCore(),
    faults,
    journal,
    transports: [
      {
        ...memory,
        listen: (take) =>
          memory.listen((connection) => {
            const index = own.length;
            const watched: Connection = {
              ...connection,
              start: (listener) => {
                listeners[index] = listener;
                connection.start(listener);
              },
              redirect: (listener) => {
                listeners[index] = listener;
                connection.redirect(listener);
              },
            };
            own.push(watched);
            take(watched);
          }),
      },
    ],
  });
  onTestFinished(() => server.close());
  const session = (): Session => {
    const [listener] = listeners;
    if (!(listener instanceof Session)) throw new Error('no session listens to the connection itself');
    return listener;
  };
  return {
    app: () => new AppPeer(memory.connect()),
    listener: () => listeners[0],
    session,
    /** Whether nothing stands between the session and its transport, either way. */
    isBare: () => listeners[0] instanceof Session && listeners[0].connection === own[0],
  };
}

function off(): Journal {
  const journal = new Journal();
  journal.turn('off');
  return journal;
}

const DELAY = { effect: { kind: 'delay', ms: 30 }, where: { on: 'rpc' } } as const;

describe('a connection without observers', () => {
  it.each([
    ['without faults and journal', () => ({})],
    ['with no fault set and the journal off', () => ({ faults: new Faults(), journal: off() })],
  ])('is the connection of its transport, %s', async (_, options) => {
    const { app, isBare } = await scene(options());
    const one = app();
    expect(isBare()).toBe(true);
    await one.handshake();
    await one.call('GET_GUILDS');
    expect(isBare()).toBe(true);
  });

  it('stays undecorated while a fault is set for another target than RPC', async () => {
    const faults = new Faults();
    const { app, isBare } = await scene({ faults });
    await app().handshake();
    faults.add({ effect: { kind: 'drop' }, where: { on: 'http' } });
    expect(isBare()).toBe(true);
  });

  it('is decorated when a fault is set, and undecorated when the last fault is removed', async () => {
    const faults = new Faults();
    const { app, isBare } = await scene({ faults });
    const one = app();
    await one.handshake();
    faults.add(DELAY);
    const { id } = faults.add({ effect: { kind: 'error', code: 4000 }, where: { on: 'rpc' } });
    expect(isBare()).toBe(false);
    expect(await one.call('GET_GUILDS')).toMatchObject({ evt: 'ERROR', data: { code: 4000 } });
    faults.remove(id);
    await Promise.resolve();
    expect(isBare()).toBe(false);
    expect(await one.call('GET_GUILDS')).toMatchObject({ evt: null });
    faults.clear();
    await vi.waitFor(() => expect(isBare()).toBe(true));
    expect(await one.call('GET_GUILDS')).toMatchObject({ evt: null });
  });

  it('is undecorated once a fault is used up and its delayed frames have left', async () => {
    const faults = new Faults();
    const { app, isBare } = await scene({ faults });
    const one = app();
    await one.handshake();
    faults.add({ ...DELAY, count: 1 });
    const nonces = ['a', 'b', 'c'].map((nonce) => one.request('GET_GUILDS', {}, { nonce }));
    // The fault is used up, and the frames behind it wait in its queue.
    expect(faults.list()).toEqual([]);
    await Promise.resolve();
    expect(isBare()).toBe(false);
    for (const nonce of nonces) expect((await one.answer()).nonce).toBe(nonce);
    await vi.waitFor(() => expect(isBare()).toBe(true));
  });

  it('is observed while the journal is on', async () => {
    const journal = off();
    const { app, isBare } = await scene({ journal });
    const one = app();
    await one.handshake();
    await one.call('GET_GUILDS');
    expect(journal.size).toBe(0);
    journal.turn('on');
    expect(isBare()).toBe(false);
    await one.call('GET_GUILDS');
    const entries = journal.read().entries.map((entry) => `${entry.seq} ${entry.kind}`);
    expect(entries).toEqual(['1 connect', '2 frame', '3 frame']);
    journal.turn('off');
    expect(isBare()).toBe(true);
    await one.call('GET_GUILDS');
    expect(journal.size).toBe(0);
    journal.turn('on');
    expect(journal.read().entries).toMatchObject([{ seq: 1, kind: 'connect' }]);
  });

  it('has the journal beneath a fault that was set before', async () => {
    const [faults, journal] = [new Faults(), off()];
    const { app, isBare } = await scene({ faults, journal });
    const one = app();
    await one.handshake();
    faults.add({ ...DELAY, count: 1 });
    one.request('GET_GUILDS', {}, { nonce: 'a' });
    // The answer waits while the observer comes in beneath it, and is seen as it crosses.
    journal.turn('on');
    expect((await one.answer()).nonce).toBe('a');
    expect(journal.read({ kinds: ['frame'] }).entries).toMatchObject([{ direction: 'out' }]);
    journal.turn('off');
    await vi.waitFor(() => expect(isBare()).toBe(true));
  });
});

describe('a handshake', () => {
  it.each([
    ['nothing is in use', () => {}],
    ['a fault is set', (faults: Faults) => void faults.add({ ...DELAY, where: { on: 'rpc', command: 'X' } })],
  ])('is parsed once while %s', async (_, set) => {
    const faults = new Faults();
    set(faults);
    const { app } = await scene({ faults, journal: new Journal() });
    const one = app();
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    await one.handshake();
    const texts = parse.mock.calls.map(([text]) => text);
    expect(texts.filter((text) => text.includes(CLIENT_ID) && text.includes('client_id'))).toHaveLength(1);
  });

  it('is closed by a fault instead of READY, and the core opens no session', async () => {
    const faults = new Faults();
    faults.add({ effect: { kind: 'close', code: 4004 }, where: { on: 'rpc', command: 'HANDSHAKE' } });
    const { app } = await scene({ faults });
    const one = app();
    one.send(0, { v: 1, client_id: CLIENT_ID });
    expect(await one.closed()).toMatchObject({ code: 4004 });
  });
});

it('a connection loses, repeats and reorders no frame while faults and journal change in mid-traffic', async () => {
  const bridge = await startPrivateBridge({ fixture: null, consent: 'allow', logger: silentLogger });
  onTestFinished(() => bridge.close());
  const { faults, journal } = bridge;
  const socket = createConnection(bridge.endpoint);
  onTestFinished(() => void socket.destroy());
  const decoder = new FrameDecoder(1024 * 1024);
  const nonces: string[] = [];
  let began = (): void => {};
  const ready = new Promise<void>((resolve) => {
    began = resolve;
  });
  socket.on('data', (chunk) => {
    decoder.append(chunk);
    for (let frame = decoder.take(); frame !== undefined; frame = decoder.take()) {
      const { nonce } = JSON.parse(Buffer.from(frame.body).toString()) as { nonce: string | null };
      if (nonce === null) began();
      else nonces.push(nonce);
    }
  });
  socket.write(encodeFrame(0, JSON.stringify({ v: 1, client_id: APP })).bytes);
  await ready;
  const sent: string[] = [];
  const effects: readonly FaultEffect[] = [
    { kind: 'delay', ms: 5 },
    { kind: 'split' },
    { kind: 'coalesce' },
    { kind: 'slow', bytesPerSecond: 20_000 },
    { kind: 'delay', ms: 1 },
  ];
  for (const [round, does] of [...effects, ...effects].entries()) {
    for (let index = 0; index < 12; index += 1) {
      const nonce = `${round}.${index}`;
      sent.push(nonce);
      // Cut in two: a switch may come between the halves of a frame.
      const bytes = Buffer.from(encodeFrame(1, JSON.stringify({ cmd: 'GET_GUILDS', args: {}, nonce })).bytes);
      socket.write(bytes.subarray(0, 11));
      if (index === 2) journal.turn(round % 2 === 0 ? 'off' : 'on');
      if (index === 4) faults.add({ effect: does, where: { on: 'rpc' }, count: 3 });
      if (index === 8) faults.clear();
      if (index % 3 === 0) await delay(round % 4);
      socket.write(bytes.subarray(11));
    }
  }
  await vi.waitFor(() => expect(nonces).toHaveLength(sent.length), { timeout: 20_000 });
  expect(nonces).toEqual(sent);
}, 30_000);
