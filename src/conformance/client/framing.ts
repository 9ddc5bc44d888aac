import { verify } from '../failure.ts';
import { formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import { OPCODES } from '../tables.ts';
import { sleep } from '../target/launch.ts';
import { frameBytes } from '../wire/frame.ts';
import { type ClientCase, clientCase } from './case.ts';
import { DETAILS, type Stage } from './stage.ts';
import { answerTo, type ClientRequest, type Visitor } from './visitor.ts';

const SETTINGS = { mute: true, note: 'né€😀' };

/** Frame with the answer to a request. */
function answerBytes(request: ClientRequest, data: unknown = SETTINGS): Buffer {
  return frameBytes(OPCODES.FRAME, JSON.stringify(answerTo(request, data)));
}

/** Answers a request with bytes that `write` sends in its own way, and verifies that the app receives the data. */
async function answered(
  stage: Stage,
  write: (visitor: Visitor, request: ClientRequest) => Promise<void> | void,
  data: unknown = SETTINGS,
): Promise<void> {
  const { client, visitor } = await stage.meet('request');
  const request = await visitor.requestOf('GET_VOICE_SETTINGS');
  await write(visitor, request);
  const reply = await client.saw('reply', stage.timeouts.answerMs);
  const length = isRecord(reply['data']) ? reply['data']['length'] : undefined;
  const isSame = JSON.stringify(reply['data']) === JSON.stringify(data) || isLengthOf(length, data);
  verify(isSame, 'the answer as it was sent', () => formatValue(reply['data']));
}

/**
 * Whether a number can be the length of the data as JSON: in characters, UTF-16 units or bytes, with or without escapes
 * for non-ASCII characters and spaces after commas and colons.
 */
export function isLengthOf(length: unknown, data: unknown): boolean {
  const text = JSON.stringify(data);
  const separators = text.match(/[,:]/g)?.length ?? 0;
  // A non-ASCII unit has at most 6 characters, as \\uXXXX; an escaped slash has 2.
  const maxLength = text.replace(/[^\0-\x7f]/g, '......').replaceAll('/', '..').length + separators;
  return typeof length === 'number' && length >= lengthInCharacters(text) && length <= maxLength;
}

function lengthInCharacters(text: string): number {
  return Array.from(text).length;
}

/** Sends bytes that are no valid frame: the client may close or continue, but must not hang or crash. */
async function survives(stage: Stage, bytes: Buffer): Promise<void> {
  const { client, visitor } = await stage.meet('request');
  const request = await visitor.requestOf('GET_VOICE_SETTINGS');
  visitor.write(bytes);
  await sleep(50);
  visitor.write(answerBytes(request));
  await client.sawAny(['reply', 'error', 'closed', 'failed'], 2 * stage.timeouts.answerMs);
  client.verifyNoCrash();
}

/** Cases about frame assembly, and the handling of invalid frames. */
export const framingCases: readonly ClientCase[] = [
  clientCase('client-framing/1', 'an answer in five pieces', (stage) =>
    answered(stage, (visitor, request) => visitor.drip(answerBytes(request))),
  ),
  clientCase('client-framing/2', 'header and body apart', (stage) =>
    answered(stage, async (visitor, request) => {
      const bytes = answerBytes(request);
      visitor.write(bytes.subarray(0, 8));
      await sleep(30);
      visitor.write(bytes.subarray(8));
    }),
  ),
  clientCase('client-framing/3', 'a write that ends inside a character', (stage) =>
    answered(stage, async (visitor, request) => {
      const bytes = answerBytes(request);
      const middle = bytes.indexOf(Buffer.from('😀')) + 2;
      visitor.write(bytes.subarray(0, middle));
      await sleep(30);
      visitor.write(bytes.subarray(middle));
    }),
  ),
  clientCase('client-framing/4', 'two answers in one write', async (stage) => {
    const { client, visitor } = await stage.meet('request', { CONFORMANCE_COUNT: '2' });
    const first = await visitor.requestOf('GET_VOICE_SETTINGS');
    const second = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.write(Buffer.concat([answerBytes(first), answerBytes(second)]));
    await client.saw('reply', stage.timeouts.answerMs);
    await client.saw('reply', stage.timeouts.answerMs);
  }),
  clientCase('client-framing/5', 'an answer and its event in one write', async (stage) => {
    const { client, visitor } = await stage.meet('subscribe');
    const request = await visitor.requestOf('SUBSCRIBE');
    const event = JSON.stringify({ cmd: 'DISPATCH', data: SETTINGS, evt: request.evt, nonce: null });
    visitor.write(
      Buffer.concat([answerBytes(request, { evt: request.evt }), frameBytes(OPCODES.FRAME, event)]),
    );
    await client.saw('event', stage.timeouts.answerMs);
  }),
  clientCase('client-framing/6', 'a frame and half of the next in one write', (stage) =>
    answered(stage, async (visitor, request) => {
      const event = frameBytes(OPCODES.FRAME, '{"cmd":"DISPATCH","data":null,"evt":"UNKNOWN","nonce":null}');
      const answer = answerBytes(request);
      visitor.write(Buffer.concat([event, answer.subarray(0, 20)]));
      await sleep(30);
      visitor.write(answer.subarray(20));
    }),
  ),
  clientCase('client-framing/7', 'an answer of 20,000 bytes', (stage) => {
    const data = { padding: 'x'.repeat(20_000) };
    return answered(stage, (visitor, request) => visitor.write(answerBytes(request, data)), data);
  }),
  clientCase('client-framing/8', 'an answer of 60,000 bytes', (stage) => {
    const data = { padding: 'x'.repeat(59_900) };
    return answered(stage, (visitor, request) => visitor.write(answerBytes(request, data)), data);
  }),
  clientCase('client-framing/9', 'a declared length of 2 GiB - 1', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.write(Buffer.from('01000000ffffff7f', 'hex'));
    await client.sawAny(['error', 'closed', 'failed'], stage.timeouts.deadlineMs);
  }),
  clientCase('client-framing/10', 'a declared length of -1', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.write(Buffer.from('01000000ffffffff', 'hex'));
    await client.sawAny(['error', 'closed', 'failed'], stage.timeouts.deadlineMs);
  }),
  clientCase('client-framing/11', 'opcode 9', (stage) => survives(stage, frameBytes(9, '{}'))),
  clientCase('client-framing/12', 'a frame without a body', (stage) =>
    survives(stage, frameBytes(OPCODES.FRAME, '')),
  ),
  clientCase('client-framing/13', 'a body that is no JSON', (stage) =>
    survives(stage, frameBytes(OPCODES.FRAME, '{"cmd":')),
  ),
  clientCase('client-framing/14', 'a body that is null', (stage) =>
    survives(stage, frameBytes(OPCODES.FRAME, 'null')),
  ),
  clientCase('client-framing/15', 'text beyond ASCII has the right length', async (stage) => {
    const { visitor } = await stage.meet('presence');
    const { args } = await visitor.requestOf('SET_ACTIVITY');
    const activity = isRecord(args) && isRecord(args['activity']) ? args['activity'] : {};
    verify(activity['details'] === DETAILS, `details ${formatValue(DETAILS)}`, () =>
      formatValue(activity['details']),
    );
  }),
];
