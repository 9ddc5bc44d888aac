import { verify } from '../failure.ts';
import { formatValue } from '../format.ts';
import { OPCODES } from '../tables.ts';
import { sleep } from '../target/launch.ts';
import { frameBytes } from '../wire/frame.ts';
import { type ClientCase, clientCase } from './case.ts';
import type { Client, Stage } from './stage.ts';
import { READY, type Visitor } from './visitor.ts';

/** Starts a client and waits until it has connected; the server has sent nothing yet. */
async function arrive(stage: Stage): Promise<{ client: Client; visitor: Visitor }> {
  const endpoint = await stage.open();
  const client = stage.start('idle');
  const visitor = await stage.visit(endpoint, client);
  return { client, visitor };
}

/** Verifies that the client becomes ready after a variant of READY. */
async function accepts(stage: Stage, send: (visitor: Visitor) => Promise<void> | void): Promise<void> {
  const { client, visitor } = await arrive(stage);
  await visitor.handshake();
  await send(visitor);
  await client.saw('ready', stage.timeouts.answerMs);
  await sleep(stage.timeouts.quietMs);
  client.verifyNoCrash();
}

/** Verifies that the client does not become ready, and reports the failure to the app. */
async function refuses(stage: Stage, send: (visitor: Visitor) => void): Promise<void> {
  const { client, visitor } = await arrive(stage);
  await visitor.handshake();
  send(visitor);
  await client.sawAny(['failed', 'closed'], stage.timeouts.deadlineMs);
  await sleep(stage.timeouts.quietMs);
  client.notSeen('ready');
}

const readyBytes = (data: unknown = READY.data) =>
  frameBytes(OPCODES.FRAME, JSON.stringify({ ...READY, data }));

/** Cases about the first frame of a client, and the variants of READY that the client must accept. */
export const handshakeCases: readonly ClientCase[] = [
  clientCase('client-handshake/1', 'HANDSHAKE is the first frame', async (stage) => {
    const { visitor } = await arrive(stage);
    await visitor.handshake();
  }),
  clientCase('client-handshake/2', 'v is 1', async (stage) => {
    const { visitor } = await arrive(stage);
    const { body } = await visitor.handshake();
    verify(body['v'] === 1 || body['v'] === '1', 'v 1', formatValue(body['v']));
  }),
  clientCase('client-handshake/3', 'v is a number', async (stage) => {
    const { visitor } = await arrive(stage);
    const { body } = await visitor.handshake();
    verify(typeof body['v'] === 'number', 'v as a number', formatValue(body['v']));
  }),
  clientCase('client-handshake/4', 'client_id is the id, as a string', async (stage) => {
    const { visitor } = await arrive(stage);
    const { body } = await visitor.handshake();
    verify(
      body['client_id'] === stage.settings.clientId,
      stage.settings.clientId,
      formatValue(body['client_id']),
    );
  }),
  clientCase('client-handshake/5', 'nothing is sent before READY', async (stage) => {
    const endpoint = await stage.open();
    const client = stage.start('presence');
    const visitor = await stage.visit(endpoint, client);
    await visitor.handshake();
    const received = await visitor.next(2 * stage.timeouts.quietMs);
    verify(received.kind === 'silence', 'nothing between HANDSHAKE and READY', () => received.kind);
  }),
  clientCase('client-handshake/6', 'header and body in one write', async (stage) => {
    const { visitor } = await arrive(stage);
    const { frame } = await visitor.handshake();
    verify(frame.whole, 'HANDSHAKE in one read', 'a frame that came in parts');
  }),
  clientCase('client-handshake/7', 'READY in five pieces', (stage) =>
    accepts(stage, (visitor) => visitor.drip(readyBytes())),
  ),
  clientCase('client-handshake/8', 'READY with header and body apart', (stage) =>
    accepts(stage, async (visitor) => {
      visitor.write(readyBytes().subarray(0, 8));
      await sleep(30);
      visitor.write(readyBytes().subarray(8));
    }),
  ),
  clientCase('client-handshake/9', 'READY and an event in one write', (stage) =>
    accepts(stage, (visitor) => {
      const event = JSON.stringify({ cmd: 'DISPATCH', data: null, evt: 'AUTHORIZE_REQUEST', nonce: null });
      visitor.write(Buffer.concat([readyBytes(), frameBytes(OPCODES.FRAME, event)]));
    }),
  ),
  clientCase('client-handshake/10', 'READY after 3 seconds', (stage) =>
    accepts(stage, async (visitor) => {
      await sleep(1.5 * stage.timeouts.answerMs);
      visitor.write(readyBytes());
    }),
  ),
  clientCase('client-handshake/11', 'READY with fields that are not known', (stage) =>
    accepts(stage, (visitor) => visitor.write(readyBytes({ ...READY.data, theme: { dark: true }, v: 1 }))),
  ),
  clientCase('client-handshake/12', 'a user without an avatar', (stage) =>
    accepts(stage, (visitor) =>
      visitor.write(readyBytes({ ...READY.data, user: { ...READY.data.user, avatar: null } })),
    ),
  ),
  clientCase('client-handshake/13', 'READY without a user', (stage) =>
    accepts(stage, (visitor) => visitor.write(readyBytes({ v: 1, config: READY.data.config }))),
  ),
  clientCase('client-handshake/14', 'CLOSE 4000 instead of READY', (stage) =>
    refuses(stage, (visitor) => {
      visitor.send(OPCODES.CLOSE, '{"code":4000,"message":"Invalid Client ID"}');
      visitor.socket.end();
    }),
  ),
  clientCase('client-handshake/15', 'CLOSE 1006 instead of READY', (stage) =>
    refuses(stage, (visitor) => {
      visitor.send(OPCODES.CLOSE, '{"code":1006,"message":"Server at capacity"}');
      visitor.socket.end();
    }),
  ),
  clientCase('client-handshake/16', 'the end of the stream instead of READY', (stage) =>
    refuses(stage, (visitor) => visitor.socket.end()),
  ),
  clientCase('client-handshake/17', 'another protocol instead of READY', (stage) =>
    refuses(stage, (visitor) => visitor.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))),
  ),
  clientCase('client-handshake/18', 'silence instead of READY', (stage) => refuses(stage, () => undefined)),
];
