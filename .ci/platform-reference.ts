// The tables of src/emulator/REFERENCE.md: the emulator's HTTP operations and gateway events, from their declarations and from
// coverage.json.
import { type Dispatch, INTENTS } from '../src/emulator/api/dispatch.ts';
import { ERROR_CODES, type ErrorCode } from '../src/emulator/api/error-codes.ts';
import type { Access, Operation } from '../src/emulator/api/operation.ts';
import { dispatches } from '../src/emulator/compose/dispatches.ts';
import { operations } from '../src/emulator/compose/operations.ts';
import { type Coverage, readCoverage, STATES } from './coverage.ts';
import { code, table } from './markdown.ts';
import { read } from './staging.ts';

/** One point on which two sources of the platform's contract differ. */
interface Difference {
  /** Id of the row of `coverage.json` from whose statement the other source differs; absent for other differences. */
  readonly row?: string;
  readonly about: string;
  readonly one: string;
  readonly other: string;
  readonly here: string;
}

/** Differences between a statement of `coverage.json` and the published contract, and between published sources. */
export function readDifferences() {
  return JSON.parse(read('src/emulator/differences.json')) as Readonly<
    Record<'statedAndPublished' | 'publishedSources', readonly Difference[]>
  >;
}

/** What libraries send otherwise than the platform's pages say; `test` is the file that replays it with their names. */
export function readLibraryRequests() {
  return JSON.parse(read('src/emulator/library-requests.json')) as readonly {
    readonly libraries: readonly string[];
    readonly sent: string;
    readonly read: string;
    readonly test: string;
  }[];
}

export function operationsTable(offered: readonly Operation[] = operations): string {
  const head = ['Operation', 'What', 'Who may', 'Body', 'Days', 'Not offered, and what is ours'];
  return table(head, offered.map(rowOf));
}

function rowOf(operation: Operation): string[] {
  const { method, path, at, summary, who, body, since, until, notOffered, ours } = operation;
  const days = [since && `from ${since.slice(0, 10)}`, until && `until ${until.slice(0, 10)}`].filter(
    Boolean,
  );
  const kinds = body?.kinds.map((kind) => (kind === 'any' ? 'JSON of any type' : kind)) ?? [];
  const files = body?.files === undefined ? [] : [`files: ${body.files.fields.map(code).join(', ')}`];
  const notes = [
    ...(notOffered.length === 0 ? [] : [`not offered: ${notOffered.map(code).join(', ')}`]),
    ...(ours === undefined ? [] : [`ours: ${ours}`]),
  ];
  return [
    `${code(`${method} ${path}`)}${at === 'site' ? ' *site*' : ''}`,
    summary,
    who.map((access) => nameOf(access, kinds.includes('form'))).join('; '),
    [...kinds, ...files].join(', ') || '–',
    days.join(', ') || '–',
    notes.join('. ') || '–',
  ];
}

function nameOf(access: Access, isForm: boolean): string {
  switch (access.kind) {
    case 'anybody':
      return 'anybody';
    case 'client':
      return isForm ? 'client credentials' : 'client credentials in the body';
    case 'bot':
      return 'bot';
    case 'bearer':
      return access.scopes.length === 0 ? 'person' : `person with ${access.scopes.map(code).join(' or ')}`;
  }
}

export function eventsTable(): string {
  const rows = dispatches.map(({ event, summary, intents, ours }: Dispatch) => {
    const names = Object.keys(INTENTS).filter((name) => (intents as readonly string[]).includes(name));
    return [code(event), summary, names.join(', ') || '–', ours ?? '–'];
  });
  return table(['Event', 'When', 'Intents', 'What is ours'], rows);
}

export function libraryRequestsTable(): string {
  const rows = readLibraryRequests().map(({ libraries, sent, read }) => [libraries.join(', '), sent, read]);
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
  const { statedAndPublished, publishedSources } = readDifferences();
  const rowOf = ({ row, about, one, other, here }: Difference): string[] => {
    const isPlanned = row !== undefined && coverage[row]?.state === 'planned';
    return [row ?? '–', about, one, other, isPlanned ? `${here} *(planned)*` : here];
  };
  const stated = table(['Row', 'What', 'As stated', 'As published', 'Here'], statedAndPublished.map(rowOf));
  const published = table(['Row', 'What', 'One', 'Another', 'Here'], publishedSources.map(rowOf));
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
