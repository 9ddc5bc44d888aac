// Generated from the declarations of scenarios: `npm run gen` writes it. Do not edit.
// biome-ignore-all format: one line a step is easier to search

/** What a user does. */
export type ScenarioAct =
  | { as?: string; say: string; in: string; refused?: string; save?: string }
  | { as?: string; reply: string; on: string; refused?: string; save?: string }
  | { edit: string; on: string; refused?: string }
  | { as?: string; delete: true; on: string; refused?: string }
  | { as?: string; type: string; refused?: string }
  | { as?: string; react: string; on: string; refused?: string }
  | { as?: string; unreact: string; on: string; refused?: string }
  | { as?: string; vote: string | readonly string[]; on: string; refused?: string }
  | { as?: string; slash: string; options?: Record<string, string | number | boolean | readonly string[]>; in?: string; app?: string; target?: string; on?: string; refused?: string; becomes?: 'answered' | 'deferred' | 'modal' | 'choices' | 'premium' | 'launched' | 'failed'; save?: string }
  | { as?: string; complete: string; option: string; options?: Record<string, string | number | boolean>; in?: string; app?: string; offers: readonly string[] }
  | { as?: string; click: string; on: string; refused?: string; becomes?: 'answered' | 'deferred' | 'modal' | 'choices' | 'premium' | 'launched' | 'failed'; save?: string }
  | { as?: string; choose: string | readonly string[]; select?: string; on: string; refused?: string; becomes?: 'answered' | 'deferred' | 'modal' | 'choices' | 'premium' | 'launched' | 'failed'; save?: string }
  | { as?: string; submit: Record<string, string | number | boolean | readonly string[]>; on: string; refused?: string; becomes?: 'answered' | 'deferred' | 'modal' | 'choices' | 'premium' | 'launched' | 'failed'; save?: string }
  | { as?: string; join: string; refused?: string }
  | { as?: string; leave: true }
  | { as?: string; speak: boolean };

/** What the operator does. */
export type ScenarioChange =
  | { operate: string; args?: Record<string, unknown>; refused?: string; save?: string }
  | { advance: string }
  | { time: 'lock' | 'unlock' | 'freeze' | 'run' }
  | { fault: string; command?: string; route?: string; webhook?: boolean; gateway?: boolean; application?: string; count?: number; probability?: number; seed?: number };

/** What is expected. */
export type ScenarioExpectation =
  | { expect: 'message'; in?: string; from?: string; to?: string; on?: string; is?: string; contains?: string | readonly string[]; matches?: string; button?: string; disabled?: boolean; reaction?: string; only_to?: boolean; with?: Record<string, unknown>; within?: string; save?: string }
  | { expect: 'deleted'; on: string; to?: string; within?: string }
  | { expect: 'modal'; on: string; contains?: string; within?: string }
  | { expect: 'event'; event: string; to?: string; with?: Record<string, unknown>; within?: string; save?: string }
  | { expect: 'request'; request: string; status?: number; with?: Record<string, unknown>; within?: string }
  | { expect: 'webhook'; type?: string; to?: string; status?: number; within?: string }
  | { expect: 'presence'; of: string; status?: 'online' | 'idle' | 'dnd' | 'offline'; activity?: string; within?: string }
  | { expect: 'voice'; of: string; in: string | false; within?: string }
  | { expect: 'member'; of: string; in?: string; has?: string | readonly string[]; lacks?: string | readonly string[]; nick?: string; timeout?: boolean; gone?: boolean; within?: string }
  | { expect: 'none'; in?: string; to?: string };

/** One step, as in a scenario file. */
export type ScenarioStep = ScenarioAct | ScenarioChange | ScenarioExpectation;

/** A scenario, as in a scenario file. */
export interface ScenarioTree {
  readonly name: string;
  /** Reason why the scenario is not played. */
  readonly skip?: string;
  readonly step: readonly ScenarioStep[];
}
