/** An open question to the user about a token. It is withdrawn when the token ends. */
interface Question {
  readonly isAlive: () => boolean;
  readonly withdraw: () => void;
}

/** Open questions about tokens. */
export class Questions {
  readonly #open = new Set<Question>();

  /** Withdraws questions about tokens that have ended. */
  settle(): void {
    for (const question of this.#open) if (!question.isAlive()) question.withdraw();
  }

  /** Runs `task` with a signal that aborts with `signal`, or when the token ends. */
  async during<T>(
    isAlive: () => boolean,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const ended = new AbortController();
    const withdraw = (): void => ended.abort();
    const question = { isAlive, withdraw };
    this.#open.add(question);
    if (signal.aborted) withdraw();
    else signal.addEventListener('abort', withdraw, { once: true });
    try {
      return await task(ended.signal);
    } finally {
      signal.removeEventListener('abort', withdraw);
      this.#open.delete(question);
    }
  }
}
