/** Whether somebody still waits: for the answer to a request, or at the other end of a connection. */
export class Cancellation {
  #controller: AbortController | undefined;
  #over = false;

  /**
   * Signal that aborts when the wait is over. It is created on first access, because it takes a kilobyte and most
   * requests end without it.
   */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#over) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Whether it has ended. */
  get over(): boolean {
    return this.#over;
  }

  /** Ends the wait, because the peer has left or the time limit is over. */
  end(): void {
    this.#over = true;
    this.#controller?.abort();
  }
}
