import { dirname, relative, resolve } from 'node:path';
import * as z from 'zod';
import { type AdminOperation, type AdminOperations, adminOperationsFor } from '../base/admin-operation.ts';
import { LocalError } from '../base/local-error.ts';
import type { RecordedScenario, Recorder } from '../scenario/record.ts';
import type { FixtureSource } from './core-options.ts';

/** The recording of a scenario, where the core is the emulator. */
export interface Recording {
  begin(): Promise<void>;
  /** Number of recorded steps; undefined while nothing is recorded. */
  steps(): number | undefined;
  /** Ends it. `file` is the path of the file of the scenario, where that is known. */
  end(name: string, file?: string): Promise<RecordedScenario>;
}

const operation = adminOperationsFor<{ readonly recording: Recording }>();

/** Operations that record the acts of users and the answers of bots as a scenario. */
export const recordingOperations = [
  operation({
    name: 'record.start',
    summary: 'Begin to record what users do and what bots answer, for a scenario',
    about: 'A recording that runs already begins anew.',
    args: () => z.object({}),
    result: () => z.object({ recording: z.literal(true) }),
    async run({ recording }) {
      await recording.begin();
      return { recording: true } as const;
    },
  }),
  operation({
    name: 'record.show',
    summary: 'Whether a scenario is recorded, and how many steps it has so far',
    about: 'What bots have done since the last act is not among them yet.',
    args: () => z.object({}),
    result: () => z.object({ recording: z.boolean(), steps: z.number() }),
    run({ recording }) {
      const steps = recording.steps();
      return { recording: steps !== undefined, steps: steps ?? 0 };
    },
  }),
  operation({
    name: 'record.stop',
    summary: 'End the recording of a scenario, and return the scenario as the text of a file',
    about:
      'The scenario names the fixture of the bridge: by its absolute path, or as it is called from `file`, the absolute path of the file. ' +
      '`expectations` is the number of steps that expect something of bots, `left` that of acts that no step can express, such as a click ' +
      'on a message that is older.',
    args: () =>
      z.object({
        name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
        file: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
      }),
    result: () =>
      z.object({ text: z.string(), steps: z.number(), expectations: z.number(), left: z.number() }),
    run: ({ recording }, { name = 'recorded', file }) => recording.end(name, file),
  }),
] as const;

/** Records the calls of the operations of a bridge with this fixture; between recordings the operations are as they were. */
export function recordingOf(all: () => AdminOperations, fixture: FixtureSource = null): Recording {
  const fixtureFor = (file: string | undefined): string | undefined => {
    if (typeof fixture !== 'string') return undefined;
    const path = resolve(fixture);
    return (file === undefined ? path : relative(dirname(resolve(file)), path)).replaceAll('\\', '/');
  };
  let running: { readonly recorder: Recorder; readonly restore: () => void } | undefined;
  return {
    async begin() {
      const { Recorder } = await import('../scenario/record.ts');
      const { RECORDED } = await import('../scenario/recorded-step.ts');
      // Not before a wait, in which another one may begin.
      running?.restore();
      const operations = all();
      const call = async (name: string, args: object): Promise<unknown> => {
        const one = operations[name];
        const read = one?.args().safeParse(args);
        if (one === undefined || read?.success !== true) throw new Error(`${name} cannot be called`);
        return one.run(read.data, { via: 'control' });
      };
      const recorder = new Recorder({ call });
      const restores = RECORDED.flatMap((name) => {
        const own = operations[name];
        return own === undefined ? [] : [replaced(own, name, recorder)];
      });
      const restore = (): void => {
        for (const one of restores) one();
        running = undefined;
      };
      running = { recorder, restore };
    },
    steps: () => running?.recorder.steps,
    async end(name, file) {
      if (running === undefined)
        throw new LocalError('FOOTBRIDGE_RECORD', 'Nothing is recorded. Begin with record.start.');
      const { recorder, restore } = running;
      restore();
      return recorder.end(name, fixtureFor(file));
    },
  };
}

/** Lets an operation be recorded; returns a function that undoes that. */
function replaced(own: AdminOperation, name: string, recorder: Recorder): () => void {
  const run = own.run.bind(own);
  const recorded: AdminOperation['run'] = async (args, caller) => {
    const input = Object(args) as Readonly<Record<string, unknown>>;
    await recorder.before(name, input);
    let result: unknown;
    try {
      result = await run(args, caller);
    } catch (error) {
      await recorder.refuse(name, input, error);
      throw error;
    }
    await recorder.note(name, input, result);
    return result;
  };
  Object.assign(own, { run: recorded });
  return () => void Object.assign(own, { run });
}
