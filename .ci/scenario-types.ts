// The steps of scenarios as plain TypeScript types without zod, for the declarations of `footbridge/testing`.

import { schemaOf, TypeWriter } from '../src/protocol/type-writer.ts';
import { acts, changes, expectations } from '../src/scenario/schema.ts';

const HEAD = `// Generated from the declarations of scenarios: \`npm run gen\` writes it. Do not edit.
// biome-ignore-all format: one line a step is easier to search
`;

const TAIL = `
/** A scenario, as in a scenario file. */
export interface ScenarioTree {
  readonly name: string;
  /** Reason why the scenario is not played. */
  readonly skip?: string;
  readonly step: readonly ScenarioStep[];
}
`;

/** Returns a union with one member a kind of step. */
export function scenarioTypes(): string {
  const writer = new TypeWriter({}, { keysBesides: true });
  const write = (all: Readonly<Record<string, Parameters<typeof schemaOf>[0]>>): string[] =>
    Object.values(all).map((schema) => `  | ${writer.write(schemaOf(schema, 'input'), 'input')}`);
  return [
    HEAD,
    '/** What a user does. */',
    'export type ScenarioAct =',
    `${write(acts).join('\n')};\n`,
    '/** What the operator does. */',
    'export type ScenarioChange =',
    `${write(changes).join('\n')};\n`,
    '/** What is expected. */',
    'export type ScenarioExpectation =',
    `${write(expectations).join('\n')};\n`,
    '/** One step, as in a scenario file. */',
    'export type ScenarioStep = ScenarioAct | ScenarioChange | ScenarioExpectation;',
    TAIL,
  ].join('\n');
}
