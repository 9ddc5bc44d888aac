import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { docTextReason } from './doc-texts.ts';
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
  it('counts a timeout as noticed, and a mutant that no test runs as survived', () => {
    const results = ['Killed', 'Killed', 'Timeout', 'NoCoverage'].map((status) => mutant(status));
    expect(summarize(results, {})).toMatchObject({ mutants: 4, killed: 2, timeouts: 1, score: 75 });
  });
  it('leaves out what is not mutated, and what could not run', () => {
    const results = ['Ignored', 'RuntimeError', 'CompileError', 'Killed'].map((status) => mutant(status));
    expect(summarize(results, {})).toMatchObject({ mutants: 1, score: 100 });
  });
  it.each([
    ['the line and the change', 'false', 'if (a) b();', true],
    ['another change', 'true', 'if (a) b();', false],
    ['another line', 'false', 'if (c) b();', false],
  ])('counts a survivor as equivalent by %s', (_, replacement, source, isEquivalent) => {
    const entry = { line: 'if (a) b();', to: ['false'], reason: 'b does nothing then' };
    const { equivalent, survivors, score } = summarize([mutant('Survived', replacement, source)], {
      'src/a.ts': [entry],
    });
    expect([equivalent.length, survivors.length, score]).toEqual(isEquivalent ? [1, 0, 100] : [0, 1, 0]);
  });
  it('takes a change over several lines for the same on one', () => {
    const entry = { line: 'if (a) b();', to: ['{ c(); }'], reason: 'as above' };
    expect(summarize([mutant('Survived', '{\n  c();\n}')], { 'src/a.ts': [entry] }).survivors).toEqual([]);
  });
  it('says of a survivor where it is, what it was changed to, and whether a test runs it', () => {
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
  it.each(Object.entries(EQUIVALENT))('of %s stand in lines that it has', (file, entries) => {
    const lines = readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((line) => line.trim());
    expect(entries.filter(({ line }) => !lines.includes(line))).toEqual([]);
  });
});

describe('texts of the reference', () => {
  const text = { node: { type: 'StringLiteral' } };
  const about = { node: { type: 'ObjectProperty', key: { name: 'about' } }, parentPath: null };

  it('are found in a list, too', () => {
    const list = { node: { type: 'ArrayExpression' }, parentPath: about };
    expect(docTextReason({ ...text, parentPath: about })).toContain('about');
    expect(docTextReason({ ...text, parentPath: list })).toContain('about');
  });
  it('are not what other keys have, or calls are given', () => {
    const kind = { node: { type: 'ObjectProperty', key: { name: 'kind' } }, parentPath: null };
    const call = { node: { type: 'CallExpression' }, parentPath: about };
    expect(docTextReason({ ...text, parentPath: kind })).toBeUndefined();
    expect(docTextReason({ ...text, parentPath: call })).toBeUndefined();
    expect(docTextReason({ node: { type: 'BooleanLiteral' }, parentPath: about })).toBeUndefined();
  });
});
