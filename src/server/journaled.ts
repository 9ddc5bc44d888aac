import { PROBE_MARK } from '../../platform/endpoint/probe-mark.ts';
import type { PeerEntrance } from '../core/core.ts';
import { entranceText } from '../core/entrance-text.ts';
import type { Journal } from '../journal/journal.ts';
import { proseWithoutSecrets } from '../journal/without-secrets.ts';
import { startDeadline } from '../scheduling/deadline.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import type { Connection } from '../wire/connection.ts';
import type { Frame } from '../wire/frame.ts';
import type { ConnectionObserver } from '../wire/observed.ts';

/** Time after which a socket peer that has sent nothing is journaled as connected (ms). */
const SILENT_MS = 100;
/** Maximum duration of one of our own probes (ms); a longer connection is journaled as an app. */
const PROBE_MS = 2000;
/** Maximum size of the PING of one of our own probes (bytes); a longer PING is an app's. */
const MAX_PROBE_BYTES = 100;

/** State of a connection in the journal: undecided, one of our own probes, or an app with entries. */
type Visibility =
  | { readonly kind: 'new' | 'probe'; readonly silence: ReturnType<typeof startDeadline> }
  | { readonly kind: 'journaled' };

const JOURNALED: Visibility = { kind: 'journaled' };

/**
 * Observers of a server's connections, which record their traffic. Our own commands probe a server with a marked PING,
 * its PONG and a close. A probe leaves no entries, because a user would take it for an app.
 */
export class ServerJournal {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Journals a defect in the input of a session that is served nevertheless. */
  warning(session: string, message: string): void {
    this.#journal.add({ kind: 'warning', session, message });
  }

  /**
   * Returns the observer of a session's connection. An `old` connection began before the journal was switched on, so it
   * is no probe.
   */
  observerOf(
    session: string,
    { kind, peer, byHand }: Connection,
    is: 'new' | 'old',
    entrance?: PeerEntrance,
  ): ConnectionObserver {
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
      const through = entrance && { entrance: entranceText(entrance) };
      const mark = byHand && ({ byHand: true } as const);
      journal.add({ kind: 'connect', session, over: kind, ...pid, ...through, ...mark });
    };
    // Our own probes use only sockets and pipes.
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
        journal.addFrame(session, direction, frame, byHand !== undefined);
        if (direction === 'in') byHand?.(frame.opcode, journal.last);
      },
      // The message is redacted, because a core may relay a message of its chat client.
      close: (code, message) => {
        if (visibility.kind === 'probe' && code === CloseCode.NORMAL) return;
        begin();
        journal.add({ kind: 'close', session, code, message: proseWithoutSecrets(message) });
      },
      broken: (message) => {
        begin();
        journal.add({ kind: 'broken', session, message: proseWithoutSecrets(message) });
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
