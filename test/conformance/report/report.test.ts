import { describe, expect, it } from 'vitest';
import { compare, readBaseline, writeBaseline } from '../../../src/conformance/report/baseline.ts';
import { causeLine, causesOf, condense } from '../../../src/conformance/report/causes.ts';
import { htmlReport } from '../../../src/conformance/report/html.ts';
import { jsonReport, junitReport, type RunFacts } from '../../../src/conformance/report/machine.ts';
import { resultLine, summaryTable } from '../../../src/conformance/report/table.ts';
import type { Result } from '../../../src/conformance/verdict.ts';

const failure = { kind: 'wrong' as const, expected: 'CLOSE(2) with code 1003', actual: '<07 00> "a" & b' };
const results: readonly Result[] = [
  {
    case: { id: 'framing/1', title: 'one', requirementIds: ['framing.stream'] },
    level: 'MUST',
    verdict: { kind: 'passed' },
    ms: 5,
  },
  {
    case: { id: 'framing/2', title: 'two', requirementIds: ['framing.header-apart'] },
    level: 'MUST',
    verdict: { kind: 'failed', failure },
    ms: 5,
  },
  {
    case: { id: 'ping/7', title: 'seven', requirementIds: ['ping.same-bytes'] },
    level: 'SHOULD',
    verdict: { kind: 'warned', failure },
    ms: 5,
  },
  {
    case: { id: 'voice/1', title: 'voice', requirementIds: ['voice.shape'] },
    level: 'MUST',
    verdict: { kind: 'not-applicable', reason: 'outside the profile' },
    ms: 5,
  },
];
const unrun: Result = {
  case: { id: 'scope/1', title: 'scope', requirementIds: ['voice.shape'] },
  level: 'MUST',
  verdict: { kind: 'not-run', reason: 'give --token-endpoint' },
  ms: 0,
};
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

describe('the summary table', () => {
  it('has one line for each failure, with Expected and Actual', () => {
    const lines = results.map((one) => resultLine(one, plain));
    expect(lines[0]).toBeUndefined();
    expect(lines[1]).toMatch(
      /^FAIL framing\/2 {2}two {2}Expected: CLOSE\(2\) with code 1003 {2}Actual: <07 00>/,
    );
    expect(lines[1]).not.toContain('\n');
    expect(lines[2]).toMatch(/^WARN ping\/7 .*\(SHOULD ping\.same-bytes \[DOC UD\]\)$/);
    expect(lines[3]).toContain('outside the profile');
  });

  it('counts by section and is coloured only when colours are enabled', () => {
    const table = summaryTable(results, plain);
    expect(table).toMatch(/^framing +1 +1 +\. +\.$/m);
    expect(table).toMatch(/^all +1 +1 +1 +1$/m);
    expect(table).not.toContain('\u001b');
    expect(summaryTable(results, { color: true, strict: false })).toContain('\u001b[31m');
  });
});

