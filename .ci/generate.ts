// Writes what is derived from the declarations: the reference tables of src/protocol/README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withReference } from '../src/protocol/reference.ts';

const readme = fileURLToPath(new URL('../src/protocol/README.md', import.meta.url));
writeFileSync(readme, withReference(readFileSync(readme, 'utf8')));
