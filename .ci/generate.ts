// `npm run gen`: writes what is derived from declarations.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.ts';
import { GENERATED, upToDate } from './generated.ts';

for (const one of GENERATED) {
  const path = join(root, one.file);
  writeFileSync(path, upToDate(one, readFileSync(path, 'utf8')));
}
