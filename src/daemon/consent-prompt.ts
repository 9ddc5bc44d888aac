import type { Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { messageOf } from '../base/local-error.ts';
import type { Style } from '../base/style.ts';
import { printable } from '../base/text.ts';
import { READING_MS } from '../emulator/accounts/consent/reading-time.ts';
import type { WaitingRequest } from '../emulator/api/waiting-request.ts';
import type { OnRequest } from './core-options.ts';
import { requestText } from './request-text.ts';
import { unstoredText } from './state-files.ts';

/** Decision of the user. */
export type Answer = 'once' | 'always' | 'deny';

/** Dependencies of the prompt. */
export interface PromptOptions {
  readonly input: Readable;
  readonly write: (text: string) => void;
  readonly style: Style;
  /** Text that the user types before the name of a command. */
  readonly called: string;
  readonly onRequest: OnRequest;
  /** Carries out the decision; the result says whether it is stored. Throws for a request that was answered earlier. */
  decide(request: WaitingRequest, answer: Answer): Promise<unknown>;
  /** In ms; for tests. */
  readonly now?: () => number;
}

/**
 * Prompts the user at the terminal for one request after the other. A request that is settled elsewhere during its
 * prompt (approved from another terminal, timed out, withdrawn) is reported and skipped. Returns a function that stops
 * the prompts.
 */
export function promptForConsent(options: PromptOptions): () => void {
  const prompt = new ConsentPrompt(options);
  const off = options.onRequest((event, request) => {
    if (event === 'added') prompt.add(request);
    else prompt.settled(request.id);
  });
  return () => {
    off();
    prompt.stop();
  };
}

class ConsentPrompt {
  readonly #options: PromptOptions;
  readonly #now: () => number;
  readonly #waiting: WaitingRequest[] = [];
  #lines: Interface | undefined;
  #promptedAt = 0;
  /** Id of the request whose answer is in progress, so that its settlement is not reported as one from elsewhere. */
  #answered: string | undefined;

  constructor(options: PromptOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  add(request: WaitingRequest): void {
    this.#waiting.push(request);
    if (this.#waiting.length === 1) this.#prompt(request);
  }

  settled(id: string): void {
    const index = this.#waiting.findIndex((request) => request.id === id);
    if (index === -1) return;
    const current = index === 0;
    if (id !== this.#answered && current) this.#options.write(`\nRequest ${id} was settled elsewhere.\n`);
    this.#waiting.splice(index, 1);
    if (current && id !== this.#answered) this.#promptNext();
  }

  stop(): void {
    this.#waiting.length = 0;
    this.#lines?.close();
    this.#lines = undefined;
  }

  #prompt(request: WaitingRequest): void {
    const { write, style, input } = this.#options;
    const always = request.kind === 'authorization' ? '  [a] always' : '';
    write(`${requestText(request, style)}Allow it? [y] yes, once${always}  [N] no: `);
    this.#promptedAt = this.#now();
    if (this.#lines !== undefined) return;
    // Loaded with the first question. `terminal` is false, because a terminal interface would take Ctrl-C away from the
    // signal handlers.
    this.#lines = process.getBuiltinModule('node:readline').createInterface({ input, terminal: false });
    this.#lines.on('line', (line) => void this.#answer(line));
    this.#lines.on('close', () => this.#inputEnded());
  }

  async #answer(line: string): Promise<void> {
    const [request] = this.#waiting;
    if (request === undefined || this.#answered !== undefined) return;
    // A line that comes early was typed for something else. A clear no grants no access, so it counts at once.
    if (!isNo(line) && this.#now() - this.#promptedAt < READING_MS) {
      this.#options.write('That came too fast to be an answer to this. ');
      this.#prompt(request);
      return;
    }
    this.#answered = request.id;
    const answer = readAnswer(line, request.kind === 'authorization');
    try {
      const result = await this.#options.decide(request, answer);
      const unstored = unstoredText(result);
      this.#options.write(
        answer === 'deny'
          ? 'Denied.\n'
          : `Allowed${answer === 'always' && unstored === undefined ? ', from now on' : ''}.\n`,
      );
      if (unstored !== undefined) this.#options.write(`${unstored}\n`);
    } catch (error) {
      this.#options.write(`${printable(messageOf(error))}\n`);
    }
    this.#answered = undefined;
    const index = this.#waiting.indexOf(request);
    if (index !== -1) this.#waiting.splice(index, 1);
    this.#promptNext();
  }

  #promptNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      // Without a waiting request no question is open, so later input is not read.
      this.stop();
      return;
    }
    this.#prompt(next);
  }

  #inputEnded(): void {
    if (this.#waiting.length === 0) return;
    for (const { id } of this.#waiting)
      this.#options.write(`\nNobody answers here: ${this.#options.called} approve ${id}\n`);
    this.#waiting.length = 0;
    this.#lines = undefined;
  }
}

function isNo(line: string): boolean {
  return ['n', 'no'].includes(line.trim().toLowerCase());
}

/** Parses an answer: any line other than a clear yes is a no, and so is "always" where the prompt did not offer it. */
export function readAnswer(line: string, mayRemember: boolean): Answer {
  switch (line.trim().toLowerCase()) {
    case 'y':
    case 'yes':
      return 'once';
    case 'a':
    case 'always':
      return mayRemember ? 'always' : 'deny';
    default:
      return 'deny';
  }
}
