import { expect } from 'vitest';

/** Prints a figure with its goal. It fails past `bound`, which is the goal unless that is known to be missed. */
export function figure(name: string, value: number, goal: number, unit: 'ms' | 'MiB', bound = goal): void {
  const shown = `${value.toFixed(unit === 'ms' ? 0 : 1)} ${unit}`;
  process.stdout.write(
    `${value <= goal ? 'met     ' : 'NOT MET '} ${name}: ${shown} (goal: at most ${goal})\n`,
  );
  expect(value, name).toBeLessThanOrEqual(bound);
}
