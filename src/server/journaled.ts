import { PROBE_MARK } from '../../platform/endpoint/probe-mark.ts';
import type { Journal } from '../journal/journal.ts';
import { wordsWithoutSecrets } from '../journal/without-secrets.ts';
import { startDeadline } from '../session/deadline.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import type { Connection } from '../wire/connection.ts';
import type { Frame } from '../wire/frame.ts';
import type { ConnectionObserver } from '../wire/observed.ts';

/** A peer of a socket that sends nothing for this long is journaled as connected (ms). */
const SILENT_MS = 100;
/** A probe that has not ended after this time is none of our own (ms). */
const PROBE_MS = 2000;
/** A longer PING is none of our own (bytes). */
const MAX_PROBE_BYTES = 100;

/** The journal's state of a connection: undecided, a probe of ours, or an app with entries. */
type Visibility =
  | { readonly kind: 'new' | 'probe'; readonly silence: ReturnType<typeof startDeadline> }
  | { readonly kind: 'journaled' };

const JOURNALED: Visibility = { kind: 'journaled' };

/**
 * Observers of a server's connections, which record their traffic. A probe of our own commands, which is one marked
 * PING, its PONG and the end, leaves no entries: a user would take it for an app.
 */
export class ServerJournal {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** A session's input has a defect, and is served nevertheless. */
  warning(session: string, message: string): void {
    this.#journal.add({ kind: 'warning', session, message });
  }

  /** Observer of a session's connection; for an `old` one the beginning has passed, and it is no probe. */
  observerOf(session: string, { kind, peer }: Connection, is: 'new' | 'old'): ConnectionObserver {
    const journal = this.#journal;
    let visibility: Visibility = JOURNALED;
    const begin = (): void => {
      if (visibility.kind === 'journaled') return;
      visibility.silence.cancel();
      visibility = JOURNALED;
      addConnect();
    };
    const addConnect = (): void => {
      const pid = peer === undefined || peer.pid === 0 ? {} : { pid: peer.pid };
      journal.add({ kind: 'connect', session, over: kind, ...pid });
    };
    // Probes come over sockets and pipes alone.
    if (kind === 'ipc' && is === 'new')
      visibility = { kind: 'new', silence: startDeadline(SILENT_MS, begin) };
    else addConnect();
    /** Whether a frame is part of a probe, which is not recorded. */
    const isProbing = (direction: 'in' | 'out', frame: Frame): boolean => {
      if (visibility.kind === 'probe')
        return frame.opcode === (direction === 'in' ? Opcode.CLOSE : Opcode.PONG);
      if (visibility.kind !== 'new' || direction !== 'in' || !isProbe(frame)) return false;
      visibility.silence.cancel();
      visibility = { kind: 'probe', silence: startDeadline(PROBE_MS, begin) };
      return true;
    };
    return {
      frame: (direction, frame) => {
        if (visibility !== JOURNALED) {
          if (isProbing(direction, frame)) return;
          begin();
        }
        journal.addFrame(session, direction, frame);
      },
      // A core may relay the message of its chat client.
      close: (code, message) => {
        if (visibility.kind === 'probe' && code === CloseCode.NORMAL) return;
        begin();
        journal.add({ kind: 'close', session, code, message: wordsWithoutSecrets(message) });
      },
      broken: (message) => {
        begin();
        journal.add({ kind: 'broken', session, message: wordsWithoutSecrets(message) });
      },
      ended: () => {
        if (visibility.kind === 'probe') return visibility.silence.cancel();
        begin();
        journal.add({ kind: 'end', session });
      },
    };
  }
}

function isProbe({ opcode, body }: Frame): boolean {
  if (opcode !== Opcode.PING || body.byteLength > MAX_PROBE_BYTES) return false;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return text.startsWith(`"${PROBE_MARK}`);
}
