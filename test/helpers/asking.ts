import { type Answer, type AppPeer, asAnswer, type Received } from './app-peer.ts';
import type { EmulatorSockets } from './emulator-sockets.ts';

/** The protocol has no longer silence than this; a person who decides excepted (ms). */
const SILENCE_MS = 1000;

/** What waits for a person. */
export interface Waiting {
  readonly id: string;
  /** Absent of an authorization. */
  readonly cmd?: string;
}

/** How a request ended: answered, or parked for a person. */
export type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'waiting'; readonly request: Waiting };

/** Sends requests of one app and keeps count of every answer, so that a second one to the same is seen. */
export class Asking {
  readonly #app: AppPeer;
  readonly #bridge: Pick<EmulatorSockets, 'run'>;
  readonly #answers = new Map<string, Answer[]>();
  #asked = 0;

  constructor(app: AppPeer, bridge: Pick<EmulatorSockets, 'run'>) {
    this.#app = app;
    this.#bridge = bridge;
  }

  /** Asks, and tells how it ended. Throws on silence. */
  async ask(cmd: string, args: unknown, evt?: string): Promise<Outcome> {
    this.#asked += 1;
    const nonce = `${cmd} ${this.#asked}`;
    this.#answers.set(nonce, []);
    this.#app.request(cmd, args, { nonce, evt });
    return this.#until(nonce, `${cmd} ${evt ?? ''}`, async () => {
      const [request] = (await this.#bridge.run('requests.list')) as Waiting[];
      return request && { kind: 'waiting', request };
    });
  }

  /** Decides on what waits, and gives the answer that follows. */
  async decide(operation: 'requests.approve' | 'requests.deny', request: Waiting): Promise<Answer> {
    const [nonce = ''] = [...this.#answers].find(([, answers]) => answers.length === 0) ?? [];
    await this.#bridge.run(operation, { id: request.id });
    const outcome = await this.#until(nonce, `${nonce} after ${operation}`, () => undefined);
    if (outcome.kind === 'waiting') throw new Error(`${nonce} still waits`);
    return outcome.answer;
  }

  /** Requests that did not get exactly one answer. A request more makes sure that everything has come. */
  async uneven(): Promise<string[]> {
    await this.ask('GET_PLATFORM_BEHAVIORS', {});
    this.#count(await this.#app.rest());
    return [...this.#answers].filter(([, answers]) => answers.length !== 1).map(([nonce]) => nonce);
  }

  async #until(
    nonce: string,
    what: string,
    otherwise: () => Promise<Outcome | undefined> | undefined,
  ): Promise<Outcome> {
    for (const silence = AbortSignal.timeout(SILENCE_MS); !silence.aborted; ) {
      this.#count(await this.#app.some());
      const [answer] = this.#answers.get(nonce) ?? [];
      const outcome = answer ? ({ kind: 'answered', answer } as const) : await otherwise();
      if (outcome) return outcome;
    }
    throw new Error(`${what}: no answer within ${SILENCE_MS} ms, and nobody is asked`);
  }

  #count(frames: readonly Received[]): void {
    for (const answer of frames.map(asAnswer)) {
      if (answer.nonce === null && answer.cmd === 'DISPATCH') continue;
      const answers = this.#answers.get(answer.nonce ?? '');
      if (answers === undefined) throw new Error(`nobody asked for ${JSON.stringify(answer)}`);
      answers.push(answer);
    }
  }
}
