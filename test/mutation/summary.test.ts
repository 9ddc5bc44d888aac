import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { docTextReason, recordSchemaReason } from './doc-texts.ts';
import { EQUIVALENT } from './equivalent.ts';
import {
  describeMutant,
  describeSamples,
  NOT_SAMPLED,
  summarize,
  type TestedMutant,
  tableOf,
} from './summary.ts';

function mutant(status: string, replacement = 'false', source = 'if (a) b();'): TestedMutant {
  return { file: 'src/a.ts', status, line: 3, column: 5, source, replacement };
}

describe('the summary of a folder', () => {
  it('counts a timeout as killed, and a mutant without a test as survived', () => {
    const results = ['Killed', 'Killed', 'Timeout', 'NoCoverage'].map((status) => mutant(status));
    expect(summarize(results, {})).toMatchObject({ mutants: 4, killed: 2, timeouts: 1, score: 75 });
  });
  it('excludes mutants that are ignored or cannot run', () => {
    const results = ['Ignored', 'RuntimeError', 'CompileError', 'Killed'].map((status) => mutant(status));
    expect(summarize(results, {})).toMatchObject({ mutants: 1, score: 100 });
  });
  it.each([
    ['the line and the change', 'false', 'if (a) b();', true],
    ['another change', 'true', 'if (a) b();', false],
    ['another line', 'false', 'if (c) b();', false],
  ])('decides by %s whether a survivor counts as equivalent', (_, replacement, source, isEquivalent) => {
    const entry = { line: 'if (a) b();', to: ['false'], reason: 'b does nothing then' };
    const { equivalent, survivors, score } = summarize([mutant('Survived', replacement, source)], {
      'src/a.ts': [entry],
    });
    expect([equivalent.length, survivors.length, score]).toEqual(isEquivalent ? [1, 0, 100] : [0, 1, 0]);
  });
  it('matches a change over several lines with the same change on one line', () => {
    const entry = { line: 'if (a) b();', to: ['{ c(); }'], reason: 'as above' };
    expect(summarize([mutant('Survived', '{\n  c();\n}')], { 'src/a.ts': [entry] }).survivors).toEqual([]);
  });
  it('describes a survivor by its position, its replacement and whether a test runs it', () => {
    expect(describeMutant(mutant('Survived'))).toBe('src/a.ts:3:5 → false');
    expect(describeMutant(mutant('NoCoverage'))).toBe('src/a.ts:3:5 → false (no test runs it)');
  });
  it('marks a folder below the limit', () => {
    const results = [...Array(8).fill('Killed'), 'Survived', 'Survived'].map((status) => mutant(status));
    expect(tableOf(new Map([['a', summarize(results, {})]]))).toBe(
      [
        'folder  mutants  killed  timeouts  survived  equivalent             score',
        'a            10       8         0         2           0  80.0 % (too low)',
      ].join('\n'),
    );
  });
  it('states size, seed and interval of a sample', () => {
    const left = { ...mutant('Ignored'), reason: NOT_SAMPLED };
    const ignored = { ...mutant('Ignored'), reason: 'static' };
    const tested = [...Array(9).fill('Killed'), 'Survived'].map((status) => mutant(status));
    const summary = summarize([...tested, left, left, ignored], {});
    expect(describeSamples(new Map([['a', summary]]), { seed: 3 })).toBe(
      'a: 10 of 12 mutants sampled (seed 3), score 90.0 %, 95 % interval 59.6 to 98.2 %',
    );
  });
});

describe('equivalent mutants', () => {
  it.each(Object.entries(EQUIVALENT))('of %s name lines that the file contains', (file, entries) => {
    const lines = readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((line) => line.trim());
    expect(entries.filter(({ line }) => !lines.includes(line))).toEqual([]);
  });
});

describe('a documentation text of the reference', () => {
  const text = { node: { type: 'StringLiteral' } };
  const about = { node: { type: 'ObjectProperty', key: { name: 'about' } }, parentPath: null };

  it('is recognised in a list, too', () => {
    const list = { node: { type: 'ArrayExpression' }, parentPath: about };
    expect(docTextReason({ ...text, parentPath: about })).toContain('about');
    expect(docTextReason({ ...text, parentPath: list })).toContain('about');
  });
  it('is not recognised as the value of another key or as an argument of a call', () => {
    const kind = { node: { type: 'ObjectProperty', key: { name: 'kind' } }, parentPath: null };
    const call = { node: { type: 'CallExpression' }, parentPath: about };
    expect(docTextReason({ ...text, parentPath: kind })).toBeUndefined();
    expect(docTextReason({ ...text, parentPath: call })).toBeUndefined();
    expect(docTextReason({ node: { type: 'BooleanLiteral' }, parentPath: about })).toBeUndefined();
  });
});

it('the schema of a record is recognised by the call that it is an argument of', () => {
  const schemaOf = (name: string) => {
    const call = { node: { type: 'CallExpression', callee: { name } }, parentPath: null };
    const fields = { node: { type: 'ObjectExpression' }, parentPath: call };
    return { node: { type: 'ObjectProperty', key: { name: 'schema' } }, parentPath: fields };
  };
  expect(recordSchemaReason(schemaOf('defineRecord'))).toContain('record');
  expect(recordSchemaReason(schemaOf('defineOperation'))).toBeUndefined();
  const check = {
    node: { type: 'ObjectProperty', key: { name: 'check' } },
    parentPath: schemaOf('defineRecord').parentPath,
  };
  expect(recordSchemaReason(check)).toBeUndefined();
});
