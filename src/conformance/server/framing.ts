import { Failure, verify } from '../failure.ts';
import { OPCODES } from '../tables.ts';
import { formatReceived } from '../target/app.ts';
import { frameBytes } from '../wire/frame.ts';
import { alone, IPC_ONLY, runningCase, type ServerCase, together } from './case.ts';

const ipc = runningCase('together', { transports: IPC_ONLY });

/** Maximum of attempts to receive separately written frames in separate reads. */
const MAX_ATTEMPTS = 3;

/** Builds a request whose frame has exactly `size` bytes. */
function requestOfSize(size: number, nonce: string): string {
  const make = (padding: string) =>
    JSON.stringify({ cmd: 'SET_ACTIVITY', args: { pid: 4242, padding }, nonce });
  return make('x'.repeat(size - 8 - make('').length));
}

/** Framing cases beyond the vectors: sizes, bursts, and the writing of answers. */
export const framingCases: readonly ServerCase[] = [
  ipc('framing/26', 'answers are frames with opcode 1 and their exact length', async (context) => {
    const app = await context.ready();
    for (const nonce of ['a', 'né€😀', 'c']) {
      await app.sendRequest('SET_ACTIVITY', { pid: 4242 }, { nonce });
      const frame = await app.frame(OPCODES.FRAME, 'FRAME(1)');
      const declared = frame.header.readUInt32LE(4);
      verify(app.parse(frame, 'FRAME(1)').value['nonce'] === nonce, `an answer with nonce ${nonce}`, () =>
        formatReceived(frame),
      );
      verify(declared === frame.body.byteLength, 'the exact length in the header', `${declared}`);
    }
    await app.quiet('nothing after the last answer');
  }),
  together('framing/27', 'a request of 16 KiB', async (context) => {
    const app = await context.local();
    await app.connection.sendText(requestOfSize(16 * 1024, 'big'));
    await app.reply('big');
  }),
  together('framing/28', 'a request of 100 KB', async (context) => {
    const app = await context.local();
    await app.connection.sendText(requestOfSize(100_000, 'big'));
    await app.reply('big');
  }),
  alone('framing/29', '300 requests in one write, 300 answers', async (context) => {
    const app = await context.local();
    const nonces = Array.from({ length: 300 }, (_, index) => `burst-${index}`);
    const requests = nonces.map((nonce) => requestOfSize(250, nonce));
    if (context.target.transport === 'ipc') {
      await app.connection.write(
        Buffer.concat(requests.map((request) => frameBytes(OPCODES.FRAME, request))),
      );
    } else {
      for (const request of requests) await app.connection.sendText(request);
    }
    const missing = new Set(nonces);
    for (let count = 0; count < nonces.length; count++) {
      const what = `300 answers (${missing.size} still missing)`;
      const { value } = await app.message(what, context.settings.timeouts.answerMs);
      missing.delete(String(value['nonce']));
    }
    verify(missing.size === 0, 'every nonce once', `${missing.size} nonces missing`);
  }),
  ipc('framing/30', 'an answer comes in one piece', async (context) => {
    const app = await context.ready();
    for (let count = 0; count < 5; count++) {
      const reply = await app.request('SET_ACTIVITY', { pid: 4242 });
      verify(reply.frame.whole, 'the answer in one read', 'a frame that came in parts');
    }
  }),
  runningCase('alone', { transports: IPC_ONLY, profile: 'full' })(
    'framing/31',
    'an answer and the event it causes are written apart',
    async (context) => {
      // Several attempts are made, because a busy suite may read two separate writes at once; a server that writes both
      // frames together always causes one read.
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const app = await context.ready();
        const reply = await app.request('SUBSCRIBE', {}, { evt: 'CURRENT_USER_UPDATE' });
        const event = await app.event('CURRENT_USER_UPDATE');
        if (event.frame.read > reply.frame.read) return;
      }
      throw new Failure('answer and event in separate reads', 'both in one read');
    },
  ),
];
