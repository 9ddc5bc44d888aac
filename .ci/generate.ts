// What is derived from declarations: whole files, and parts of pages between the marks `<!-- NAME: begin -->` and
// `<!-- NAME: end -->`. `npm run gen` writes them; a test fails when one is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guidePath } from '../src/cli/guides.ts';
import { attachSchema } from '../src/core/attach/schema.ts';
import { clientTypes } from '../src/protocol/client-types.ts';
import { referenceTables } from '../src/protocol/reference.ts';
import { scenarioSchema } from '../src/scenario/json-schema.ts';
import { libraryTables } from '../test/stories/day/results.ts';
import { architecturePicture } from './architecture-picture.ts';
import { root } from './bundle.ts';
import { allTestsNaming, COVERAGE, coverageText, readCoverage } from './coverage.ts';
import { limitsTable, recordsTable, settingsTable } from './guide-tables.ts';
import { NATIVE_CSHARP, nativeCSharp } from './native-csharp.ts';
import { NATIVE_HEADER, nativeHeader } from './native-header.ts';
import { operationReference, operationTypes } from './operations.ts';
import * as reference from './platform-reference.ts';
import { scenarioTypes } from './scenario-types.ts';
import { read } from './staging.ts';

const REFERENCE = 'src/emulator/REFERENCE.md';

interface Generated {
  readonly file: string;
  /** Name of the marks; absent where the whole file is generated. */
  readonly mark?: string;
  readonly text: () => string;
}

export const GENERATED: readonly Generated[] = [
  { file: 'src/protocol/README.md', mark: 'reference', text: () => `\n${referenceTables()}\n` },
  { file: 'src/client/generated.ts', text: clientTypes },
  { file: NATIVE_HEADER, text: nativeHeader },
  { file: NATIVE_CSHARP, text: nativeCSharp },
  { file: 'src/control/generated.ts', text: operationTypes },
  { file: 'src/scenario/generated.ts', text: scenarioTypes },
  { file: 'src/control/OPERATIONS.md', mark: 'operations', text: operationReference },
  { file: 'src/attach/schema.json', text: () => `${JSON.stringify(attachSchema(), null, 1)}\n` },
  { file: 'src/scenario/schema.json', text: () => `${JSON.stringify(scenarioSchema(), null, 1)}\n` },
  { file: COVERAGE, text: () => coverageText(readCoverage(), allTestsNaming()) },
  { file: REFERENCE, mark: 'operations', text: reference.operationsTable },
  { file: REFERENCE, mark: 'events', text: reference.eventsTable },
  { file: REFERENCE, mark: 'library-requests', text: reference.libraryRequestsTable },
  { file: REFERENCE, mark: 'error-codes', text: reference.errorCodesTable },
  { file: REFERENCE, mark: 'decisions', text: reference.decisionsTable },
  { file: REFERENCE, mark: 'differences', text: reference.differencesTables },
  { file: REFERENCE, mark: 'coverage', text: reference.coverageSummary },
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

// Tests import the list.
if (process.argv[1] === join(root, '.ci/generate.ts'))
  for (const one of GENERATED) writeFileSync(join(root, one.file), upToDate(one, read(one.file)));
