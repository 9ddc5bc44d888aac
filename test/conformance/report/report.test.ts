import { describe, expect, it } from 'vitest';
import { compare, readBaseline, writeBaseline } from '../../../src/conformance/report/baseline.ts';
import { jsonReport, junitReport, type RunFacts } from '../../../src/conformance/report/machine.ts';
import { resultLine, summaryTable } from '../../../src/conformance/report/table.ts';
import type { Result } from '../../../src/conformance/verdict.ts';

const failure = { kind: 'wrong' as const, expected: 'CLOSE(2) with code 1003', actual: '<07 00> "a" & b' };
const results: readonly Result[] = [
  {
    case: { id: 'framing/1', title: 'one', judges: ['framing.stream'] },
    level: 'MUST',
    verdict: { kind: 'passed' },
    ms: 5,
  },
  {
    case: { id: 'framing/2', title: 'two', judges: ['framing.header-apart'] },
    level: 'MUST',
    verdict: { kind: 'failed', failure },
    ms: 5,
  },
  {
    case: { id: 'ping/7', title: 'seven', judges: ['ping.same-bytes'] },
    level: 'SHOULD',
    verdict: { kind: 'warned', failure },
    ms: 5,
  },
  {
    case: { id: 'voice/1', title: 'voice', judges: ['voice.shape'] },
    level: 'MUST',
    verdict: { kind: 'not-applicable', reason: 'outside the profile' },
    ms: 5,
  },
];
const facts: RunFacts = {
  suite: 'server',
  target: 'a "target"',
  profile: 'full',
  strict: false,
  date: '2026-01-01T00:00:00.000Z',
  ms: 20,
};
const plain = { color: false, strict: false };
const ids = new Set(results.map((one) => one.case.id));

describe('the table', () => {
  it('has one line a failure, with Expected and Actual', () => {
    const lines = results.map((one) => resultLine(one, plain));
    expect(lines[0]).toBeUndefined();
    expect(lines[1]).toMatch(
      /^FAIL framing\/2 {2}two {2}Expected: CLOSE\(2\) with code 1003 {2}Actual: <07 00>/,
    );
    expect(lines[1]).not.toContain('\n');
    expect(lines[2]).toMatch(/^WARN ping\/7 .*\(SHOULD ping\.same-bytes \[DOC UD\]\)$/);
    expect(lines[3]).toContain('outside the profile');
  });

  it('counts by section, and is coloured only when asked', () => {
    const table = summaryTable(results, plain);
    expect(table).toMatch(/^framing +1 +1 +\. +\.$/m);
    expect(table).toMatch(/^all +1 +1 +1 +1$/m);
    expect(table).not.toContain('\u001b');
    expect(summaryTable(results, { color: true, strict: false })).toContain('\u001b[31m');
  });
});

describe('the JSON report', () => {
  it('holds every case with its verdict and sources', () => {
    const report = JSON.parse(jsonReport(facts, results)) as { cases: Record<string, unknown>[] };
    expect(report.cases.map((one) => one['verdict'])).toEqual([
      'passed',
      'failed',
      'warned',
      'not-applicable',
    ]);
    expect(report.cases[1]).toMatchObject({
      id: 'framing/2',
      level: 'MUST',
      expected: failure.expected,
      how: 'wrong',
    });
  });
});

describe('the JUnit report', () => {
  const xml = junitReport(facts, results);

  it('has one suite a section, with counts', () => {
    expect(xml).toContain('<testsuite name="server framing" tests="2" failures="1" errors="0" skipped="0">');
    expect(xml).toContain('<skipped message="outside the profile"/>');
  });

  it('fails a SHOULD only when strict', () => {
    expect(xml.match(/<failure /g)).toHaveLength(1);
    expect(junitReport({ ...facts, strict: true }, results).match(/<failure /g)).toHaveLength(2);
  });

  it('escapes what XML cannot hold', () => {
    expect(xml).toContain('name="conformance server a &quot;target&quot;"');
    expect(xml).toContain('&lt;07 00&gt; &quot;a&quot; &amp; b');
    const [one] = results;
    const odd = {
      ...one,
      case: { id: 'framing/1', title: 'a\u0000\u001bb', judges: ['framing.stream'] },
    } as Result;
    expect(junitReport(facts, [odd])).toContain('framing/1 ab');
  });
});

describe('a baseline', () => {
  it('makes a listed failure ok, an unlisted one news, a listed pass stale', () => {
    expect(compare(results, new Set(), false)).toEqual({ news: ['framing/2'], stale: [], known: [] });
    expect(compare(results, new Set(['framing/2']), false)).toEqual({
      news: [],
      stale: [],
      known: ['framing/2'],
    });
    expect(compare(results, new Set(['framing/1', 'framing/2']), false).stale).toEqual(['framing/1']);
  });

  it('knows warnings only when strict', () => {
    expect(compare(results, new Set(['ping/7']), false)).toEqual({
      news: ['framing/2'],
      stale: [],
      known: [],
    });
    expect(compare(results, new Set(['ping/7']), true).known).toEqual(['ping/7']);
  });

  it('is read with comments and blank lines', () => {
    expect([...readBaseline('# known\n\nframing/1 # why\nping/7\n', 'b.txt', ids)]).toEqual([
      'framing/1',
      'ping/7',
    ]);
  });

  it('names file and line of what is wrong in it', () => {
    expect(() => readBaseline('framing/1\nframing/999\n', 'b.txt', ids)).toThrow(
      /^b\.txt:2: there is no case "framing\/999"/,
    );
    expect(() => readBaseline('framing/1\n\nframing/1\n', 'b.txt', ids)).toThrow(
      /^b\.txt:3: "framing\/1" stands twice/,
    );
  });

  it('is written so that it can be read', () => {
    expect([...readBaseline(writeBaseline(results, true), 'b.txt', ids)]).toEqual(['framing/2', 'ping/7']);
  });
});
