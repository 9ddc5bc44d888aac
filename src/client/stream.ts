/** A producer that does not wait, and the loop that reads from it. */
export interface StreamSource<T> {
  /** Values kept for a loop that is slow; of more than that the oldest are lost. */
  readonly most: number;
  /** Begins; resolves with what stops it again. */
  readonly begin: (push: (value: T) => void) => Promise<() => unknown>;
  /** Calls back when the loop is to end; the returned functions take the call back. */
  readonly onEnd: (end: () => void) => readonly (() => void)[];
}

/** The values of a source, for `for await`; leaving the loop stops the source. */
export async function* stream<T>({
  most,
  begin,
  onEnd,
}: StreamSource<T>): AsyncGenerator<T, void, undefined> {
  const values: T[] = [];
  let ended = false;
  let wake = (): void => {};
  let stop = (): unknown => undefined;
  // Before it begins: what ends the loop may come in one breath with the answer.
  const forget = onEnd(() => {
    ended = true;
    wake();
  });
  try {
    stop = await begin((value) => {
      if (values.push(value) > most) values.shift();
      wake();
    });
    for (;;) {
      while (values.length > 0) yield values.shift() as T;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    for (const each of forget) each();
    await stop();
  }
}
