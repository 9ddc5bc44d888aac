import type { Result } from '../verdict.ts';

/** Failures and warnings with the same cause. */
export interface Cause {
  /** One line for the user. */
  readonly text: string;
  /** Ids of the cases, in the order of the run. */
  readonly ids: readonly string[];
  /** Number of cases that only warn. */
  readonly warnings: number;
}

/** Failures and warnings grouped by cause, the most frequent first. */
export function causesOf(results: readonly Result[]): readonly Cause[] {
  const byText = new Map<string, Result[]>();
  for (const result of results) {
    if (!('failure' in result.verdict)) continue;
    const text = causeOf(result.verdict.failure);
    byText.set(text, [...(byText.get(text) ?? []), result]);
  }
  return [...byText]
    .map(([text, own]) => ({
      text,
      ids: own.map((result) => result.case.id),
      warnings: own.filter(({ verdict }) => verdict.kind === 'warned').length,
    }))
    .toSorted((one, other) => other.ids.length - one.ids.length);
}

/** One line for a cause: description, number of cases, and their ids. */
export function causeLine({ text, ids, warnings }: Cause): string {
  const some =
    warnings === 0 ? '' : warnings === ids.length ? ', all as warnings' : `, ${warnings} as warnings`;
  return `${text}: ${ids.length} ${ids.length === 1 ? 'case' : 'cases'}${some} (${condense(ids)})`;
}

/** Description of a failure's cause, derived from the received data; equal for failures with the same cause. */
function causeOf(failure: {
  readonly kind: string;
  readonly expected: string;
  readonly actual: string;
}): string {
  const { kind, actual } = failure;
  const expected = failure.expected.replaceAll(/ with nonce ("[^"]*"|null)/g, '');
  const command = /^an answer to (\w+)/.exec(expected)?.[1];
  switch (kind) {
    case 'silent':
      return command === undefined ? `nothing came: expected ${expected}` : `${command} never answered`;
    case 'gone':
    case 'absent':
      return endReason(actual, expected);
    case 'flood':
      return 'messages without end';
    default:
      return `expected ${expected}, got ${kindOf(actual)}`;
  }
}

function endReason(actual: string, expected: string): string {
  if (actual.startsWith('it ended')) return `the target ended: ${actual}`;
  if (/^(end of stream|connection lost)/.test(actual)) return `the target hung up: expected ${expected}`;
  return actual;
}

/** Kind of the received data, without ids, nonces and bytes, which differ from case to case. */
function kindOf(actual: string): string {
  const code = /"evt":"ERROR".*?"code":(\d+)|"code":(\d+).*?"evt":"ERROR"/.exec(actual);
  if (code !== null) return `ERROR ${code[1] ?? code[2]}`;
  const [frame] = /^\w+\(\d+\)/.exec(actual) ?? [];
  if (frame === undefined) return actual;
  if (frame.startsWith('FRAME')) return actual.includes('"cmd":"DISPATCH"') ? 'an event' : 'another answer';
  const close = frame.startsWith('CLOSE') ? /"code":(\d+)/.exec(actual)?.[1] : undefined;
  return close === undefined ? `another ${frame}` : `${frame} with code ${close}`;
}

/** Ids by section, with consecutive ids as a range: `framing/1-2, 4; ping/12`. */
export function condense(ids: readonly string[]): string {
  const sections = new Map<string, string[]>();
  let last: { readonly section: string; readonly number: number } | undefined;
  for (const id of ids) {
    const [section = '', name = ''] = id.split('/');
    const number = Number(name);
    const own = sections.get(section) ?? [];
    const isNext = last?.section === section && last.number === number - 1;
    if (isNext) own.push(`${own.pop()?.replace(/-\d+$/, '')}-${number}`);
    else own.push(name);
    sections.set(section, own);
    last = { section, number };
  }
  return [...sections].map(([section, names]) => `${section}/${names.join(', ')}`).join('; ');
}
