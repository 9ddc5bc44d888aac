import { describe, expect, it } from 'vitest';
import { between, condense, findings, matrix, type Report } from './matrix.ts';

const report: Report = {
  date: '2026-01-02T03:04:05.000Z',
  profile: 'full',
  ms: 12_300,
  cases: [
    { id: 'framing/1', level: 'MUST', verdict: 'passed' },
    { id: 'framing/2', level: 'MUST', verdict: 'failed' },
    { id: 'framing/3', level: 'MUST', verdict: 'failed' },
    { id: 'ping/7', level: 'SHOULD', verdict: 'warned' },
    { id: 'voice/1', level: 'MUST', verdict: 'not-applicable' },
  ],
};

describe('the comparison of conformance reports', () => {
  it('counts passed and evaluated cases by section', () => {
    expect(matrix([{ name: 'x 1.0', report }]).split('\n')).toEqual([
      '| section | x 1.0 |',
      '| --- | --- |',
      '| framing | 1/3, 2 failed |',
      '| ping | 0/1 |',
      '| voice | n/a |',
      '| **all** | **1/4, 2 failed** |',
    ]);
  });

  it('names the failed MUSTs of every subject', () => {
    expect(findings([{ name: 'x 1.0', report }])).toBe(
      '- x 1.0 (2026-01-02, profile full, 12 s): framing 2-3',
    );
    expect(findings([{ name: 'y', report: { ...report, cases: [] } }])).toContain('no failed MUST');
  });

  it('condenses consecutive ids to ranges', () => {
    expect(condense(['a/1', 'a/2', 'a/4', 'b/9', 'b/10'])).toBe('a 1-2, 4; b 9-10');
  });

  it('replaces only the text between its markers', () => {
    expect(between('a\n<!-- t -->\nold\n<!-- /t -->\nb', 't', 'new')).toBe(
      'a\n<!-- t -->\nnew\n<!-- /t -->\nb',
    );
    expect(() => between('nothing', 't', 'new')).toThrow('markers');
  });
});
