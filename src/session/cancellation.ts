/** Whether the answer to a request, or the other end of a connection, still waits. */
export class Cancellation {
  #controller: AbortController | undefined;
  #over = false;

  /** Aborts when the wait is over. Created on first access: it takes a kilobyte, and requests usually end before. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#over) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Whether it has ended. */
  get over(): boolean {
    return this.#over;
  }

  /** The peer has left, or the time is over. */
  end(): void {
    this.#over = true;
    this.#controller?.abort();
  }
}
