// The page src/emulator/REFERENCE.md: the emulator's HTTP operations and gateway events, from their declarations and from
// coverage.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Dispatch, INTENTS } from '../src/emulator/api/dispatch.ts';
import { ERROR_CODES, type ErrorCode } from '../src/emulator/api/error-codes.ts';
import type { Access, Operation } from '../src/emulator/api/operation.ts';
import { dispatches } from '../src/emulator/compose/dispatches.ts';
import { operations } from '../src/emulator/compose/operations.ts';
import { root } from './bundle.ts';
import { type Coverage, STATES } from './coverage.ts';
import { code, table } from './markdown.ts';

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
  return factsOf('differences') as Readonly<
    Record<'statedAndPublished' | 'publishedSources', readonly Difference[]>
  >;
}

/** What libraries send otherwise than the platform's pages say; `test` is the file that replays it with their names. */
export function readLibraryRequests() {
  return factsOf('library-requests') as readonly {
    readonly libraries: readonly string[];
    readonly sent: string;
    readonly read: string;
    readonly test: string;
  }[];
}

function factsOf(name: string): unknown {
  return JSON.parse(readFileSync(join(root, `src/emulator/${name}.json`), 'utf8'));
}

/** The page's text. */
export function platformReference(coverage: Coverage, offered: readonly Operation[] = operations): string {
  const { statedAndPublished, publishedSources } = readDifferences();
  const rows = Object.entries(coverage);
  const ours = rows.filter(([, { state }]) => state === 'ours');
  const undone = rows.filter(([, { state }]) => state === 'planned' || state === 'absent');
  const counts = STATES.map((state) => `${rows.filter(([, row]) => row.state === state).length} ${state}`);
  return `# What the emulator offers over HTTP and at the gateway

Written by \`npm run gen\` from the declarations. \`footbridge schema openapi\` prints the same for programs, with every shape.

Paths are below \`/api\`, where a version from 6 to 10 may stand first (\`/api/v10\`); one without a version is answered like 10.
Any other version is 400 with code 50041. Answers of every version are the same but for the twins of O-13 below. Those marked *site* stand beside
\`/api\`. Bodies are JSON, a form, or multipart; in the latter two \`payload_json\` may stand for the whole body. In a query and a form
numbers and truth values (\`true\`, \`True\`, \`1\`) are texts, and a list is a repeated name. A field of a form that is empty counts as left
out, unless an empty text may stand there; so does a file without a name and without bytes. \`X-Audit-Log-Reason\` is read as UTF-8 that
was encoded for an address, 512 characters of it. A field that is not offered is refused with 501, which names it, unless it asks
for nothing: null, false, 0, an empty text or an empty list.

## Operations

${table(['Operation', 'What', 'Who may', 'Body', 'Days', 'Not offered, and what is ours'], offered.map(rowOf))}
## Events of the gateway

Bots are told of the guilds that they are in, by the intents that they have: one of those named is enough. A person's session is told
what concerns that person.

${table(['Event', 'When', 'Intents', 'What is ours'], dispatches.map(eventRow))}
## What libraries send

Accepted from every program, because these libraries send it.

${table(
  ['Libraries', 'They send', 'It is read'],
  readLibraryRequests().map(({ libraries, sent, read }) => [libraries.join(', '), sent, read]),
)}
## Error codes

The body of a refusal is \`{ message, code }\`, and more where the platform has more. The name is the platform's in \`discord-api-types\` where it has
one. The status is the usual one; \`{limit}\` is the number that is the limit. Code 0 has a message of its own each time.

${table(['Code', 'Name', 'Status', 'Message'], Object.entries(ERROR_CODES).map(codeRow))}
## Public, and not offered

No operation: all of the platform's OpenAPI document are offered. A single field that is not answers 501, names itself, and stands at the end of \`footbridge emulate\`; which these are is said of each operation above.

## Decided here

No public source says these.

${table(
  ['Row', 'What', 'Here'],
  ours.map(([id, { what, why = '' }]) => [id, what, why]),
)}
## Where sources part

${differencesTable(['As stated', 'As published'], statedAndPublished, coverage)}
Between published sources:

${differencesTable(['One', 'Another'], publishedSources, coverage)}
## What is covered

${counts.join(', ')}: of the ${rows.length} statements in \`coverage.json\`, which names the tests of each. Those that are not done:

${table(
  ['Row', 'What', 'State', 'Why'],
  undone.map(([id, { what, state, why = '' }]) => [id, what, state, why]),
)}`;
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

function codeRow([name, [number, status, message]]: readonly [string, ErrorCode]): string[] {
  return [String(number), code(name), String(status), message];
}

function eventRow({ event, summary, intents, ours }: Dispatch): string[] {
  const names = Object.keys(INTENTS).filter((name) => (intents as readonly string[]).includes(name));
  return [code(event), summary, names.join(', ') || '–', ours ?? '–'];
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

function differencesTable(
  [one, other]: readonly [string, string],
  differences: readonly Difference[],
  coverage: Coverage,
): string {
  const rows = differences.map((difference) => {
    const { row, about, here } = difference;
    const state = row === undefined ? undefined : coverage[row]?.state;
    const done = state === 'planned' ? `${here} *(planned)*` : here;
    return [row ?? '–', about, difference.one, difference.other, done];
  });
  return table(['Row', 'What', one, other, 'Here'], rows);
}
