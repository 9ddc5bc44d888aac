import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scenarioSchema } from '../../src/scenario/json-schema.ts';
import { kinds } from '../../src/scenario/schema.ts';
import { type JsonSchema, malformed, problemsOf } from '../helpers/json-schema.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../src/scenario/schema.json', import.meta.url), 'utf8'),
) as JsonSchema;
const fileOf = (...step: object[]): object => ({ scenario: [{ name: 'one', step }] });

it('the JSON schema equals the output of npm run gen, and has each kind of step', () => {
  expect(schema).toEqual(scenarioSchema());
  expect(malformed(schema)).toEqual([]);
  const text = JSON.stringify(schema);
  expect(Object.keys(kinds).filter((kind) => !text.includes(`"${kind}"`))).toEqual([]);
});

it.each<[what: string, step: object, isValid: boolean]>([
  ['an act', { as: 'ana', say: 'hello', in: '#general', save: 'x' }, true],
  ['an expectation', { expect: 'message', from: 'bot', within: '2s' }, true],
  ['a mistyped field', { expect: 'message', contain: 'x' }, false],
  ['a duration that is none', { advance: 'soon' }, false],
  ['two acts', { say: 'hello', in: '#general', react: 'x' }, false],
])('editors judge %s as the reader does', (_, step, isValid) => {
  expect(problemsOf(schema, fileOf(step)).length === 0).toBe(isValid);
});
