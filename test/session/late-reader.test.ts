import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../src/server/server.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import { hostedSocket } from '../../src/transport/hosted.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { type FakeCore, type FakeCoreOptions, fakeCore } from '../helpers/fake-core.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

/** An app that is ready, on a socket of the system. */
async function ready(
  handlers: FakeCoreOptions['handlers'] & {},
  limits = {},
  more: Pick<FakeCoreOptions, 'subscribe'> = {},
): Promise<{ app: AppPeer; raw: Awaited<ReturnType<typeof rawPeer>>; core: FakeCore }> {
  const socket = await hostedSocket({ env: { XDG_RUNTIME_DIR: temporaryFolder() } }, defaultLimits);
  const core = fakeCore({ handlers, scopes: ['rpc'], ...more });
  const server = await createServer({ transports: [socket], core, limits });
  onTestFinished(() => server.close());
  const raw = await rawPeer(server.endpoints[0]?.path ?? '');
  const app = new AppPeer(raw);
  await app.handshake();
  return { app, raw, core };
}

function guilds(bytes: number) {
  return { guilds: [{ id: '1', name: 'x'.repeat(bytes), icon_url: null }] };
}

const ARGS: Readonly<Record<string, unknown>> = {
  SELECT_VOICE_CHANNEL: { channel_id: null },
  GET_GUILD: { guild_id: '1' },
};

/** All in one write. */
function pipeline(app: AppPeer, cmds: readonly string[]): void {
  const requests = cmds.map((cmd) => JSON.stringify({ cmd, args: ARGS[cmd] ?? {}, nonce: cmd }));
  app.write(Buffer.concat(requests.map((text) => frameBytes(Opcode.FRAME, text))));
}

it.each([
  ['reads at once', 0],
  ['reads late', 300],
])('an app that %s gets the answer behind a large one before the event that it causes', async (_, ms) => {
  const { app, raw, core } = await ready({
    GET_GUILDS: () => guilds(1_900_000),
    SELECT_VOICE_CHANNEL: async () => {
      core.host.emit('VOICE_CHANNEL_SELECT', { channel_id: null });
      return null;
    },
  });
  app.request('SUBSCRIBE', {}, { evt: 'VOICE_CHANNEL_SELECT' });
  await app.answer();
  raw.socket.pause();
  pipeline(app, ['SELECT_VOICE_CHANNEL', 'GET_GUILDS']);
  await delay(ms);
  raw.socket.resume();
  const came = [await app.answer(), await app.answer(), await app.answer()];
  const order = came.map(({ nonce, evt }) => nonce ?? evt);
  expect(new Set(order)).toEqual(new Set(['GET_GUILDS', 'SELECT_VOICE_CHANNEL', 'VOICE_CHANNEL_SELECT']));
  expect(order.indexOf('SELECT_VOICE_CHANNEL')).toBeLessThan(order.indexOf('VOICE_CHANNEL_SELECT'));
});

it('an event that is emitted while answers wait is sent after them, so that values arrive in order', async () => {
  let name = 'old';
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { app, raw, core } = await ready({
    GET_GUILDS: () => guilds(1_900_000),
    GET_GUILD: async () => {
      await delay(20);
      answer();
      return { id: '1', name, icon_url: null, members: [], vanity_url_code: null };
    },
  });
  app.request('SUBSCRIBE', { guild_id: '1' }, { evt: 'GUILD_STATUS' });
  await app.answer();
  raw.socket.pause();
  pipeline(app, ['GET_GUILD', 'GET_GUILDS']);
  await answered;
  await delay(50);
  name = 'new';
  core.host.emit('GUILD_STATUS', { guild: { id: '1', name, icon_url: null }, online: 0 });
  await delay(100);
  raw.socket.resume();
  const came = [await app.answer(), await app.answer(), await app.answer()];
  expect(came.map(({ data }) => data.name ?? data.guild?.name ?? 'guilds')).toEqual(['guilds', 'old', 'new']);
});

it('an event that occurs during SUBSCRIBE is sent after its answer while answers wait', async () => {
  let emit = (): void => {};
  let served = 0;
  const { app, raw, core } = await ready(
    {
      // Both answers are due at once, so the second one waits for the peer to read the first.
      GET_GUILDS: async () => {
        await delay(10);
        served += 1;
        return guilds(1_900_000);
      },
    },
    {},
    {
      subscribe: async () => {
        await expect.poll(() => served).toBe(2);
        emit();
        return delay(20, []);
      },
    },
  );
  emit = () => core.host.emit('VOICE_CHANNEL_SELECT', { channel_id: null });
  raw.socket.pause();
  const subscribe = { cmd: 'SUBSCRIBE', evt: 'VOICE_CHANNEL_SELECT', args: {}, nonce: 'SUBSCRIBE' };
  app.write(frameBytes(Opcode.FRAME, JSON.stringify(subscribe)));
  pipeline(app, ['GET_GUILDS', 'GET_GUILDS']);
  await expect.poll(() => served).toBe(2);
  await delay(200);
  raw.socket.resume();
  const came = [await app.answer(), await app.answer(), await app.answer(), await app.answer()];
  expect(came.map(({ nonce, evt }) => nonce ?? evt)).toEqual([
    'GET_GUILDS',
    'GET_GUILDS',
    'SUBSCRIBE',
    'VOICE_CHANNEL_SELECT',
  ]);
});

it('an app that does not read has no further requests served once an answer waits', async () => {
  let asked = 0;
  const { app, raw } = await ready({
    GET_GUILDS: () => {
      asked += 1;
      return guilds(900_000);
    },
  });
  raw.socket.pause();
  const cmds = Array.from({ length: 40 }, () => 'GET_GUILDS');
  pipeline(app, cmds);
  await expect.poll(() => asked).toBeGreaterThan(1);
  await delay(200);
  expect(asked).toBeLessThanOrEqual(4);
  raw.socket.resume();
  for (const nonce of cmds) expect((await app.answer()).nonce).toBe(nonce);
});

it('an app that leaves more bytes waiting than its share is dropped', async () => {
  let released = (): void => {};
  const all = new Promise<void>((resolve) => {
    released = resolve;
  });
  let asked = 0;
  const { app, raw } = await ready(
    {
      GET_GUILDS: async () => {
        asked += 1;
        if (asked === 16) released();
        await all;
        return guilds(1_500_000);
      },
    },
    { waitingTotalBytes: 20_000_000 },
  );
  raw.socket.pause();
  pipeline(
    app,
    Array.from({ length: 16 }, () => 'GET_GUILDS'),
  );
  const ended = new Promise((resolve) => raw.socket.once('end', resolve).once('close', resolve));
  await all;
  await delay(100);
  raw.socket.resume();
  await ended;
});
