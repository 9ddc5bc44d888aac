/** A question about a token, which is withdrawn once the token is no more. */
interface Question {
  readonly isAlive: () => boolean;
  readonly withdraw: () => void;
}

/** The questions about tokens that wait for an answer. */
export class Questions {
  readonly #open = new Set<Question>();

  /** Withdraws those about tokens that are no more. */
  settle(): void {
    for (const question of this.#open) if (!question.isAlive()) question.withdraw();
  }

  /** Has `ask` done with a signal that aborts with `signal`, and when the token is no more. */
  async during<T>(
    isAlive: () => boolean,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const ended = new AbortController();
    const withdraw = (): void => ended.abort();
    const question = { isAlive, withdraw };
    this.#open.add(question);
    if (signal.aborted) withdraw();
    else signal.addEventListener('abort', withdraw, { once: true });
    try {
      return await ask(ended.signal);
    } finally {
      signal.removeEventListener('abort', withdraw);
      this.#open.delete(question);
    }
  }
}
