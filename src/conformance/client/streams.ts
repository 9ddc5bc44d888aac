import { NotApplicable, verify } from '../failure.ts';
import { formatText } from '../format.ts';
import { OPCODES } from '../tables.ts';
import { frameBytes } from '../wire/frame.ts';
import { type ClientCase, clientCase } from './case.ts';
import type { Stage } from './stage.ts';
import { pongs } from './traffic.ts';
import { answerTo, type ClientRequest, READY, type Visitor } from './visitor.ts';

const TEXT = 'footbridge reads streams';
/** Body of the PING with which a client says that it parses every frame of a read. */
const NOTICE = JSON.stringify(TEXT);
/** READY of a server that waits for each frame to be read until a client says that. */
const OFFER = { ...READY, data: { ...READY.data, footbridge: { stream_ping: TEXT } } };

const COUNT = 6;

/** Receives the client's requests, and skips its PINGs until it is quiet. */
async function requests(stage: Stage, visitor: Visitor, count: number): Promise<readonly ClientRequest[]> {
  const all: ClientRequest[] = [];
  while (all.length < count) all.push(await visitor.requestOf('GET_VOICE_SETTINGS'));
  await visitor.next(stage.timeouts.quietMs);
  return all;
}

/** Cases about the PING with which a client says that it reads streams. */
export const streamCases: readonly ClientCase[] = [
  clientCase(
    'client-ping/6',
    'a server that does not offer streams is not sent their PING, and its own is echoed',
    async (stage) => {
      const { client, visitor } = await stage.meet('request');
      const [request] = await requests(stage, visitor, 1);
      verify(!visitor.pings.includes(NOTICE), 'no PING(3) with this text', formatText(NOTICE, 60));
      await pongs(visitor, NOTICE, stage.timeouts.answerMs);
      if (request !== undefined) visitor.answer(request, { mute: true });
      await client.saw('reply', stage.timeouts.answerMs);
    },
  ),
  clientCase(
    'client-ping/7',
    'a client that says that it reads streams takes every answer of one write',
    async (stage) => {
      const endpoint = await stage.open();
      const client = stage.start('request', { CONFORMANCE_COUNT: String(COUNT) });
      const visitor = await stage.visit(endpoint, client);
      await visitor.welcome(OFFER);
      const all = await requests(stage, visitor, COUNT);
      const count = visitor.pings.filter((body) => body === NOTICE).length;
      if (count === 0) throw new NotApplicable('the client does not say that it reads streams');
      verify(count === 1, `one PING(3) ${NOTICE}`, `${count} of these`);
      const bytes = all.map((request) =>
        frameBytes(OPCODES.FRAME, JSON.stringify(answerTo(request, { mute: true }))),
      );
      visitor.write(Buffer.concat(bytes));
      for (const _ of all) await client.saw('reply', stage.timeouts.answerMs);
    },
  ),
];
