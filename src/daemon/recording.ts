import * as z from 'zod';
import { type AdminOperation, type AdminOperations, adminOperationsFor } from '../base/admin-operation.ts';
import { LocalError } from '../base/local-error.ts';
import type { Recorder } from '../scenario/record.ts';

/** The recording of a scenario, where the core is the emulator. */
export interface Recording {
  begin(): Promise<void>;
  /** Number of recorded steps; undefined while nothing is recorded. */
  steps(): number | undefined;
  end(name: string): Promise<{ readonly text: string; readonly steps: number; readonly left: number }>;
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
      '`left` is the number of acts that no step can express, such as a click on a message that is older.',
    args: () => z.object({ name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))) }),
    result: () => z.object({ text: z.string(), steps: z.number(), left: z.number() }),
    run: ({ recording }, { name = 'recorded' }) => recording.end(name),
  }),
] as const;

/** Records the calls of the operations of a bridge; between recordings the operations are as they were. */
export function recordingOf(all: () => AdminOperations): Recording {
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
    async end(name) {
      if (running === undefined)
        throw new LocalError('FOOTBRIDGE_RECORD', 'Nothing is recorded. Begin with record.start.');
      const { recorder, restore } = running;
      restore();
      return recorder.end(name);
    },
  };
}

/** Lets an operation be recorded; returns a function that undoes that. */
function replaced(own: AdminOperation, name: string, recorder: Recorder): () => void {
  const run = own.run.bind(own);
  const recorded: AdminOperation['run'] = async (args, caller) => {
    const input = Object(args) as Readonly<Record<string, unknown>>;
    await recorder.before(name, input);
    const result = await run(args, caller);
    await recorder.note(name, input, result);
    return result;
  };
  Object.assign(own, { run: recorded });
  return () => void Object.assign(own, { run });
}
