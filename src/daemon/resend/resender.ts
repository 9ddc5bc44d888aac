import type { AdminCaller } from '../../base/admin-operation.ts';
import { LocalError } from '../../base/local-error.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import type { Journal } from '../../journal/journal.ts';
import { NEVER_RESENT } from '../../journal/never-resent.ts';
import type { Original } from '../../journal/original.ts';
import type { SessionSummary } from '../../server/options.ts';
import type { Connection } from '../../wire/connection.ts';
import type { PlatformAccess } from '../core-options.ts';
import { requestOf } from './frame.ts';
import { HandSessions } from './hand-session.ts';
import { prepareRequest } from './http-request.ts';
import { refusal } from './refusal.ts';
import type { ResendArgs, Resent } from './resend-args.ts';
import { applicationOf } from './session-application.ts';

/** Maximum number of calls at a time. */
const MAX_CALLS = 8;
/** Maximum wait for the new entry (ms); shorter than a client of the control socket waits for the result. */
const RECORDED_MS = 8000;

const EDITS_OF_FRAMES = ['command', 'args', 'event'] as const;
const EDITS_OF_REQUESTS = ['method', 'path', 'body'] as const;

/** What sending again takes from its bridge. */
export interface ResendNeeds {
  readonly journal: Journal | undefined;
  readonly sessions: () => readonly Pick<SessionSummary, 'id' | 'clientId' | 'endpoint'>[];
  /** Base address of the core's own API; undefined for a core without one. */
  readonly coreApi: () => string | undefined;
  /** The emulator's platform; undefined with another core. */
  readonly platform: PlatformAccess | undefined;
  /** Owner of the process; undefined where the system has none. */
  readonly uid: number | undefined;
}

interface ResenderOptions extends ResendNeeds {
  readonly accept: (connection: Connection) => void;
}

/** Sends entries of the journal again. See `README.md` of the folder `src/journal` for what the journal stores. */
export class Resender {
  readonly #options: ResenderOptions;
  readonly #sessions: HandSessions;
  #calls = 0;

  constructor(options: ResenderOptions) {
    this.#options = options;
    this.#sessions = new HandSessions(options.accept);
  }

  async send(args: ResendArgs, caller: AdminCaller): Promise<Resent> {
    if (this.#calls === MAX_CALLS)
      throw refusal('BUSY', `${MAX_CALLS} entries are being sent again now; try it again in a moment.`);
    this.#calls += 1;
    try {
      return await this.#send(args, caller);
    } finally {
      this.#calls -= 1;
    }
  }

  close(): void {
    this.#sessions.close();
  }

  async #send(args: ResendArgs, caller: AdminCaller): Promise<Resent> {
    const { journal } = this.#options;
    if (!journal?.isOn)
      throw new LocalError(
        'FOOTBRIDGE_JOURNAL',
        'This bridge keeps no journal, so there is nothing to send again.',
      );
    const found = journal.original(args.seq);
    if (found === undefined)
      throw refusal(
        'GONE',
        `Entry ${args.seq} is not in the journal (any longer), which has the last entries only.`,
      );
    const { entry, original } = found;
    switch (entry.kind) {
      case 'frame':
        checkEdits(args, EDITS_OF_REQUESTS, 'a frame has no method, path or body');
        return this.#frame(journal, entry, original, args, caller);
      case 'http':
        checkEdits(args, EDITS_OF_FRAMES, 'a request over HTTP has no command, args or event');
        return this.#request(journal, entry, original, args);
      case 'webhook':
        checkEdits(args, [...EDITS_OF_FRAMES, ...EDITS_OF_REQUESTS], 'a webhook is sent again as it was');
        return this.#webhook(entry);
      case 'gateway':
        throw refusal('SESSION', NEVER_RESENT.gateway);
      default:
        throw refusal(
          'KIND',
          `An entry of the kind ${JSON.stringify(entry.kind)} is nothing that could be sent again.`,
        );
    }
  }

  async #frame(
    journal: Journal,
    entry: Extract<JournalEntry, { readonly kind: 'frame' }>,
    original: Original | undefined,
    args: ResendArgs,
    caller: AdminCaller,
  ): Promise<Resent> {
    const request = requestOf(entry, original, args);
    const { sessions, uid = 0 } = this.#options;
    const application = applicationOf(entry.session, sessions(), journal);
    const peer = caller.pid === undefined ? undefined : { pid: caller.pid, uid };
    const seq = await recorded((done) =>
      this.#sessions.request({ application, request, peer, recorded: done }),
    );
    return { seq, kind: 'frame', application };
  }

  async #request(
    journal: Journal,
    entry: Extract<JournalEntry, { readonly kind: 'http' }>,
    original: Original | undefined,
    args: ResendArgs,
  ): Promise<Resent> {
    const { platform, coreApi } = this.#options;
    const api = coreApi();
    if (platform === undefined || api === undefined || original?.kind !== 'http')
      throw refusal('KIND', 'This bridge has no emulator that could answer the request.');
    const prepared = await prepareRequest({ journal, platform, api, entry, original, args });
    const seq = await recorded((done) => prepared.send(done));
    return { seq, kind: 'http', application: prepared.application };
  }

  async #webhook({
    delivery,
    application,
  }: Extract<JournalEntry, { readonly kind: 'webhook' }>): Promise<Resent> {
    const { platform } = this.#options;
    if (delivery === undefined || platform === undefined) throw refusal('KIND', NEVER_RESENT.once);
    const seq = await recorded(async (done) => platform.redeliver(delivery, done));
    return { seq, kind: 'webhook', application };
  }
}

function checkEdits(args: ResendArgs, without: readonly (keyof ResendArgs)[], reason: string): void {
  const wrong = without.find((name) => args[name] !== undefined);
  if (wrong !== undefined) throw refusal('EDIT', `${wrong}: ${reason}.`);
}

/** Number of the entry that `send` causes; null if it does not come in time. Rejects as `send` does. */
async function recorded(send: (done: (seq: number) => void) => Promise<unknown>): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), RECORDED_MS);
    timer.unref();
    const done = (seq: number): void => {
      clearTimeout(timer);
      resolve(seq);
    };
    send(done).catch((error: unknown) => {
      clearTimeout(timer);
      reject(error as Error);
    });
  });
}
