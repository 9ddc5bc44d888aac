import { Failure, verify } from '../failure.ts';
import { OPCODES } from '../tables.ts';
import type { App } from '../target/app.ts';
import { residentBytes } from '../target/group.ts';
import { frameBytes } from '../wire/frame.ts';
import { alone, crowd, exclusiveCase, IPC_ONLY, runningCase, type ServerCase, together } from './case.ts';
import type { Context } from './context.ts';

const exclusive = exclusiveCase();
const ipc = runningCase('together', { transports: IPC_ONLY });
const ipcAlone = runningCase('alone', { transports: IPC_ONLY });
const ipcCrowd = runningCase('crowd', { transports: IPC_ONLY });

const MIB = 1024 * 1024;
const GROWTH_MIB = 64;

/** Requests in one buffer, as from an app that never reads the answers. */
function unreadRequests(count: number): Buffer {
  const activity = { details: 'd'.repeat(100), state: 's'.repeat(100) };
  const body = JSON.stringify({ cmd: 'SET_ACTIVITY', args: { pid: 4242, activity }, nonce: 'unread' });
  return Buffer.concat(Array.from({ length: count }, () => frameBytes(OPCODES.FRAME, body)));
}

/** Writes without reading. Returns when the server accepts no more data, or everything is written. */
async function flood(app: App, batches: number): Promise<void> {
  app.connection.pause();
  const bytes = unreadRequests(500);
  for (let batch = 0; batch < batches; batch++) {
    const written = app.connection.write(bytes).then(() => true);
    const isTaken = await Promise.race([written, new Promise<false>((done) => setTimeout(done, 250, false))]);
    if (!isTaken) return;
  }
}

/** Verifies that the server reacts: an answer, a refusal or CLOSE passes, silence fails. */
async function answered(app: App, what: string): Promise<void> {
  const received = await app.next();
  if (received.kind === 'silence') throw new Failure(what, `nothing within ${received.ms} ms`, 'silent');
  if (received.kind === 'garbage') throw new Failure(what, received.reason);
}

async function afterwards(context: Context, app: App): Promise<void> {
  app.destroy();
  await context.alive();
}

/** Cases about robustness: probes, floods, peers that never read, hostile JSON. */
export const limitCases: readonly ServerCase[] = [
  ipcCrowd('limits/1', '100 connections that close without a byte', async (context) => {
    for (let count = 0; count < 100; count++) (await context.connect()).destroy();
    await context.alive();
  }),
  ipcAlone('limits/2', 'an app that never reads does not keep others waiting', async (context) => {
    const honest = await context.ready();
    const mute = await context.ready();
    await flood(mute, 20);
    await honest.succeed('SET_ACTIVITY', { pid: 4243 });
    await afterwards(context, mute);
  }),
  exclusive('limits/3', 'an app that never reads does not fill the memory', async (lab) => {
    const instance = await lab.start();
    const mute = await lab.app(instance.path);
    const before = await residentBytes(instance.process.pid);
    await flood(mute, 60);
    const grown = (await residentBytes(instance.process.pid)) - before;
    verify(
      grown < GROWTH_MIB * MIB,
      `at most ${GROWTH_MIB} MiB more memory after unread requests`,
      () => `${Math.round(grown / MIB)} MiB more`,
    );
  }),
  crowd('limits/4', '64 sessions at once', async (context) => {
    const apps = await Promise.all(Array.from({ length: 64 }, () => context.local()));
    await Promise.all(apps.map((app) => app.succeed('SET_ACTIVITY', { pid: 4242 })));
  }),
  ipcCrowd('limits/5', '40 silent connections do not keep a newcomer out', async (context) => {
    await Promise.all(Array.from({ length: 40 }, () => context.connect()));
    await context.alive();
  }),
  alone('limits/6', 'JSON nested 5,000 levels deep', async (context) => {
    const app = await context.local();
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    await app.connection.sendText(`{"cmd":"SET_ACTIVITY","args":{"pid":4242,"x":${deep}},"nonce":"deep"}`);
    await answered(app, 'an answer, ERROR or CLOSE for deeply nested JSON');
    await afterwards(context, app);
  }),
  alone('limits/7', 'a nonce of 100,000 characters', async (context) => {
    const app = await context.local();
    await app.sendRequest('SET_ACTIVITY', { pid: 4242 }, { nonce: 'n'.repeat(100_000) });
    await answered(app, 'an answer, ERROR or CLOSE for a huge nonce');
    await afterwards(context, app);
  }),
  alone('limits/8', 'keys called __proto__ and constructor', async (context) => {
    const app = await context.local();
    const keys = '"__proto__":{"cmd":"x"},"constructor":{"prototype":{"evt":"y"}}';
    await app.connection.sendText(
      `{"cmd":"SET_ACTIVITY","args":{"pid":4242,${keys}},"nonce":"proto",${keys}}`,
    );
    await answered(app, 'an answer, ERROR or CLOSE');
    const other = await context.local();
    const reply = await other.request('SET_ACTIVITY', { pid: 4242 });
    verify(reply.value['evt'] !== 'y', 'other sessions to stay as they were', 'a changed evt');
    await afterwards(context, app);
  }),
  ipc('limits/9', 'an app that sends a byte at a time does not keep others waiting', async (context) => {
    const honest = await context.ready();
    const drip = await context.connect();
    const bytes = frameBytes(OPCODES.HANDSHAKE, context.handshake());
    for (const byte of bytes) {
      await drip.connection.write(Uint8Array.of(byte));
      if (byte === 0) await honest.usable();
    }
    await drip.welcome();
  }),
  together('limits/10', 'ten updates in a row, ten answers', async (context) => {
    const app = await context.local();
    const nonces: string[] = [];
    for (let count = 0; count < 10; count++) {
      nonces.push(
        await app.sendRequest('SET_ACTIVITY', { pid: 4242, activity: { details: `Update ${count}` } }),
      );
    }
    for (const nonce of nonces) await app.reply(nonce);
  }),
];
