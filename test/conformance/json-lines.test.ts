import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLocated } from '../../src/conformance/json-lines.ts';

describe('parseLocated', () => {
  it('parses what JSON.parse parses', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseLocated(text, 'x').value).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  it('returns the line of every value', () => {
    const { lineOf } = parseLocated('{\n "a": [\n  1,\n  {"b": 2}\n ]\n}', 'x');
    expect([lineOf(''), lineOf('/a'), lineOf('/a/0'), lineOf('/a/1/b'), lineOf('/a/1/missing')]).toEqual([
      1, 2, 3, 4, 4,
    ]);
  });

  const broken: [string, string, number][] = [
    ['an early end', '{\n"a":', 2],
    ['a missing comma', '[1\n 2]', 2],
    ['a missing colon', '{"a"\n1}', 2],
    ['a key that is no string', '{1: 2}', 1],
    ['a key twice', '{"a": 1,\n"a": 2}', 2],
    ['a comma at the end', '[1,\n]', 2],
    ['something after it', '{}\n{}', 2],
    ['a bad escape', '"\\x"', 1],
    ['a bad number', '[1.2.3]', 1],
    ['nothing', '', 1],
    ['endless nesting', '['.repeat(5000), 1],
  ];
  it.each(broken)('names file and line of %s', (_, text, line) => {
    expect(() => parseLocated(text, 'file.json')).toThrow(new RegExp(`^file\\.json:${line}: `));
  });
});
