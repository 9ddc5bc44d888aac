/** Whether somebody still waits: for the answer to a request, or at the other end of a connection. */
export class Cancellation {
  #controller: AbortController | undefined;
  #over = false;

  /** Aborts when nobody does any more. Made when it is asked for: it takes a kilobyte, and most ends come first. */
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
