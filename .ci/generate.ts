// Writes what is derived from the declarations: the reference tables of src/protocol/README.md and the client
// library's types.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clientTypes } from '../src/protocol/client-types.ts';
import { withReference } from '../src/protocol/reference.ts';

const readme = fileURLToPath(new URL('../src/protocol/README.md', import.meta.url));
writeFileSync(readme, withReference(readFileSync(readme, 'utf8')));
writeFileSync(fileURLToPath(new URL('../src/client/generated.ts', import.meta.url)), clientTypes());
