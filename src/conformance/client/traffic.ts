import { verify } from '../failure.ts';
import { formatFrame, formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import { OPCODES } from '../tables.ts';
import { sleep } from '../target/launch.ts';
import { type ClientCase, clientCase } from './case.ts';
import type { Sighting, Stage } from './stage.ts';
import type { Visitor } from './visitor.ts';

/** Verifies that a PING returns as a PONG with the same JSON; requests before the PONG are skipped. */
export async function pongs(visitor: Visitor, body: string, ms: number): Promise<void> {
  visitor.send(OPCODES.PING, body);
  const until = Date.now() + ms;
  for (;;) {
    const received = await visitor.next(Math.max(1, until - Date.now()));
    if (received.kind === 'frame' && received.opcode === OPCODES.FRAME && Date.now() < until) continue;
    const isPong = received.kind === 'frame' && received.opcode === OPCODES.PONG;
    const text = isPong ? received.body.toString('utf8') : '';
    const actual = received.kind === 'frame' ? formatFrame(received.opcode, received.body) : received.kind;
    verify(isPong && sameJson(text, body), `PONG(4) ${body}`, actual);
    return;
  }
}

function sameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return false;
  }
}

function isMuted({ data }: Sighting): boolean {
  return isRecord(data) && data['mute'] === true;
}

/** Case in which `end` ends the connection: the client must report the end to the app. */
async function reportsEnd(stage: Stage, end: (visitor: Visitor) => void): Promise<void> {
  const { client, visitor } = await stage.meet('idle');
  await client.saw('ready', stage.timeouts.answerMs);
  end(visitor);
  await client.sawAny(['closed'], 2 * stage.timeouts.answerMs);
  client.verifyNoCrash();
}

/** Cases about PING, CLOSE and the requests of a client. */
export const trafficCases: readonly ClientCase[] = [
  clientCase('client-ping/1', 'PING is answered with the same text', async (stage) => {
    const { client, visitor } = await stage.meet('idle');
    await client.saw('ready', stage.timeouts.answerMs);
    await pongs(visitor, '"5c8bc1a2"', stage.timeouts.answerMs);
  }),
  clientCase('client-ping/2', 'PING is answered with the same object', async (stage) => {
    const { client, visitor } = await stage.meet('idle');
    await client.saw('ready', stage.timeouts.answerMs);
    await pongs(visitor, '{"a":[1,null]}', stage.timeouts.answerMs);
  }),
  clientCase('client-ping/3', 'PING between request and answer', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    const request = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.send(OPCODES.PING, '1');
    await sleep(20);
    visitor.answer(request, { mute: true });
    await client.saw('reply', stage.timeouts.answerMs, isMuted);
  }),
  clientCase('client-ping/4', 'an unsolicited PONG', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    const request = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.send(OPCODES.PONG, '"nobody asked"');
    await sleep(20);
    visitor.answer(request, { mute: true });
    await client.saw('reply', stage.timeouts.answerMs, isMuted);
  }),
  clientCase('client-ping/5', 'PING before READY', async (stage) => {
    const endpoint = await stage.open();
    const client = stage.start('idle');
    const visitor = await stage.visit(endpoint, client);
    visitor.send(OPCODES.PING, '1');
    await sleep(20);
    await visitor.welcome();
    await client.saw('ready', stage.timeouts.answerMs);
  }),
  clientCase('client-close/1', 'CLOSE ends the session, and the app is notified', (stage) =>
    reportsEnd(stage, (visitor) => {
      visitor.send(OPCODES.CLOSE, '{"code":1000,"message":"User logout"}');
      visitor.socket.end();
    }),
  ),
  clientCase('client-close/2', 'after CLOSE the client ends the stream', async (stage) => {
    const { client, visitor } = await stage.meet('idle');
    await client.saw('ready', stage.timeouts.answerMs);
    visitor.send(OPCODES.CLOSE, '{"code":1000,"message":"User logout"}');
    await visitor.ended('the client to end the stream after CLOSE');
  }),
  clientCase('client-close/3', 'the end of the stream without CLOSE', (stage) =>
    reportsEnd(stage, (visitor) => visitor.socket.end()),
  ),
  clientCase('client-close/4', 'a connection lost in the middle of a frame', (stage) =>
    reportsEnd(stage, (visitor) => {
      visitor.write(Buffer.from('0100000040000000', 'hex'));
      visitor.socket.destroySoon();
    }),
  ),
  clientCase('client-close/5', 'an app that leaves ends the stream', async (stage) => {
    const { visitor } = await stage.meet('leave');
    await visitor.ended();
  }),
  clientCase('client-close/6', 'an app that leaves sends CLOSE first', async (stage) => {
    const { visitor } = await stage.meet('leave');
    await visitor.frame(OPCODES.CLOSE, 'CLOSE(2)');
  }),
  clientCase('client-close/7', 'open requests fail with their connection', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.destroy();
    await client.sawAny(['error'], 2 * stage.timeouts.answerMs);
  }),
  clientCase('client-request/1', 'SET_ACTIVITY has a pid and an activity', async (stage) => {
    const { visitor } = await stage.meet('presence');
    const { args } = await visitor.requestOf('SET_ACTIVITY');
    const isRight =
      isRecord(args) &&
      Number.isInteger(args['pid']) &&
      Number(args['pid']) > 0 &&
      isRecord(args['activity']);
    verify(isRight, 'args {pid: a whole number, activity: an object}', () => formatValue(args));
  }),
  clientCase('client-request/2', 'the nonce is a text', async (stage) => {
    const { visitor } = await stage.meet('presence');
    const { nonce } = await visitor.requestOf('SET_ACTIVITY');
    verify(typeof nonce === 'string' && nonce !== '', 'a text as nonce', formatValue(nonce));
  }),
  clientCase('client-request/3', 'two open requests have different nonces', async (stage) => {
    const { visitor } = await stage.meet('request', { CONFORMANCE_COUNT: '2' });
    const first = await visitor.requestOf('GET_VOICE_SETTINGS');
    const second = await visitor.requestOf('GET_VOICE_SETTINGS');
    verify(first.nonce !== second.nonce, 'two nonces', formatValue(first.nonce));
  }),
  clientCase('client-request/4', 'clearing sends no activity, or null', async (stage) => {
    const { visitor } = await stage.meet('clear');
    const set = await visitor.requestOf('SET_ACTIVITY');
    visitor.answer(set, isRecord(set.args) ? set.args['activity'] : null);
    const { args } = await visitor.requestOf('SET_ACTIVITY', 20 * stage.timeouts.answerMs);
    const activity = isRecord(args) ? args['activity'] : undefined;
    verify(activity === null || activity === undefined, 'no activity, or null', () => formatValue(activity));
  }),
  clientCase('client-request/5', 'SUBSCRIBE names its event', async (stage) => {
    const { visitor } = await stage.meet('subscribe');
    const { evt } = await visitor.requestOf('SUBSCRIBE');
    verify(evt === 'VOICE_SETTINGS_UPDATE', 'evt VOICE_SETTINGS_UPDATE', formatValue(evt));
  }),
];
