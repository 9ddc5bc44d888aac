import { verify } from '../failure.ts';
import { formatBytes } from '../format.ts';
import { OPCODES } from '../tables.ts';
import { frameBytes } from '../wire/frame.ts';
import { IPC_ONLY, runningCase, type ServerCase } from './case.ts';

const ipc = runningCase('together', { transports: IPC_ONLY });
const ipcAlone = runningCase('alone', { transports: IPC_ONLY });

/** PING cases beyond the vectors. */
export const pingCases: readonly ServerCase[] = [
  ipcAlone('ping/15', '300 PINGs in one write, more than one read holds, 300 PONGs', async (context) => {
    const app = await context.ready();
    const bodies = Array.from({ length: 300 }, (_, index) => JSON.stringify(`${index} ${'p'.repeat(280)}`));
    await app.connection.write(Buffer.concat(bodies.map((body) => frameBytes(OPCODES.PING, body))));
    for (const [index, body] of bodies.entries()) {
      const pong = await app.frame(OPCODES.PONG, `PONG(4) number ${index} of ${bodies.length}`);
      verify(pong.body.toString('utf8') === body, `the body of PING number ${index}`, () =>
        formatBytes(pong.body),
      );
    }
  }),
  ipc('ping/16', 'a body of 40,000 bytes', async (context) => {
    const app = await context.ready();
    const body = JSON.stringify('p'.repeat(39_998));
    await app.send(OPCODES.PING, body);
    const pong = await app.frame(OPCODES.PONG, 'PONG(4) with the same 40,000 bytes');
    verify(pong.body.toString('utf8') === body, 'PONG(4) with the same 40,000 bytes', formatBytes(pong.body));
  }),
  ipc('ping/17', 'the server never sends PING first', async (context) => {
    const before = await context.connect();
    const after = await context.ready();
    const ms = 4 * context.settings.timeouts.quietMs;
    await Promise.all([
      before.quiet('nothing before the handshake', ms),
      after.quiet('nothing on an idle session', ms),
    ]);
  }),
];
