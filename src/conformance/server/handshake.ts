import { OPCODES } from '../tables.ts';
import { frameBytes } from '../wire/frame.ts';
import { IPC_ONLY, runningCase, type ServerCase, together } from './case.ts';

const ipc = runningCase('together', { transports: IPC_ONLY });

/** Handshake cases beyond the vectors: deadlines, and several sessions. */
export const handshakeCases: readonly ServerCase[] = [
  ipc('handshake/28', 'a silent peer is closed with 1006', async (context) => {
    const app = await context.connect();
    await app.close([1006], context.settings.timeouts.deadlineMs);
  }),
  ipc('handshake/29', 'a peer that stops in the middle of its handshake is closed', async (context) => {
    const app = await context.connect();
    await app.connection.write(frameBytes(OPCODES.HANDSHAKE, context.handshake()).subarray(0, 20));
    await app.close([1006], context.settings.timeouts.deadlineMs);
  }),
  together('handshake/30', 'two sessions of one application', async (context) => {
    const [first, second] = await Promise.all([context.local(), context.local()]);
    await Promise.all([
      first.succeed('SET_ACTIVITY', { pid: 4242 }),
      second.succeed('SET_ACTIVITY', { pid: 4243 }),
    ]);
  }),
];
