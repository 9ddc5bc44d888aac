// A cost for the proof that the guard notices one: copied beside src/session/session.ts of a temporary copy of the
// sources, never into the product.

/** Frames between two looks at how much is owed: the look itself costs about a microsecond. */
const FRAMES = 16;

/**
 * Returns a method that also burns processor time: `share` of what the whole process has used otherwise, threads
 * included, so that every kind of load costs the same percentage more.
 */
export function costingMore<This, Value>(
  method: (this: This, value: Value) => void,
  share: number,
): (this: This, value: Value) => void {
  let [burnt, frames] = [0, 0];
  return function (value) {
    method.call(this, value);
    frames += 1;
    if (frames % FRAMES !== 0) return;
    const used = usedMicroseconds();
    const end = used + (used - burnt) * share - burnt;
    let now = used;
    while (now < end) {
      for (let spin = 0; spin < 300; spin++) sum = (sum * 31 + spin) | 0;
      now = usedMicroseconds();
    }
    burnt += now - used;
  };
}

/** Keeps the compiler from leaving out the loop. */
let sum = 0;

function usedMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
