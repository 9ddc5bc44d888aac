import { createConnection, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { FrameDecoder } from '../../src/wire/decoder.ts';
import { encodeFrame } from '../../src/wire/frame.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface App {
  readonly socket: Socket;
  /** Bytes of each read. */
  readonly reads: number[];
  send(cmd: string, nonce: string, args?: object): void;
  /** The next payload; undefined once the connection is over. */
  next(): Promise<Record<string, unknown> | undefined>;
}

async function bridge(): Promise<TestEmulator> {
  const emulator = await startEmulator();
  open.push(() => emulator.close());
  return emulator;
}

function connect(emulator: TestEmulator, { handshakes = true } = {}): App {
  const socket = createConnection(emulator.endpoint);
  open.push(() => socket.destroy());
  const decoder = new FrameDecoder(1024 * 1024);
  const reads: number[] = [];
  const waiting: ((payload: Record<string, unknown> | undefined) => void)[] = [];
  const came: Record<string, unknown>[] = [];
  let isOver = false;
  const give = (payload: Record<string, unknown>): void => {
    const taker = waiting.shift();
    if (taker) taker(payload);
    else came.push(payload);
  };
  socket.on('data', (chunk) => {
    reads.push(chunk.byteLength);
    decoder.append(chunk);
    for (let frame = decoder.take(); frame !== undefined; frame = decoder.take()) {
      give({ opcode: frame.opcode, ...(JSON.parse(Buffer.from(frame.body).toString()) as object) });
    }
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isOver = true;
    for (const taker of waiting.splice(0)) taker(undefined);
  });
  if (handshakes) socket.write(encodeFrame(0, '{"v":1,"client_id":"300000000000000001"}').bytes);
  return {
    socket,
    reads,
    send: (cmd, nonce, args = {}) => socket.write(encodeFrame(1, JSON.stringify({ cmd, args, nonce })).bytes),
    next: () => {
      const first = came.shift();
      if (first !== undefined || isOver) return Promise.resolve(first);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/** Nonces of the answers that the journal has. */
async function answersIn(emulator: TestEmulator): Promise<readonly unknown[]> {
  const { entries } = (await emulator.operations.call('journal.read', { kinds: ['frame'] })) as {
    entries: { direction: string; text: string }[];
  };
  const out = entries.filter(({ direction }) => direction === 'out').map(({ text }) => JSON.parse(text));
  return out.flatMap(({ nonce }: { nonce: string | null }) => nonce ?? []);
}

/** An activity that nobody minds. */
const ACTIVITY = { pid: process.pid, activity: { state: 'here' } };

describe('a fault over RPC', () => {
  it('error: sends an ERROR with its code and the nonce instead of the answer of the client', async () => {
    const emulator = await bridge();
    const app = connect(emulator);
    await app.next();
    await emulator.operations.call('fault.add', { fault: 'error=5000', command: 'SET_ACTIVITY', count: 1 });
    app.send('SET_ACTIVITY', 'a', ACTIVITY);
    expect(await app.next()).toMatchObject({ evt: 'ERROR', nonce: 'a', data: { code: 5000 } });
    expect(await emulator.presence('300000000000000001')).toBeNull();
    app.send('SET_ACTIVITY', 'b', ACTIVITY);
    expect(await app.next()).toMatchObject({ evt: null, nonce: 'b' });
  });
  it('drop: the request is served, its answer is lost, and the next answer arrives', async () => {
    const emulator = await bridge();
    const app = connect(emulator);
    await app.next();
    await emulator.operations.call('fault.add', { fault: 'drop', command: 'SET_ACTIVITY', count: 1 });
    app.send('SET_ACTIVITY', 'a', ACTIVITY);
    app.send('SET_ACTIVITY', 'b', ACTIVITY);
    expect(await app.next()).toMatchObject({ nonce: 'b' });
    expect(await emulator.presence('300000000000000001')).toMatchObject({ state: 'here' });
  });
  it('delay: the answer arrives later, and no other answer overtakes it', async () => {
    const emulator = await bridge();
    const app = connect(emulator);
    await app.next();
    await emulator.operations.call('fault.add', { fault: 'delay=200', command: 'SET_ACTIVITY', count: 1 });
    const begun = performance.now();
    app.send('SET_ACTIVITY', 'a', ACTIVITY);
    app.send('GET_GUILDS', 'b');
    expect(await app.next()).toMatchObject({ nonce: 'a' });
    expect(performance.now() - begun).toBeGreaterThan(195);
    expect(await app.next()).toMatchObject({ nonce: 'b' });
  });
  it('close: the session is closed with its code', async () => {
    const emulator = await bridge();
    const app = connect(emulator);
    await app.next();
    await emulator.operations.call('fault.add', { fault: 'close=4002', command: 'SET_ACTIVITY' });
    app.send('SET_ACTIVITY', 'a', ACTIVITY);
    expect(await app.next()).toMatchObject({ opcode: 2, code: 4002 });
    expect(await app.next()).toBeUndefined();
  });
  it('split: an answer arrives in several reads', async () => {
    const emulator = await bridge();
    const app = connect(emulator);
    await app.next();
    const before = app.reads.length;
    await emulator.operations.call('fault.add', { fault: 'split', command: 'SET_ACTIVITY', count: 1 });
    app.send('SET_ACTIVITY', 'a', ACTIVITY);
    expect(await app.next()).toMatchObject({ nonce: 'a', evt: null });
    expect(app.reads.length - before).toBeGreaterThan(1);
    // No part of the header alone is a frame, to the journal neither.
    expect(app.reads[before]).toBeLessThan(8);
    expect(await answersIn(emulator)).toEqual(['a']);
  });
  it('coalesce: the answers of one turn arrive in one read', async () => {
    const emulator = await bridge();
    const app = connect(emulator);
    await app.next();
    // The first requests of a process may take longer than a turn.
    for (let n = 0; n < 50; n++) {
      app.send('SET_ACTIVITY', `${n}`, ACTIVITY);
      await app.next();
    }
    const before = app.reads.length;
    const earlier = await answersIn(emulator);
    await emulator.operations.call('fault.add', { fault: 'coalesce' });
    const two = ['a', 'b'].map(
      (nonce) => encodeFrame(1, JSON.stringify({ cmd: 'SET_ACTIVITY', args: ACTIVITY, nonce })).bytes,
    );
    app.socket.write(Buffer.concat(two));
    expect(await app.next()).toMatchObject({ nonce: 'a' });
    expect(await app.next()).toMatchObject({ nonce: 'b' });
    expect(app.reads.length - before).toBe(1);
    expect((await answersIn(emulator)).slice(earlier.length)).toEqual(['a', 'b']);
  });
  it('slow: an answer arrives at the rate of the fault', async () => {
    const emulator = await bridge();
    const app = connect(emulator);
    await app.next();
    await emulator.operations.call('fault.add', { fault: 'slow=1000', command: 'SET_ACTIVITY', count: 1 });
    const begun = performance.now();
    app.send('SET_ACTIVITY', 'a', ACTIVITY);
    expect(await app.next()).toMatchObject({ nonce: 'a' });
    expect(performance.now() - begun).toBeGreaterThan(100);
  });
  it('drop of the handshake: READY never arrives', async () => {
    const emulator = await bridge();
    await emulator.operations.call('fault.add', { fault: 'drop', command: 'HANDSHAKE', count: 1 });
    const app = connect(emulator);
    app.send('GET_GUILDS', 'a');
    expect(await app.next()).toMatchObject({ nonce: 'a', evt: 'ERROR' });
  });
  it('error without a command affects neither the handshake nor an invalid request', async () => {
    const emulator = await bridge();
    await emulator.operations.call('fault.add', { fault: 'error=5000', count: 1 });
    const app = connect(emulator);
    expect(await app.next()).toMatchObject({ evt: 'READY' });
    app.send('no command', 'a');
    expect(await app.next()).toMatchObject({ evt: 'ERROR', data: { code: 4002 } });
    app.send('GET_GUILDS', 'b');
    expect(await app.next()).toMatchObject({ evt: 'ERROR', nonce: 'b', data: { code: 5000 } });
  });
  it('close of the handshake: a CLOSE arrives instead of READY', async () => {
    const emulator = await bridge();
    await emulator.operations.call('fault.add', { fault: 'close=4000', command: 'HANDSHAKE' });
    expect(await connect(emulator).next()).toMatchObject({ opcode: 2, code: 4000 });
  });
  it('does not delay a CLOSE behind a long delay', async () => {
    const emulator = await bridge();
    const app = connect(emulator);
    await app.next();
    await emulator.operations.call('fault.add', { fault: 'delay=600000', command: 'GET_GUILDS' });
    await emulator.operations.call('fault.add', { fault: 'close=4002', command: 'SET_ACTIVITY' });
    app.send('GET_GUILDS', 'a');
    app.send('SET_ACTIVITY', 'b', ACTIVITY);
    expect(await app.next()).toMatchObject({ opcode: 2, code: 4002 });
  });
  it('closes an app whose delayed answers exceed their share of memory', async () => {
    const emulator = await bridge();
    const app = connect(emulator);
    await app.next();
    await emulator.operations.call('fault.add', { fault: 'delay=600000' });
    const nonce = 'n'.repeat(1000);
    const timer = setInterval(() => {
      for (let each = 0; each < 50; each += 1) app.send('SET_ACTIVITY', nonce, {});
    }, 5);
    open.push(() => clearInterval(timer));
    app.socket.on('error', () => {});
    expect(await app.next()).toBeUndefined();
  });
  it('for one application does not affect other applications', async () => {
    const emulator = await bridge();
    await emulator.operations.call('fault.add', { fault: 'drop', application: '300000000000000002' });
    expect(await connect(emulator).next()).toMatchObject({ evt: 'READY' });
  });
  it('is written to the journal, and stops when it is removed', async () => {
    const emulator = await bridge();
    const app = connect(emulator);
    await app.next();
    const { id } = (await emulator.operations.call('fault.add', { fault: 'error=1000' })) as { id: string };
    app.send('SET_ACTIVITY', 'a', ACTIVITY);
    await app.next();
    expect(await emulator.operations.call('fault.list')).toMatchObject([
      { id, struck: 1, where: 'all commands' },
    ]);
    const { entries } = (await emulator.operations.call('journal.read', { kinds: ['fault'] })) as {
      entries: { what: string }[];
    };
    expect(entries).toMatchObject([{ fault: id, what: 'answers SET_ACTIVITY with the error 1000' }]);
    expect(await emulator.operations.call('fault.remove', {})).toEqual({ removed: [id] });
    app.send('SET_ACTIVITY', 'b', ACTIVITY);
    expect(await app.next()).toMatchObject({ nonce: 'b', evt: null });
  });
});

describe('a fault definition', () => {
  it.each([
    [{ fault: 'dorp' }, 'Did you mean "drop"?'],
    [{ fault: 'delay' }, 'delay=MS'],
    [{ fault: 'delay=-1' }, 'from 0 to 600000'],
    [{ fault: 'drop=1' }, 'takes no number'],
    [{ fault: 'close=99' }, 'or from 3000 to 4999'],
    [{ fault: 'close=1005' }, 'without 1004 and 1005'],
    [{ fault: 'close=2000', gateway: true }, 'or from 3000 to 4999'],
    [{ fault: 'error=1000', command: 'DISPATCH' }, 'in the place of an answer'],
    [{ fault: 'error=1000', command: 'HANDSHAKE' }, 'close=CODE'],
    [{ fault: 'status=500' }, 'does not happen to commands of RPC'],
    [{ fault: 'status=404', webhook: true }, '429, or from 500 to 599'],
    [{ fault: 'reconnect' }, 'does not happen to commands of RPC'],
    [{ fault: 'coalesce', gateway: true }, 'does not happen to the gateway'],
    [{ fault: 'drop', command: 'GET_GUILD_' }, 'Did you mean "GET_GUILD"?'],
    [{ fault: 'drop', route: 'GET users' }, 'METHOD /path'],
    [{ fault: 'drop', route: 'GET /users/@mee/guilds/x/y' }, 'has no route'],
    [{ fault: 'drop', command: 'GET_GUILD', webhook: true }, 'give one of'],
    [{ fault: 'drop', seed: 1 }, 'without a probability'],
    [{ fault: 'drop', application: 'x' }, 'application'],
    [{ fault: 'drop', count: 0 }, 'count'],
    [{ fault: 'drop', probability: 2 }, 'probability'],
  ])('%j is refused with the message: %s', async (args, text) => {
    const emulator = await bridge();
    await expect(emulator.operations.call('fault.add', args)).rejects.toThrow(text);
    expect(await emulator.operations.call('fault.list')).toEqual([]);
  });
  it.each([
    ['GET /users/@me', 'GET /users/@me'],
    ['GET /api/v10/users/@me', 'GET /users/@me'],
    ['POST /channels/{id}/messages', 'POST /channels/{id}/messages'],
    ['* /guilds/400000000000000001', '* /guilds/400000000000000001'],
    ['*', 'all routes'],
  ])('accepts the route %s', async (route, where) => {
    const emulator = await bridge();
    expect(await emulator.operations.call('fault.add', { fault: 'drop', route })).toMatchObject({ where });
  });
  it('cannot be removed by an id that does not exist', async () => {
    const emulator = await bridge();
    await expect(emulator.operations.call('fault.remove', { id: 'f9' })).rejects.toThrow('no fault "f9"');
  });
});
