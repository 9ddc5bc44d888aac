import { fileURLToPath } from 'node:url';
import type { ScenarioStep, ScenarioTree } from '../scenario/generated.ts';
import type { Place } from '../scenario/place.ts';

/** A scenario that a program builds. */
export interface BuiltScenario {
  readonly name: string;
  /** Returns this scenario with one more step at its end, so that several scenarios can begin with the same steps. */
  step(step: ScenarioStep): BuiltScenario;
  /** The scenario as a scenario file has it. */
  toJSON(): ScenarioTree;
}

/** Where the parts of built scenarios are in their programs: of the whole, and of each step. */
const places = new WeakMap<object, readonly (Place | undefined)[]>();

/**
 * Begins a scenario, to which `step` adds what users do and what must come of it:
 *
 * ```js
 * const greets = scenario('the bot greets')
 *   .step({ as: 'ana', say: 'hello', in: '#general' })
 *   .step({ expect: 'message', from: 'bot', contains: 'hi' });
 * ```
 */
export function scenario(name: string): BuiltScenario {
  return built({ name, step: [] }, [callerOf(scenario)]);
}

/** Place of a part of a scenario: of the step with this number, or of the whole. */
export function builtPlace(scenario: object, step?: number): Place | undefined {
  return places.get(scenario)?.[step === undefined ? 0 : step + 1];
}

function built(tree: ScenarioTree, at: readonly (Place | undefined)[]): BuiltScenario {
  const step = (one: ScenarioStep): BuiltScenario =>
    built({ ...tree, step: [...tree.step, one] }, [...at, callerOf(step)]);
  const own: BuiltScenario = { name: tree.name, step, toJSON: () => tree };
  places.set(own, at);
  return own;
}

/** Place of the call of a function; undefined where the program keeps no stack. */
function callerOf(called: (...args: never[]) => unknown): Place | undefined {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, called);
  const [, file, line, column] =
    /\n\s+at (?:.*\()?((?:file:\/\/)?[^()\n]+?):(\d+):(\d+)\)?(?=\n|$)/.exec(holder.stack ?? '') ?? [];
  if (file === undefined) return undefined;
  return {
    file: file.startsWith('file://') ? fileURLToPath(file) : file,
    line: Number(line),
    column: Number(column),
  };
}
