import { requirement } from '../requirements.ts';
import type { Result } from '../verdict.ts';
import { sectionOf } from './table.ts';

/** Facts of a run for the reports. */
export interface RunFacts {
  readonly suite: 'server' | 'client';
  readonly target: string;
  readonly profile: string;
  readonly strict: boolean;
  /** ISO 8601. */
  readonly date: string;
  readonly ms: number;
  /** Reason why no case has run: the target could not be reached or started. */
  readonly unavailable?: string;
}

/** Complete run as JSON. */
export function jsonReport(facts: RunFacts, results: readonly Result[]): string {
  const cases = results.map(({ case: one, level, verdict, ms, trace }) => ({
    id: one.id,
    title: one.title,
    level,
    requirements: one.requirementIds,
    sources: [...new Set(one.requirementIds.flatMap((id) => requirement(id).sources))],
    verdict: verdict.kind,
    ...('failure' in verdict ? { ...verdict.failure, kind: undefined, how: verdict.failure.kind } : {}),
    ...('reason' in verdict ? { reason: verdict.reason } : {}),
    ms,
    ...(trace === undefined ? {} : { trace }),
  }));
  const json = JSON.stringify({ ...facts, cases }, undefined, 2);
  // JSON does not escape DEL and the C1 controls, and the report may be printed on a terminal.
  return `${json.replace(/[\u007f-\u009f]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)}\n`;
}

function escapeXml(text: string): string {
  // XML 1.0 forbids control characters and lone surrogates, even escaped.
  const safe = text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '');
  return safe
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * Complete run as JUnit XML: one test suite per section. A warning is a failure only in a strict run; otherwise it is a
 * skipped test, the only result besides passed and failed that every reader of JUnit displays.
 */
export function junitReport(facts: RunFacts, results: readonly Result[]): string {
  const sections = [...new Set(results.map((result) => sectionOf(result.case.id)))];
  const suites = sections.map((section) => {
    const own = results.filter((result) => sectionOf(result.case.id) === section);
    const failures = own.filter((result) => isFailure(result, facts.strict)).length;
    const skipped = own.filter(({ verdict }) => verdict.kind !== 'passed').length - failures;
    const counts = `tests="${own.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
    const rows = own.map((result) => testCase(result, facts)).join('\n');
    return `  <testsuite name="${facts.suite} ${section}" ${counts}>\n${rows}\n  </testsuite>`;
  });
  const name = escapeXml(`conformance ${facts.suite} ${facts.target}`);
  if (facts.unavailable !== undefined) suites.push(unavailableSuite(facts.suite, facts.unavailable));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}">\n${suites.join('\n')}\n</testsuites>\n`;
}

/** Error without a case: an empty report would count as a successful run. */
function unavailableSuite(suite: string, reason: string): string {
  return [
    `  <testsuite name="${suite}" tests="1" failures="0" errors="1" skipped="0">`,
    `    <testcase classname="${suite}" name="the target can be reached"><error message="${escapeXml(reason)}"/></testcase>`,
    '  </testsuite>',
  ].join('\n');
}

function testCase(result: Result, facts: RunFacts): string {
  const { verdict, level } = result;
  const { id, title } = result.case;
  const time = (result.ms / 1000).toFixed(3);
  const head = `    <testcase classname="${sectionOf(id)}" name="${escapeXml(`${id} ${title}`)}" time="${time}"`;
  if (verdict.kind === 'passed') return `${head}/>`;
  if ('reason' in verdict) {
    const why = verdict.kind === 'not-run' ? `not run: ${verdict.reason}` : verdict.reason;
    return `${head}><skipped message="${escapeXml(why)}"/></testcase>`;
  }
  const text = escapeXml(`Expected: ${verdict.failure.expected} Actual: ${verdict.failure.actual}`);
  if (isFailure(result, facts.strict)) {
    return `${head}><failure type="${level}" message="${text}"/></testcase>`;
  }
  return `${head}><skipped type="${level}" message="warning: ${text}"/></testcase>`;
}

/** Whether a result makes the run fail, before any baseline applies. */
export function isFailure({ verdict }: Result, strict: boolean): boolean {
  return verdict.kind === 'failed' || (strict && verdict.kind === 'warned');
}
