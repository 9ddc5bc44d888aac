import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { played } from '../../helpers/transcript.ts';

const folder = new URL('transcripts/', import.meta.url);

// What is asked stands in the files themselves. Where an answer is meant to be another, read the difference before `vitest run -u`
// records it.
it.each(readdirSync(folder))('what %s asks is answered and told at the gateway as it says', async (name) => {
  const file = new URL(name, folder).pathname;
  await expect(await played(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file);
});
