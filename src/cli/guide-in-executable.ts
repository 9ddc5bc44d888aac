// Stands in for src/cli/guide-file.ts in the single executable, where no file lies beside the program.
import { getAsset } from 'node:sea';

/** The text of a guide from the executable. */
export function guideFile(topic: string): string {
  return getAsset(`guide/${topic}.md`, 'utf8');
}
