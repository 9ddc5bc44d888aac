// What is derived from declarations: whole files, and parts of pages between the marks `<!-- NAME: begin -->` and
// `<!-- NAME: end -->`. `npm run gen` writes them; a test fails when one is out of date.
import { guidePath } from '../src/cli/guides.ts';
import { attachSchema } from '../src/core/attach/schema.ts';
import { clientTypes } from '../src/protocol/client-types.ts';
import { referenceTables } from '../src/protocol/reference.ts';
import { libraryTables } from '../test/stories/day/results.ts';
import { architecturePicture } from './architecture-picture.ts';
import { allTestsNaming, COVERAGE, coverageText, readCoverage } from './coverage.ts';
import { limitsTable, recordsTable, settingsTable } from './guide-tables.ts';
import { operationReference, operationTypes } from './operations.ts';
import {
  coverageSummary,
  decisionsTable,
  differencesTables,
  errorCodesTable,
  eventsTable,
  libraryRequestsTable,
  operationsTable,
} from './platform-reference.ts';

const REFERENCE = 'src/emulator/REFERENCE.md';

interface Generated {
  /** Path below the checkout. */
  readonly file: string;
  /** Name of the marks; absent where the whole file is generated. */
  readonly mark?: string;
  readonly text: () => string;
}

export const GENERATED: readonly Generated[] = [
  { file: 'src/protocol/README.md', mark: 'reference', text: () => `\n${referenceTables()}\n` },
  { file: 'src/client/generated.ts', text: clientTypes },
  { file: 'src/control/generated.ts', text: operationTypes },
  { file: 'src/control/OPERATIONS.md', mark: 'operations', text: operationReference },
  { file: 'src/attach/schema.json', text: () => `${JSON.stringify(attachSchema(), null, 1)}\n` },
  { file: COVERAGE, text: () => coverageText(readCoverage(), allTestsNaming()) },
  { file: REFERENCE, mark: 'operations', text: operationsTable },
  { file: REFERENCE, mark: 'events', text: eventsTable },
  { file: REFERENCE, mark: 'library-requests', text: libraryRequestsTable },
  { file: REFERENCE, mark: 'error-codes', text: errorCodesTable },
  { file: REFERENCE, mark: 'decisions', text: decisionsTable },
  { file: REFERENCE, mark: 'differences', text: differencesTables },
  { file: REFERENCE, mark: 'coverage', text: coverageSummary },
  { file: guidePath('supported-systems'), mark: 'libraries', text: () => `\n${libraryTables()}\n` },
  { file: guidePath('configuration'), mark: 'settings', text: settingsTable },
  { file: guidePath('configuration'), mark: 'limits', text: limitsTable },
  { file: guidePath('fixture'), mark: 'records', text: recordsTable },
  { file: '.github/CONTRIBUTING.md', mark: 'architecture', text: architecturePicture },
];

/** Returns the file's content brought up to date. Throws when a mark is missing. */
export function upToDate({ file, mark, text }: Generated, content: string): string {
  if (mark === undefined) return text();
  const [begin, end] = [`<!-- ${mark}: begin -->\n`, `<!-- ${mark}: end -->`];
  const [from, to] = [content.indexOf(begin), content.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no ${begin.trim()} … ${end}`);
  return `${content.slice(0, from)}${begin}${text()}${content.slice(to)}`;
}
