import { describe, expect, it, onTestFinished } from 'vitest';
import type { ClientCore, CoreHost, CoreSession } from '../../src/core/core.ts';
import { createServer } from '../../src/server/server.ts';
import { memoryTransport } from '../../src/transport/memory.ts';
import { CloseError } from '../../src/wire/close-error.ts';
import type { CloseCode } from '../../src/wire/codes.ts';
import { AppPeer, CLIENT_ID } from '../helpers/app-peer.ts';
import { fakeCore, fakeReady } from '../helpers/fake-core.ts';
import { memoryBridge, recordingLogger } from '../helpers/memory-bridge.ts';
import { webBridge } from '../helpers/web-bridge.ts';

const EVT = 'GUILD_CREATE';
const withParts = (parts: object): ClientCore => {
  return {
    name: 'hostile',
    start() {},
    open: () => fakeCore().open({} as never),
    stop() {},
    ...parts,
  } as unknown as ClientCore;
};
const guild = (id: unknown) => ({ id, name: 'x' });

describe('a core that returns an invalid session [T68]', () => {
  const gives: [string, () => unknown][] = [
    ['nothing', () => undefined],
    ['a number', () => 7],
    ['no close', () => ({ ready: fakeReady, handlers: {} })],
    ['no handlers', () => ({ ready: fakeReady, close() {} })],
    ['handlers that are none', () => ({ ready: fakeReady, handlers: 7, close() {} })],
    [
      'a READY that throws',
      () => ({
        get ready() {
          throw new Error('SECRET');
        },
        handlers: {},
        close() {},
      }),
    ],
    ['a READY that is no JSON', () => ({ ready: { ...fakeReady, x: 1n }, handlers: {}, close() {} })],
    [
      'a READY too large',
      () => ({ ready: { ...fakeReady, x: 'x'.repeat(70_000) }, handlers: {}, close() {} }),
    ],
  ];
  it.each(gives)('loses only that one app: %s', async (_name, give) => {
    let bad = true;
    const good = fakeCore();
    const core: ClientCore = {
      name: 'hostile',
      start: (host) => good.start(host),
      open: (peer) => (bad ? (give() as CoreSession) : good.open(peer)),
      stop() {},
    };
    const transport = memoryTransport();
    const { logger, log } = recordingLogger();
    const server = await createServer({ transports: [transport], core, logger });
    onTestFinished(() => server.close());
    const app = new AppPeer(transport.connect());
    app.send(0, { v: 1, client_id: CLIENT_ID });
    const { code, message } = await app.closed();
    expect(code).toBe(1006);
    expect(message).not.toContain('SECRET');
    expect(log.some(({ level }) => level === 'warn')).toBe(true);
    bad = false;
    await new AppPeer(transport.connect()).handshake();
  });
});

describe('a core that closes sessions', () => {
  const codes = [0, 5, -1, 999, 1004, 1005, 2999, 5000, 70_000, Number.MAX_SAFE_INTEGER];
  it.each(codes)(
    'with the close code %i closes them with a code that a transport can carry',
    async (code) => {
      const error = () => new CloseError(code as CloseCode, 'why');
      const handlers = { GET_GUILDS: () => Promise.reject(error()) };
      const web = await webBridge({ handlers });
      const page = await web.app();
      page.request('GET_GUILDS');
      expect([1003, 1006]).toContain((await page.closed()).code);
      const { app, core } = await memoryBridge({ handlers });
      const [one, two] = [await app(), await app()];
      one.request('GET_GUILDS');
      expect(await one.closed()).toEqual({ code: 1006, message: 'why' });
      expect(core.host.closeSessions({}, code as CloseCode, 'why')).toBe(1);
      expect(await two.closed()).toEqual({ code: 1006, message: 'why' });
    },
  );

  it('with a text of another type or of endless length still closes them', async () => {
    const { app, core } = await memoryBridge();
    for (const text of [undefined, 7, {}, 'x'.repeat(1_000_000), '\u0000'] as string[]) {
      const peer = await app();
      expect(core.host.closeSessions({}, 1000, text)).toBe(1);
      const { message } = await peer.closed();
      expect(typeof message).toBe('string');
      expect(message.length).toBeLessThanOrEqual(1000);
    }
  });
});

