// Writes the files that are derived from declarations: the reference tables of src/protocol/README.md and the client
// library's types, the JSON Schema of the attach protocol, the tests that prove the emulator's coverage, the reference
// of its HTTP API, the tables of the libraries that were run against it, those of the guides, and the picture of the
// architecture.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { attachSchema } from '../src/core/attach/schema.ts';
import { clientTypes } from '../src/protocol/client-types.ts';
import { withReference } from '../src/protocol/reference.ts';
import { LIBRARIES_GUIDE, withDayTables } from '../test/stories/day/results.ts';
import { CONTRIBUTING, withArchitecturePicture } from './architecture-picture.ts';
import { allTestsNaming, COVERAGE, coverageText, readCoverage, withTests } from './coverage.ts';
import { writeGuideTables } from './guide-tables.ts';
import { OPERATIONS_REFERENCE, operationReference } from './operation-reference.ts';
import { operationTypes } from './operation-types.ts';
import { platformReference, REFERENCE } from './platform-reference.ts';

const readme = fileURLToPath(new URL('../src/protocol/README.md', import.meta.url));
writeFileSync(readme, withReference(readFileSync(readme, 'utf8')));
writeFileSync(fileURLToPath(new URL('../src/client/generated.ts', import.meta.url)), clientTypes());
writeFileSync(fileURLToPath(new URL('../src/control/generated.ts', import.meta.url)), operationTypes());
writeFileSync(OPERATIONS_REFERENCE, operationReference());
const schema = fileURLToPath(new URL('../src/attach/schema.json', import.meta.url));
writeFileSync(schema, `${JSON.stringify(attachSchema(), null, 1)}\n`);
const coverage = withTests(readCoverage(), allTestsNaming());
writeFileSync(COVERAGE, coverageText(coverage));
writeFileSync(REFERENCE, platformReference(coverage));
writeFileSync(LIBRARIES_GUIDE, withDayTables(readFileSync(LIBRARIES_GUIDE, 'utf8')));
writeGuideTables();
writeFileSync(CONTRIBUTING, withArchitecturePicture(readFileSync(CONTRIBUTING, 'utf8')));
