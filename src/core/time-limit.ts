/** Resolves with the outcome of the task, or rejects with `late()` once `ms` have passed; the task itself continues. */
export async function inTime<T>(task: () => T | Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([task(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Error `no end within 10 seconds`, for tasks that must end. */
export function noEndWithin(ms: number): Error {
  return new Error(`no end within ${ms / 1000} seconds`);
}
