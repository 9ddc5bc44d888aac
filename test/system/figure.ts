import { expect } from 'vitest';

/**
 * Prints a figure with its goal, which is for a machine at rest. It fails past `bound`: what no load explains, or what is
 * known to be missed.
 */
export function figure(
  name: string,
  value: number,
  goal: number,
  unit: 'ms' | 'MiB',
  bound = goal * 3,
): void {
  const shown = `${value.toFixed(unit === 'ms' ? 0 : 1)} ${unit}`;
  process.stdout.write(
    `${value <= goal ? 'met     ' : 'NOT MET '} ${name}: ${shown} (goal: at most ${goal})\n`,
  );
  expect(value, name).toBeLessThanOrEqual(bound);
}
