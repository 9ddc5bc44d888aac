import { verify } from '../failure.ts';
import { showBytes } from '../show.ts';
import { OPCODES } from '../tables.ts';
import { frameBytes } from '../wire/frame.ts';
import { alone, IPC_ONLY, type ServerCase, together } from './case.ts';

/** PING beyond what the vectors say. */
export const pingCases: readonly ServerCase[] = [
  alone(
    'ping/15',
    '2,000 PINGs in one write, 2,000 PONGs',
    ['ping.burst'],
    async (context) => {
      const app = await context.ready();
      const pings = Array.from({ length: 2000 }, (_, index) => frameBytes(OPCODES.PING, String(index)));
      await app.connection.write(Buffer.concat(pings));
      for (let index = 0; index < pings.length; index++) {
        const pong = await app.frame(OPCODES.PONG, `PONG(4) number ${index} of 2000`);
        const body = pong.body.toString('utf8');
        verify(body === String(index), `PONG(4) with body ${index}`, body);
      }
    },
    { transports: IPC_ONLY },
  ),
  together(
    'ping/16',
    'a body of 40,000 bytes',
    ['ping.large'],
    async (context) => {
      const app = await context.ready();
      const body = JSON.stringify('p'.repeat(39_998));
      await app.send(OPCODES.PING, body);
      const pong = await app.frame(OPCODES.PONG, 'PONG(4) with the same 40,000 bytes');
      verify(pong.body.toString('utf8') === body, 'PONG(4) with the same 40,000 bytes', showBytes(pong.body));
    },
    { transports: IPC_ONLY },
  ),
  together(
    'ping/17',
    'the server never sends PING first',
    ['ping.never-first'],
    async (context) => {
      const before = await context.connect();
      const after = await context.ready();
      const ms = 4 * context.settings.patience.quietMs;
      await Promise.all([
        before.quiet('nothing before the handshake', ms),
        after.quiet('nothing on an idle session', ms),
      ]);
    },
    { transports: IPC_ONLY },
  ),
];
