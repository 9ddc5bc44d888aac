/** Destination of the progress line. */
interface Terminal {
  readonly err: (text: string) => void;
  readonly isTerminal: boolean;
}

/** Progress line at the bottom of a terminal. */
export class Progress {
  readonly #io: Terminal;
  readonly #total: number;
  #done = 0;

  constructor(io: Terminal, total: number) {
    this.#io = io;
    this.#total = total;
  }

  advance(id: string): void {
    this.#done++;
    if (this.#io.isTerminal) this.#io.err(`\r${this.#done}/${this.#total} ${id}`);
  }

  clear(): void {
    if (this.#io.isTerminal) this.#io.err('\r\u001b[K');
  }
}
