/** Maximum number of instructions of one pattern. Each instruction may visit each character of a text. */
export const MAX_INSTRUCTIONS = 500;

/**
 * Estimated number of instructions of a pattern: its characters, where those before `{n,m}` count once for each
 * repetition.
 */
export function repeatedSize(pattern: string): number {
  const groups = [0];
  let last = 0;
  for (const [sign] of pattern.matchAll(/\\.|\[[^\]]*\]|\{\d+(?:,\d*)?\}|./gs)) {
    const counts = /^\{(\d+)(?:,(\d*))?\}$/.exec(sign);
    const size = groups.pop() ?? 0;
    if (sign === '(') {
      groups.push(size, 0);
      last = 0;
    } else if (sign === ')' && groups.length > 0) {
      last = size;
      groups.push((groups.pop() ?? 0) + size);
    } else if (counts === null) {
      last = 1;
      groups.push(size + 1);
    } else {
      const more = last * Math.max(0, Number(counts[2] || counts[1]) - 1);
      last += more;
      groups.push(size + more);
    }
  }
  return groups.reduce((sum, size) => sum + size, 0);
}
