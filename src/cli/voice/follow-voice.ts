import { setTimeout as delay } from 'node:timers/promises';
import { isLocalError, messageOf, systemCode } from '../../base/local-error.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { daemonClient } from '../daemon-client.ts';
import { classOf, type VoiceAnswer, type VoiceLine, voiceFormats } from './voice-text.ts';

/** Wait of one request for a change (ms). */
const WAIT_MS = 25_000;
/** Time limit of an answer: the wait, and the wait for consent (ms). */
const ANSWER_MS = WAIT_MS + 45_000;
/** Pause before the next try, without a bridge and without voice (ms). */
const PAUSE_MS = { disconnected: 500, unavailable: 3000 } as const;

/**
 * Prints the state of voice, and a line for each change, until the reader of stdout has gone. A bridge that ends or refuses
 * is a line as well, because a bar does not start its module again.
 */
export async function followVoice(format: keyof typeof voiceFormats, io: Io): Promise<ExitCode> {
  const client = daemonClient({ env: io.env, err: () => {} });
  let known: { readonly version: number; readonly begun: number } | undefined;
  let last = '';
  const next = async (isFirst: boolean): Promise<VoiceLine> => {
    try {
      const args = { ...known, wait: known === undefined ? 0 : WAIT_MS, passive: !isFirst };
      const options = { timeoutMs: ANSWER_MS, slowness: 'expected' } as const;
      const state = (await client.call('voice.show', args, options)) as VoiceAnswer;
      known = { version: state.version, begun: state.begun };
      return { class: classOf(state), state };
    } catch (error) {
      known = undefined;
      const isGone =
        systemCode(error) === 'ECONNRESET' ||
        (isLocalError(error) && ['FOOTBRIDGE_NO_DAEMON', 'FOOTBRIDGE_CONTROL'].includes(error.code));
      return { class: isGone ? 'disconnected' : 'unavailable', reason: messageOf(error) };
    }
  };
  for (let isFirst = true; !io.outClosed.aborted; isFirst = false) {
    const line = await next(isFirst);
    const text = voiceFormats[format](line);
    if (text !== last) {
      io.out(`${text}\n`);
      await io.outTaken();
      last = text;
    }
    if ('reason' in line)
      await delay(PAUSE_MS[line.class], undefined, { signal: io.outClosed }).catch(() => {});
  }
  return ExitCode.OK;
}
