/** A producer without back pressure, for the loop that reads from it. */
export interface StreamSource<T> {
  /** Maximum of values buffered for a slow loop; above it the oldest values are dropped. */
  readonly maxBuffered: number;
  /** Starts the source; resolves with a function that stops it. */
  readonly begin: (push: (value: T) => void) => Promise<() => unknown>;
  /** Registers a callback for the end; the returned functions remove it. */
  readonly onEnd: (end: () => void) => readonly (() => void)[];
}

/** The values of a source, for `for await`; leaving the loop stops the source. */
export async function* stream<T>({
  maxBuffered,
  begin,
  onEnd,
}: StreamSource<T>): AsyncGenerator<T, void, undefined> {
  const values: T[] = [];
  let ended = false;
  let resume = (): void => {};
  let stop = (): unknown => undefined;
  // The callback is registered before the start, because the end may arrive in the same chunk as the answer.
  const forget = onEnd(() => {
    ended = true;
    resume();
  });
  try {
    stop = await begin((value) => {
      if (values.push(value) > maxBuffered) values.shift();
      resume();
    });
    for (;;) {
      while (values.length > 0) yield values.shift() as T;
      if (ended) return;
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    }
  } finally {
    for (const each of forget) each();
    await stop();
  }
}
