import { requirement } from '../requirements.ts';
import type { Result } from '../verdict.ts';
import { sectionOf } from './table.ts';

/** What a report says beside the results. */
export interface RunFacts {
  readonly suite: 'server' | 'client';
  readonly target: string;
  readonly profile: string;
  readonly strict: boolean;
  /** ISO 8601. */
  readonly date: string;
  readonly ms: number;
}

/** The whole run as JSON. */
export function jsonReport(facts: RunFacts, results: readonly Result[]): string {
  const cases = results.map(({ case: one, level, verdict, ms }) => ({
    id: one.id,
    title: one.title,
    level,
    requirements: one.judges,
    sources: [...new Set(one.judges.flatMap((id) => requirement(id).sources))],
    verdict: verdict.kind,
    ...('failure' in verdict ? { ...verdict.failure, kind: undefined, how: verdict.failure.kind } : {}),
    ...('reason' in verdict ? { reason: verdict.reason } : {}),
    ms,
  }));
  return `${JSON.stringify({ ...facts, cases }, undefined, 2)}\n`;
}

function escapeXml(text: string): string {
  // Control characters are not allowed in XML 1.0, escaped or not.
  const safe = text.replace(/\p{Cc}/gu, '');
  return safe
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The whole run as JUnit XML: one test suite a section. A warning is a failure only in a strict run. */
export function junitReport(facts: RunFacts, results: readonly Result[]): string {
  const sections = [...new Set(results.map((result) => sectionOf(result.case.id)))];
  const suites = sections.map((section) => {
    const own = results.filter((result) => sectionOf(result.case.id) === section);
    const failures = own.filter((result) => isFailure(result, facts.strict)).length;
    const skipped = own.filter((result) => result.verdict.kind === 'not-applicable').length;
    const counts = `tests="${own.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
    const rows = own.map((result) => testCase(result, facts)).join('\n');
    return `  <testsuite name="${facts.suite} ${section}" ${counts}>\n${rows}\n  </testsuite>`;
  });
  const name = escapeXml(`conformance ${facts.suite} ${facts.target}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}">\n${suites.join('\n')}\n</testsuites>\n`;
}

function testCase(result: Result, facts: RunFacts): string {
  const { verdict, level } = result;
  const { id, title } = result.case;
  const time = (result.ms / 1000).toFixed(3);
  const head = `    <testcase classname="${sectionOf(id)}" name="${escapeXml(`${id} ${title}`)}" time="${time}"`;
  if (verdict.kind === 'passed') return `${head}/>`;
  if (verdict.kind === 'not-applicable') {
    return `${head}><skipped message="${escapeXml(verdict.reason)}"/></testcase>`;
  }
  const text = escapeXml(`Expected: ${verdict.failure.expected} Actual: ${verdict.failure.actual}`);
  if (isFailure(result, facts.strict)) {
    return `${head}><failure type="${level}" message="${text}"/></testcase>`;
  }
  return `${head}><system-out>${text}</system-out></testcase>`;
}

/** True when a result makes the run fail by itself, before any baseline. */
export function isFailure({ verdict }: Result, strict: boolean): boolean {
  return verdict.kind === 'failed' || (strict && verdict.kind === 'warned');
}
