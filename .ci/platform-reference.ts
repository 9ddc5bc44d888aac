// The tables of src/emulator/REFERENCE.md: the emulator's HTTP operations and gateway events, from their declarations and from
// coverage.json.
import { type Dispatch, INTENTS } from '../src/emulator/api/dispatch.ts';
import { ERROR_CODES, type ErrorCode } from '../src/emulator/api/error-codes.ts';
import type { Access, Operation } from '../src/emulator/api/operation.ts';
import { dispatches } from '../src/emulator/compose/dispatches.ts';
import { operations } from '../src/emulator/compose/operations.ts';
import differences from '../src/emulator/differences.json' with { type: 'json' };
import libraryRequests from '../src/emulator/library-requests.json' with { type: 'json' };
import { type Coverage, readCoverage, STATES } from './coverage.ts';
import { code, table } from './markdown.ts';

/** `row` is the statement of `coverage.json` from which the other source differs. */
type Difference = Readonly<Record<'about' | 'one' | 'other' | 'here', string>> & { readonly row?: string };

export function operationsTable(offered: readonly Operation[] = operations): string {
  const head = ['Operation', 'What', 'Who may', 'Body', 'Days', 'Not offered, and what is ours'];
  return table(head, offered.map(rowOf));
}

function rowOf({
  method,
  path,
  at,
  summary,
  who,
  body,
  since,
  until,
  notOffered,
  ours,
}: Operation): string[] {
  const kinds = body?.kinds.map((kind) => (kind === 'any' ? 'JSON of any type' : kind)) ?? [];
  const files = body?.files && `files: ${body.files.fields.map(code).join(', ')}`;
  const missing = notOffered.length > 0 && `not offered: ${notOffered.map(code).join(', ')}`;
  return [
    `${code(`${method} ${path}`)}${at === 'site' ? ' *site*' : ''}`,
    summary,
    who.map((access) => nameOf(access, kinds.includes('form'))).join('; '),
    listed(', ', ...kinds, files),
    listed(', ', since && `from ${since.slice(0, 10)}`, until && `until ${until.slice(0, 10)}`),
    listed('. ', missing, ours && `ours: ${ours}`),
  ];
}

/** Returns the texts that are there in one cell, or a dash. */
const listed = (separator: string, ...texts: readonly (string | false | undefined)[]): string =>
  texts.filter(Boolean).join(separator) || '–';

function nameOf(access: Access, isForm: boolean): string {
  if (access.kind === 'client') return isForm ? 'client credentials' : 'client credentials in the body';
  if (access.kind !== 'bearer') return access.kind;
  return access.scopes.length === 0 ? 'person' : `person with ${access.scopes.map(code).join(' or ')}`;
}

export function eventsTable(): string {
  const rows = dispatches.map(({ event, summary, intents, ours }: Dispatch) => {
    const names = Object.keys(INTENTS).filter((name) => (intents as readonly string[]).includes(name));
    return [code(event), summary, names.join(', ') || '–', ours ?? '–'];
  });
  return table(['Event', 'When', 'Intents', 'What is ours'], rows);
}

export function libraryRequestsTable(): string {
  const rows = libraryRequests.map(({ libraries, sent, read }) => [libraries.join(', '), sent, read]);
  return table(['Libraries', 'They send', 'It is read'], rows);
}

export function errorCodesTable(): string {
  const rows = Object.entries<ErrorCode>(ERROR_CODES).map(([name, [number, message, status = 400]]) => [
    String(number),
    code(name),
    String(status),
    message,
  ]);
  return table(['Code', 'Name', 'Status', 'Message'], rows);
}

/** The tables of both kinds of differences. */
export function differencesTables(coverage: Coverage = readCoverage()): string {
  const differencesTable = (kind: keyof typeof differences, one: string, other: string): string => {
    const rows = (differences[kind] as readonly Difference[]).map((difference) => {
      const isPlanned = coverage[difference.row ?? '']?.state === 'planned';
      const here = isPlanned ? `${difference.here} *(planned)*` : difference.here;
      return [difference.row ?? '–', difference.about, difference.one, difference.other, here];
    });
    return table(['Row', 'What', one, other, 'Here'], rows);
  };
  const stated = differencesTable('statedAndPublished', 'As stated', 'As published');
  const published = differencesTable('publishedSources', 'One', 'Another');
  return `${stated}\nBetween published sources:\n\n${published}`;
}

export function decisionsTable(): string {
  const ours = Object.entries(readCoverage()).filter(([, { state }]) => state === 'ours');
  const rows = ours.map(([id, { what, why = '' }]) => [id, what, why]);
  return table(['Row', 'What', 'Here'], rows);
}

/** How many statements have each state, and a table of those that are not done. */
export function coverageSummary(): string {
  const all = Object.entries(readCoverage());
  const counts = STATES.map((one) => `${all.filter(([, { state }]) => state === one).length} ${one}`);
  const rows = all
    .filter(([, { state }]) => state === 'planned' || state === 'absent')
    .map(([id, { what, state, why = '' }]) => [id, what, state, why]);
  return `${counts.join(', ')}: of the ${all.length} statements in \`coverage.json\`, which names the tests of each. Those that are not done:

${table(['Row', 'What', 'State', 'Why'], rows)}`;
}
