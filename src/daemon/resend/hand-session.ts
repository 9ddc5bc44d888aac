import { printable } from '../../base/text.ts';
import { type MemoryPeer, memoryTransport } from '../../transport/memory.ts';
import { Opcode } from '../../wire/codes.ts';
import type { Connection, PeerCredentials } from '../../wire/connection.ts';
import { encodeFrame, type Frame } from '../../wire/frame.ts';
import { refusal } from './refusal.ts';

/** Time that a session stays after its request, so that its activity and its events can be seen (ms). */
const LINGER_MS = 15_000;
/** Maximum wait for READY (ms), longer than the core "upstream" waits for a chat client; a fault may delay it, or drop it. */
const READY_MS = 6000;
/** Maximum number of sessions; a further one ends the oldest. */
const MAX_SESSIONS = 8;

/** A request for a session of its own. */
interface HandRequest {
  readonly application: string;
  /** The payload, as JSON. */
  readonly request: string;
  /** The process of the operator, which counts as the app's; undefined where it is not known. */
  readonly peer: PeerCredentials | undefined;
  /** Called with the number of the request's entry in the journal. */
  readonly recorded: (seq: number) => void;
}

/** Sessions that the operator opens by hand, each for one request. */
export class HandSessions {
  readonly #accept: (connection: Connection) => void;
  readonly #open = new Set<() => void>();

  constructor(accept: (connection: Connection) => void) {
    this.#accept = accept;
  }

  /** Sends a request in a new session; resolves once it is sent. Rejects with a refusal where the session is refused. */
  async request({ application, request, peer, recorded }: HandRequest): Promise<void> {
    const [oldest] = this.#open;
    if (this.#open.size === MAX_SESSIONS) oldest?.();
    const memory = memoryTransport(peer);
    const byHand = (opcode: number, entry: number): void => {
      if (opcode === Opcode.FRAME) recorded(entry);
    };
    void memory.listen((connection) => this.#accept({ ...connection, byHand }));
    const app = memory.connect();
    const end = (): void => {
      if (!this.#open.delete(end)) return;
      clearTimeout(timer);
      app.end();
    };
    let isLate = false;
    let timer = setTimeout(() => {
      isLate = true;
      end();
    }, READY_MS);
    this.#open.add(end);
    app.send(Opcode.HANDSHAKE, { v: 1, client_id: application });
    const ready = await app.receive();
    if (ready?.opcode !== Opcode.FRAME) {
      end();
      const reason = isLate ? `READY has not come within ${READY_MS / 1000} seconds` : reasonIn(ready);
      throw refusal('REFUSED', `The bridge refused a new session of application ${application}: ${reason}.`);
    }
    clearTimeout(timer);
    timer = setTimeout(end, LINGER_MS);
    timer.unref();
    app.write(encodeFrame(Opcode.FRAME, request).bytes);
    void drain(app).then(end);
  }

  close(): void {
    for (const end of this.#open) end();
  }
}

/** Takes all that comes, which the journal shows. */
async function drain(app: MemoryPeer): Promise<void> {
  while ((await app.receive()) !== undefined);
}

function reasonIn(frame: Frame | undefined): string {
  if (frame === undefined) return 'it has no room for another app';
  const { message } = JSON.parse(Buffer.from(frame.body).toString('utf8')) as { readonly message?: unknown };
  return printable(String(message));
}
