import { Failure } from '../failure.ts';
import { formatReceived } from '../target/app.ts';
import type { Introduction } from '../target/target.ts';
import { runningCase, type ServerCase, WEBSOCKET_ONLY } from './case.ts';
import type { Context } from './context.ts';

const websocket = runningCase('together', { transports: WEBSOCKET_ONLY });

/** Verifies that the upgrade is refused with an HTTP status, or that the socket is closed with the close code. */
async function refused(context: Context, introduction: Introduction, code: number): Promise<void> {
  const app = await context.connect(introduction);
  const received = await app.next();
  if (received.kind === 'end' && /^HTTP\/1\.1 4\d\d/.test(received.detail)) return;
  const body =
    received.kind === 'frame' && received.opcode === 2 ? JSON.parse(received.body.toString('utf8')) : {};
  if (body.code === code) return;
  throw new Failure(`close code ${code} or an HTTP refusal`, formatReceived(received));
}

/** Cases about features of the WebSocket transport only: origins, and an address instead of a handshake. */
export const websocketCases: readonly ServerCase[] = [
  websocket('websocket/1', 'a foreign origin is refused', (context) =>
    refused(context, { origin: 'https://attacker.example' }, 4001),
  ),
  websocket('websocket/2', 'no origin is refused', (context) => refused(context, { origin: null }, 4001)),
  websocket('websocket/3', 'v 2 is closed with 4004', async (context) => {
    await (await context.connect({ v: '2' })).close([4004]);
  }),
  websocket('websocket/4', 'an unknown encoding is closed with 4005', async (context) => {
    await (await context.connect({ encoding: 'morse' })).close([4005]);
  }),
  websocket('websocket/5', 'JSON when no encoding is named', async (context) => {
    await (await context.connect({ encoding: null })).welcome();
  }),
  websocket('websocket/6', 'no client id is closed with 4000', async (context) => {
    await (await context.connect({ clientId: null })).close([4000]);
  }),
  websocket('websocket/7', 'a client id that is no id is closed with 4000', async (context) => {
    await (await context.connect({ clientId: 'not-a-snowflake' })).close([4000]);
  }),
];
