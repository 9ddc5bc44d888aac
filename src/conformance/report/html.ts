import { type Requirement, requirement, sources } from '../requirements.ts';
import type { Result, Verdict } from '../verdict.ts';
import { causeLine, causesOf, condense } from './causes.ts';
import type { RunFacts } from './machine.ts';
import { sectionOf } from './table.ts';

const NAMES: Readonly<Record<Verdict['kind'], string>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'warning',
  'not-applicable': 'not applicable',
  'not-run': 'not run',
};
const KINDS = Object.keys(NAMES) as readonly Verdict['kind'][];

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { padding: .15rem .8rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
article { border-left: .3rem solid gray; padding: .1rem 0 .1rem 1rem; margin: 1rem 0; }
article.failed { border-color: #c62828; }
article.warned { border-color: #e69100; }
code, pre { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; }
h3, dl { margin: .3rem 0; }
dt { font-weight: 600; }
.dim { opacity: .7; }`;

/** Complete run as one HTML page without scripts or other files, with the text and sources of each requirement. */
export function htmlReport(facts: RunFacts, results: readonly Result[]): string {
  const title = `Conformance of the ${facts.suite} ${facts.target}`;
  const broken = results.filter(({ verdict }) => 'failure' in verdict);
  const parts = [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${text(title)}</title>`,
    `<meta name="viewport" content="width=device-width"><style>${STYLE}\n</style></head><body>`,
    `<h1>${text(title)}</h1>`,
    `<p class="dim">${text(facts.date)}, profile ${facts.profile}${facts.strict ? ', strict' : ''}, ${(facts.ms / 1000).toFixed(1)} s</p>`,
    facts.unavailable === undefined ? '' : `<p><strong>${text(facts.unavailable)}</strong></p>`,
    results.length === 0 ? '' : summary(results),
    causes(results),
    broken.length === 0 ? '' : `<h2>What was wrong</h2>\n${broken.map(article).join('\n')}`,
    unjudged(results),
    passed(results),
    sourceList(results),
    '</body></html>\n',
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** Text for an HTML element or attribute; characters that HTML cannot contain become `?`. */
function text(value: string): string {
  return value
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (sign) => (sign === '\n' ? sign : '?'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function summary(results: readonly Result[]): string {
  const sections = [...new Set(results.map((result) => sectionOf(result.case.id)))];
  const row = (name: string, of: readonly Result[]): string => {
    const cells = KINDS.map((kind) => `<td>${of.filter((one) => one.verdict.kind === kind).length}</td>`);
    return `<tr><td>${text(name)}</td>${cells.join('')}</tr>`;
  };
  return [
    '<table>',
    `<tr><th>section</th>${KINDS.map((kind) => `<th>${NAMES[kind]}</th>`).join('')}</tr>`,
    ...sections.map((section) =>
      row(
        section,
        results.filter((one) => sectionOf(one.case.id) === section),
      ),
    ),
    row('all', results),
    '</table>',
  ].join('\n');
}

function causes(results: readonly Result[]): string {
  const shared = causesOf(results).filter(({ ids }) => ids.length > 1);
  if (shared.length === 0) return '';
  const items = shared.map((cause) => `<li>${text(causeLine(cause))}</li>`);
  return `<h2>Failures by cause</h2>\n<ul>${items.join('\n')}</ul>`;
}

function article({ case: one, level, verdict, trace }: Result): string {
  if (!('failure' in verdict)) return '';
  const { expected, actual } = verdict.failure;
  return [
    `<article class="${verdict.kind}" id="${text(one.id)}">`,
    `<h3>${text(one.id)}: ${text(one.title)}</h3>`,
    `<p class="dim">${NAMES[verdict.kind]}, ${level}</p>`,
    `<dl><dt>Expected</dt><dd><code>${text(expected)}</code></dd>`,
    `<dt>Actual</dt><dd><code>${text(actual)}</code></dd></dl>`,
    ...one.requirementIds.map((id) => statement(requirement(id))),
    trace === undefined
      ? ''
      : `<details><summary>What went over the wire</summary><pre>${text(trace.join('\n'))}</pre></details>`,
    '</article>',
  ].join('\n');
}

function statement({ id, level, text: wording, sources: from }: Requirement): string {
  const tags = from.map((tag) => `<abbr title="${text(sources[tag] ?? '')}">${text(tag)}</abbr>`).join(' ');
  return `<p><strong>${level}</strong> ${text(wording)} <span class="dim">(${text(id)}; ${tags})</span></p>`;
}

function unjudged(results: readonly Result[]): string {
  const byReason = new Map<string, string[]>();
  for (const { case: one, verdict } of results) {
    if (!('reason' in verdict)) continue;
    const why = `${NAMES[verdict.kind]}: ${verdict.reason}`;
    byReason.set(why, [...(byReason.get(why) ?? []), one.id]);
  }
  if (byReason.size === 0) return '';
  const items = [...byReason].map(([why, ids]) => `<li>${text(why)} (${text(condense(ids))})</li>`);
  return `<h2>Cases that were not run or do not apply</h2>\n<ul>${items.join('\n')}</ul>`;
}

function passed(results: readonly Result[]): string {
  const own = results.filter(({ verdict }) => verdict.kind === 'passed');
  if (own.length === 0) return '';
  const items = own.map(({ case: one }) => `<li>${text(one.id)}: ${text(one.title)}</li>`);
  return `<details><summary>${own.length} passed</summary>\n<ul>${items.join('\n')}</ul></details>`;
}

function sourceList(results: readonly Result[]): string {
  const tags = new Set(
    results.flatMap(({ case: one }) => one.requirementIds.flatMap((id) => requirement(id).sources)),
  );
  if (tags.size === 0) return '';
  const rows = [...tags].map((tag) => `<dt>${text(tag)}</dt><dd>${text(sources[tag] ?? '')}</dd>`);
  return `<details><summary>Sources of the requirements</summary>\n<dl>${rows.join('\n')}</dl></details>`;
}
