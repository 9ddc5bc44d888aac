import { verify } from '../failure.ts';
import { type ServerCase, together } from './case.ts';

/** Envelope cases beyond the vectors. */
export const envelopeCases: readonly ServerCase[] = [
  together('envelope/15', 'every request gets exactly one answer', async (context) => {
    const app = await context.ready();
    const nonces: string[] = [];
    for (const cmd of [
      'SET_ACTIVITY',
      'NO_SUCH_COMMAND',
      'SET_ACTIVITY',
      'GET_GUILDS',
      'GET_VOICE_SETTINGS',
    ]) {
      nonces.push(await app.sendRequest(cmd, cmd === 'SET_ACTIVITY' ? { pid: 4242 } : {}));
    }
    const answered: unknown[] = [];
    for (let count = 0; count < nonces.length; count++) {
      answered.push((await app.message('an answer to each of 5 requests')).value['nonce']);
    }
    const missing = nonces.filter((nonce) => !answered.includes(nonce));
    verify(
      missing.length === 0,
      'one answer to each of 5 requests',
      `${missing.length} without, others twice`,
    );
    await app.quiet('nothing after the last answer');
  }),
];