describe('the JSON report', () => {
  it('contains every case with its verdict and sources', () => {
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

  it('has one suite for each section, with counts', () => {
    expect(xml).toContain('<testsuite name="server framing" tests="2" failures="1" errors="0" skipped="0">');
    expect(xml).toContain('<skipped message="outside the profile"/>');
  });

  it('reports a SHOULD as a failure when strict, and as a warning otherwise', () => {
    expect(xml.match(/<failure /g)).toHaveLength(1);
    expect(xml).toContain('<testsuite name="server ping" tests="1" failures="0" errors="0" skipped="1">');
    expect(xml).toContain(
      '<skipped type="SHOULD" message="warning: Expected: CLOSE(2) with code 1003 Actual:',
    );
    const strict = junitReport({ ...facts, strict: true }, results);
    expect(strict.match(/<failure /g)).toHaveLength(2);
    expect(strict).toContain('<testsuite name="server ping" tests="1" failures="1" errors="0" skipped="0">');
  });

  it('contains the reason why a case was not run', () => {
    expect(junitReport(facts, [unrun])).toContain('<skipped message="not run: give --token-endpoint"/>');
    expect(junitReport(facts, [unrun])).toContain('tests="1" failures="0" errors="0" skipped="1"');
  });

  it('contains an error when the target could not be reached', () => {
    const none = junitReport({ ...facts, unavailable: 'ws://x: "ECONNREFUSED"' }, []);
    expect(none).toContain('tests="1" failures="0" errors="1" skipped="0"');
    expect(none).toContain('<error message="ws://x: &quot;ECONNREFUSED&quot;"/>');
  });

  it('escapes characters that XML cannot hold', () => {
    expect(xml).toContain('name="conformance server a &quot;target&quot;"');
    expect(xml).toContain('&lt;07 00&gt; &quot;a&quot; &amp; b');
    const [one] = results;
    const odd = {
      ...one,
      case: { id: 'framing/1', title: 'a\u0000\u001bb', requirementIds: ['framing.stream'] },
    } as Result;
    expect(junitReport(facts, [odd])).toContain('framing/1 ab');
  });
});

describe('the table and the JSON report of an incomplete run', () => {
  it('have a column and a reason for cases that were not run', () => {
    expect(summaryTable(results, plain)).not.toContain('not run');
    const table = summaryTable([...results, unrun], plain);
    expect(table).toMatch(/^section +ok +fail +warn +n\/a +not run$/m);
    expect(table).toMatch(/^scope +\. +\. +\. +\. +1$/m);
    const { cases } = JSON.parse(jsonReport(facts, [unrun])) as { cases: unknown[] };
    expect(cases).toMatchObject([{ verdict: 'not-run', reason: 'give --token-endpoint' }]);
    expect(resultLine(unrun, plain)).toBeUndefined();
  });

  it('count no case that was not run in a baseline', () => {
    expect(compare([unrun], new Set(['scope/1']), true)).toEqual({ news: [], stale: [], known: [] });
    expect(writeBaseline([unrun], true)).not.toContain('scope/1');
  });
});

/** A result that failed like this. */
function failed(id: string, kind: 'wrong' | 'silent' | 'gone', expected: string, actual: string): Result {
  const verdict = { kind: 'failed' as const, failure: { kind, expected, actual } };
  return { case: { id, title: id, requirementIds: ['voice.shape'] }, level: 'MUST', verdict, ms: 1 };
}

describe('the list of causes', () => {
  it('groups failures with one cause, despite other differences', () => {
    const silent = (id: string): Result =>
      failed(id, 'silent', 'an answer to AUTHORIZE', 'nothing within 2000 ms');
    const frame = (nonce: string, code: number): string =>
      `FRAME(1) 90 bytes <01 00> {"cmd":"X","data":{"code":${code}},"evt":"ERROR","nonce":"${nonce}"}`;
    const causes = causesOf([
      failed('errors/1', 'wrong', 'ERROR 4000 with nonce "a1"', frame('a1', 5000)),
      silent('scope/1'),
      silent('scope/2'),
      {
        ...silent('scope/3'),
        verdict: { ...silent('scope/3').verdict, kind: 'warned' } as Result['verdict'],
      },
      silent('voice/9'),
      failed('errors/2', 'wrong', 'ERROR 4000 with nonce null', frame('b2', 5000)),
      failed('errors/3', 'wrong', 'ERROR 4000 with nonce null', frame('b2', 4002)),
      failed('close/1', 'gone', 'CLOSE(2) with code 1000', 'end of stream (closed)'),
      ...results.filter(({ verdict }) => verdict.kind === 'passed'),
    ]);
    expect(causes.map(causeLine)).toEqual([
      'AUTHORIZE never answered: 4 cases, 1 as warnings (scope/1-3; voice/9)',
      'expected ERROR 4000, got ERROR 5000: 2 cases (errors/1-2)',
      'expected ERROR 4000, got ERROR 4002: 1 case (errors/3)',
      'the target hung up: expected CLOSE(2) with code 1000: 1 case (close/1)',
    ]);
  });

  it('writes consecutive ids as a range', () => {
    expect(condense(['a/1', 'a/2', 'a/3', 'a/5', 'b/6', 'b/7', 'own/x', 'a/8'])).toBe(
      'a/1-3, 5, 8; b/6-7; own/x',
    );
    expect(condense([])).toBe('');
  });
});

describe('the HTML report', () => {
  const page = htmlReport({ ...facts, target: '<script>alert(1)</script>' }, [...results, unrun]);

  it('is self-contained: no script, no address, every tag closed', () => {
    expect(page).not.toMatch(/<script|<link|src=|href=|url\(|@import/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const open: string[] = [];
    for (const [, slash = '', name = ''] of page.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
      if (name === 'meta') continue;
      if (slash === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  it('describes each failure with the text and the sources of its requirement', () => {
    expect(page).toContain('<article class="failed" id="framing/2">');
    expect(page).toContain('Header and body may come in two writes.');
    expect(page).toContain('<dt>DOC</dt><dd>discord/discord-api-docs: developers/topics/rpc.mdx</dd>');
    expect(page).toContain('&lt;07 00&gt; &quot;a&quot; &amp; b');
    expect(page).toContain('not run: give --token-endpoint (scope/1)');
    expect(page).toContain('<li>framing/1: one</li>');
  });

  it('contains the trace of a failure, and the reason why nothing was run', () => {
    const [, broken] = results;
    const traced = { ...broken, trace: ['sent <8 bytes>'] } as Result;
    expect(htmlReport(facts, [traced])).toContain('<pre>sent &lt;8 bytes&gt;</pre>');
    const none = htmlReport({ ...facts, unavailable: '/x: ENOENT' }, []);
    expect(none).toContain('<strong>/x: ENOENT</strong>');
    expect(none).not.toContain('<table>');
  });
});

describe('a baseline', () => {
  it('accepts a listed failure, reports an unlisted failure, and marks a listed pass as stale', () => {
    expect(compare(results, new Set(), false)).toEqual({ news: ['framing/2'], stale: [], known: [] });
    expect(compare(results, new Set(['framing/2']), false)).toEqual({
      news: [],
      stale: [],
      known: ['framing/2'],
    });
    expect(compare(results, new Set(['framing/1', 'framing/2']), false).stale).toEqual(['framing/1']);
  });

  it('includes warnings only when strict', () => {
    expect(compare(results, new Set(['ping/7']), false)).toEqual({
      news: ['framing/2'],
      stale: [],
      known: [],
    });
    expect(compare(results, new Set(['ping/7']), true).known).toEqual(['ping/7']);
  });

  it('is parsed with comments and blank lines', () => {
    expect([...readBaseline('# known\n\nframing/1 # why\nping/7\n', 'b.txt', ids)]).toEqual([
      'framing/1',
      'ping/7',
    ]);
  });

  it('with an error is rejected with the file and the line', () => {
    expect(() => readBaseline('framing/1\nframing/999\n', 'b.txt', ids)).toThrow(
      /^b\.txt:2: there is no case "framing\/999"/,
    );
    expect(() => readBaseline('framing/1\n\nframing/1\n', 'b.txt', ids)).toThrow(
      /^b\.txt:3: "framing\/1" is duplicated/,
    );
  });

  it('is written in the format that it is read in', () => {
    expect([...readBaseline(writeBaseline(results, true), 'b.txt', ids)]).toEqual(['framing/2', 'ping/7']);
  });
});