describe('the values that a core returns at SUBSCRIBE', () => {
  it('are dropped when they lack the shape of the event', async () => {
    const cyclic: Record<string, unknown> = guild('2');
    cyclic['self'] = cyclic;
    const { app, log } = await memoryBridge({
      subscribe: () => [
        guild(7),
        null,
        cyclic,
        guild('1'),
        { ...guild('3'), name: 'x'.repeat(3 * 1024 * 1024) },
      ],
    });
    const peer = await app();
    expect(await peer.subscribe(EVT)).toMatchObject({ evt: null });
    expect(await peer.answer()).toMatchObject({ evt: EVT, data: { id: '1' } });
    expect(await peer.rest()).toEqual([]);
    expect(log.filter(({ message }) => message === 'event dropped').length).toBeGreaterThan(0);
  });

  it('are limited in number', async () => {
    const { app } = await memoryBridge({
      subscribe: () => Array.from({ length: 200_000 }, () => guild('1')),
    });
    const peer = await app();
    await peer.subscribe(EVT);
    expect((await peer.rest()).length).toBeLessThanOrEqual(1024);
    expect(await peer.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
});

describe('a core that calls its host with wrong arguments', () => {
  it('gets an error, and no app notices', async () => {
    const { app, core, log } = await memoryBridge();
    const peer = await app();
    await peer.subscribe(EVT);
    const host = core.host as unknown as Record<keyof CoreHost, (...args: unknown[]) => unknown>;
    for (const wrong of [
      () => host.emit('NO_SUCH', {}),
      () => host.emit('constructor', {}),
      () => host.emit(EVT, guild('1'), null),
      () => host.emit(EVT, guild('1'), { filter: 7 }),
      () => host.relay('nobody', 'X', 1n),
      () => host.grant('nobody', null),
      () => host.grant(peerId(), [7, null, {}]),
      () => host.log('no level', 7),
      () => host.log('constructor', 'x'),
      () => host.closeSessions(null, 1000, 'x'),
      () => host.closeSessions({ clientId: 'another' }, 1000, 'x'),
    ]) {
      try {
        wrong();
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
    function peerId(): string {
      return core.peers[0]?.sessionId ?? '';
    }
    const [summary] = (await peer.rest()).filter(({ opcode }) => opcode === 2);
    expect(summary).toBeUndefined();
    expect(await peer.call('GET_GUILDS')).toMatchObject({ evt: null });
    expect(log.every(({ level }) => ['debug', 'info', 'warn', 'error'].includes(level))).toBe(true);
  });
});

describe('a core that describes itself', () => {
  it.each<[string, () => unknown]>([
    [
      'with an error',
      () => {
        throw new Error('no');
      },
    ],
    ['with nothing', () => undefined],
    ['with rows that are none', () => [7, ['only a label'], [{}, 1n], ['label', 'text']]],
    ['endlessly', () => Array.from({ length: 100_000 }, () => ['label', 'x'.repeat(10_000)])],
  ])('%s has valid, bounded rows in the status', async (_name, describeIt) => {
    const core = withParts({
      start: () => ({ describe: describeIt, admin: { bad: 7, worse: { run() {} } } }),
    });
    const server = await createServer({ transports: [memoryTransport()], core });
    const rows = server.core.describe();
    expect(rows.length).toBeLessThanOrEqual(32);
    for (const row of rows) expect(row).toEqual([expect.any(String), expect.any(String)]);
    expect(JSON.stringify(rows).length).toBeLessThan(20_000);
    expect(server.core.admin).toEqual({});
    await server.close();
  });
});

it('a core that never stops does not block the close of the server', async () => {
  const core = withParts({ stop: () => new Promise<void>(() => {}) });
  const server = await createServer({ transports: [memoryTransport()], core });
  await server.close();
});

it('a core that fails to stop is logged, and the server closes', async () => {
  const core = withParts({ stop: () => Promise.reject(new Error('no')) });
  const { logger, log } = recordingLogger();
  const server = await createServer({ transports: [memoryTransport()], core, logger });
  await server.close();
  expect(log).toContainEqual(expect.objectContaining({ level: 'error' }));
});
