// Writes what is derived from the declarations: the reference tables of src/protocol/README.md and the client
// library's types, and the JSON Schema of the attach protocol.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { attachSchema } from '../src/core/attach/schema.ts';
import { clientTypes } from '../src/protocol/client-types.ts';
import { withReference } from '../src/protocol/reference.ts';

const readme = fileURLToPath(new URL('../src/protocol/README.md', import.meta.url));
writeFileSync(readme, withReference(readFileSync(readme, 'utf8')));
writeFileSync(fileURLToPath(new URL('../src/client/generated.ts', import.meta.url)), clientTypes());
const schema = fileURLToPath(new URL('../src/attach/schema.json', import.meta.url));
writeFileSync(schema, `${JSON.stringify(attachSchema(), null, 1)}\n`);
