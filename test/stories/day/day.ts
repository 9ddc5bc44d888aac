// A day that a library is run through, step by step: what became of each step is written down beside the test, and the
// tables of the emulator's README are made of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DayResult, resultFile, resultText } from './results.ts';

/** What a library does in each step, by the step's name. */
type Parts = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** A step of a day: makes what it needs, has the library do its part, and looks at what came of it. */
export type Step<Stage, Part> = (stage: Stage, part: Part) => Promise<void>;

/** The steps of a day, in order. */
export type Steps<Stage, All extends Parts> = { readonly [Name in keyof All]: Step<Stage, All[Name]> };

/** A library that is ready for a day. */
export interface Player<All extends Parts> {
  readonly parts: Partial<All>;
  /** What the library complained of since the last call. */
  readonly faults?: () => readonly string[];
  /** Ends it; a library that was never started takes this, too. */
  readonly end: () => Promise<void> | void;
}

/** A kind of day. */
export interface Day<Stage, All extends Parts> {
  readonly kind: DayResult['kind'];
  readonly steps: Steps<Stage, All>;
  /** Before the library starts. */
  readonly open: () => Promise<Stage>;
  /** After the library has ended. */
  readonly close: (stage: Stage) => Promise<void>;
}

/** A library, and how it goes through a day. */
export interface Library<Stage, All extends Parts> {
  /** By the name of its package. */
  readonly name: string;
  /** Why all of it is skipped here; nothing is written down then. */
  readonly without?: string | undefined;
  /** Why it does nothing in a step: its documentation has no way to do it. */
  readonly absent: { readonly [Name in keyof All]?: string };
  readonly start: (stage: Stage) => Promise<Player<All>> | Player<All>;
}

/** Makes the tests of a library's day. */
export function playDay<Stage, All extends Parts>(day: Day<Stage, All>, library: Library<Stage, All>): void {
  const { name, without, absent } = library;
  const title = without === undefined ? name : `${name} (skipped: ${without})`;
  describe.skipIf(without !== undefined)(title, () => {
    const steps = new Map<string, string>();
    let stage: Stage;
    let player: Player<All> | undefined;
    beforeAll(async () => {
      stage = await day.open();
      player = await library.start(stage);
    });
    afterAll(async () => {
      await player?.end();
      await day.close(stage);
    });

    for (const step of Object.keys(day.steps)) {
      const reason = absent[step];
      if (reason !== undefined) {
        steps.set(step, reason);
        it.skip(`${step} (skipped: ${reason})`);
        continue;
      }
      it(step, async () => {
        steps.set(step, 'fails');
        if (player === undefined) throw new Error(`${name} did not start`);
        // What comes after a failed first step would only wait.
        const [first] = Object.keys(day.steps);
        if (first !== undefined && first !== step && steps.get(first) === 'fails')
          throw new Error(`${name} did not get past ${first}`);
        const part = player.parts[step];
        if (part === undefined) throw new Error(`${name} neither does ${step} nor says why it cannot`);
        await (day.steps[step] as Step<Stage, All[string]>)(stage, part);
        expect(player.faults?.() ?? [], 'what the library complained of').toEqual([]);
        steps.set(step, 'works');
      });
    }

    it('is as it is written down (npm run test:platform -- -u, or test:system, writes it; npm run gen the table)', async (context) => {
      if (steps.size < Object.keys(day.steps).length) context.skip('only some steps were run');
      const inOrder = Object.fromEntries(
        Object.keys(day.steps).map((step) => [step, steps.get(step) ?? 'fails']),
      );
      const result = { kind: day.kind, library: name, steps: inOrder };
      await expect(resultText(result)).toMatchFileSnapshot(resultFile(name));
    });
  });
}
