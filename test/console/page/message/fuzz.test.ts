import { expect, it } from 'vitest';
import { chromiumMissing } from '../../../helpers/chromium.ts';
import { drawnPage } from './drawn-page.ts';

/** Number of messages; a long run has `FUZZED_MESSAGES=100000`, and takes an hour on a busy machine. */
const MESSAGES = Number(process.env['FUZZED_MESSAGES'] ?? 1000);
const BATCH = 100;
const ROUND = 1000;

/** Faults of messages by kind, counted over a run; and the longest task (ms), which is a figure and no verdict. */
interface Found {
  readonly faults: Readonly<Record<string, number>>;
  readonly examples: readonly string[];
  readonly tasks: readonly number[];
}

it.skipIf(chromiumMissing() !== undefined)(
  'no hostile message runs a script, leaves its box, covers a control of the page or breaks the drawing',
  async () => {
    const { page, complaints } = await drawnPage();
    await page.setViewportSize({ width: 700, height: 900 });
    const faults: Record<string, number> = {};
    const examples: string[] = [];
    const tasks: number[] = [];
    for (let seed = 1; seed <= Math.ceil(MESSAGES / ROUND); seed += 1) {
      const found = (await page.evaluate(
        `drawn.fuzz(${seed}, ${Math.min(ROUND, MESSAGES)}, ${BATCH})`,
      )) as Found;
      for (const [kind, count] of Object.entries(found.faults)) faults[kind] = (faults[kind] ?? 0) + count;
      examples.push(...found.examples);
      tasks.push(...found.tasks);
    }
    process.stdout.write(
      `${MESSAGES} hostile messages: ${tasks.length} tasks above 50 ms, the longest ${Math.max(0, ...tasks)} ms\n`,
    );
    expect(faults, examples.slice(0, 5).join('\n')).toEqual({});
    // The policy of the page refuses foreign pictures; nothing else is complained of.
    expect(complaints).toEqual([]);
  },
  Math.max(1_800_000, 60 * MESSAGES),
);
