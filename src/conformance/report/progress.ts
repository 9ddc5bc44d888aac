/** Where progress is shown. */
interface Terminal {
  readonly err: (text: string) => void;
  readonly isTerminal: boolean;
}

/** The line at the bottom of a terminal that says how far the run is. */
export class Progress {
  readonly #io: Terminal;
  readonly #total: number;
  #done = 0;

  constructor(io: Terminal, total: number) {
    this.#io = io;
    this.#total = total;
  }

  show(id: string): void {
    this.#done++;
    if (this.#io.isTerminal) this.#io.err(`\r${this.#done}/${this.#total} ${id}`);
  }

  clear(): void {
    if (this.#io.isTerminal) this.#io.err('\r\u001b[K');
  }
}
