import { NotApplicable, verify } from '../failure.ts';
import { formatBytes, formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import { OPCODES } from '../tables.ts';
import type { App } from '../target/app.ts';
import { formatReceived } from '../target/app.ts';
import { frameBytes } from '../wire/frame.ts';
import { IPC_ONLY, runningCase, type ServerCase } from './case.ts';
import type { Context } from './context.ts';

// A server may wait with each frame until its client has read the one before. READY of such a server can name a text,
// which a client that parses every frame of a read sends back as a PING (the notice) to end the waits. A server without
// the offer never receives the notice from these cases.

const ipc = runningCase('together', { transports: IPC_ONLY });
const COUNT = 24;

/** Requests with answers of the same bytes on every connection. */
const REQUESTS: readonly string[] = Array.from({ length: COUNT }, (_, index) =>
  JSON.stringify(
    index % 2 === 0
      ? { cmd: 'SET_ACTIVITY', args: { pid: 4242 }, nonce: `stream ${index}` }
      : { cmd: 'NO_SUCH_COMMAND', args: {}, nonce: `stream ${index}` },
  ),
);

/** New connection after READY with the notice that READY asks for. */
async function offered(context: Context): Promise<{ readonly app: App; readonly notice: string }> {
  const app = await context.connect();
  await app.send(OPCODES.HANDSHAKE, context.handshake());
  const { data } = (await app.welcome()).value;
  const offer = isRecord(data) ? data['footbridge'] : undefined;
  if (offer === undefined) throw new NotApplicable('READY does not offer streams');
  const text = isRecord(offer) ? offer['stream_ping'] : undefined;
  verify(
    typeof text === 'string' && text !== '',
    'a text as data.footbridge.stream_ping',
    formatValue(text ?? offer),
  );
  return { app, notice: JSON.stringify(text) };
}

/** Verifies that the notice returns as a PONG with the same bytes. */
async function pong(app: App, notice: string): Promise<void> {
  const { body } = await app.frame(OPCODES.PONG, 'PONG(4) with the text of READY');
  verify(body.toString('utf8') === notice, 'PONG(4) with the text of READY', formatBytes(body));
}

/** Answers to {@link REQUESTS} in the order of their arrival; `before` leaves with them, in one write. */
async function answers(app: App, before?: string): Promise<readonly string[]> {
  const notice = before === undefined ? [] : [frameBytes(OPCODES.PING, before)];
  const requests = REQUESTS.map((body) => frameBytes(OPCODES.FRAME, body));
  await app.connection.write(Buffer.concat([...notice, ...requests]));
  const bodies: string[] = [];
  let pongs = 0;
  while (bodies.length < COUNT || pongs < notice.length) {
    const received = await app.next();
    const what = `${COUNT} answers${notice.length > 0 ? ' and one PONG(4)' : ''}`;
    verify(received.kind === 'frame', what, () => `${formatReceived(received)} after ${bodies.length}`);
    if (received.kind !== 'frame') break;
    const body = received.body.toString('utf8');
    if (received.opcode === OPCODES.PONG && pongs < notice.length && body === before) pongs++;
    else {
      verify(received.opcode === OPCODES.FRAME, what, () => formatReceived(received));
      bodies.push(body);
    }
  }
  return bodies;
}

function nonceOf(body: string | undefined): unknown {
  const value: unknown = JSON.parse(body ?? 'null');
  return isRecord(value) ? value['nonce'] : undefined;
}

/** Cases about a server that offers streams in READY. */
export const streamCases: readonly ServerCase[] = [
  ipc('ping/18', 'a client that reads streams gets the same answers in the same order', async (context) => {
    const one = await offered(context);
    const waiting = await answers(one.app);
    const other = await offered(context);
    const streamed = [await answers(other.app, other.notice), await answers(other.app)];
    for (const [index, request] of REQUESTS.entries()) {
      for (const bodies of [waiting, ...streamed]) {
        const nonce = nonceOf(bodies[index]);
        verify(nonce === nonceOf(request), `answer ${index} for request ${index}`, formatValue(nonce));
        verify(
          bodies[index] === waiting[index],
          `answer ${index} with the same bytes as without the PING`,
          () => formatBytes(Buffer.from(bodies[index] ?? '')),
        );
      }
    }
  }),
  ipc(
    'ping/19',
    'the text of READY before the handshake, and again, is a PING like any other',
    async (context) => {
      const { notice } = await offered(context);
      const app = await context.connect();
      await app.send(OPCODES.PING, notice);
      await pong(app, notice);
      await app.send(OPCODES.HANDSHAKE, context.handshake());
      await app.welcome();
      for (let time = 0; time < 2; time++) {
        await app.send(OPCODES.PING, notice);
        await pong(app, notice);
      }
      await app.usable();
    },
  ),
];
