import { existsSync, readFileSync } from 'node:fs';
import { guidePath } from './guides.ts';

/**
 * Reads the page of a guide: from beside the program as the Debian package has it, else from the folder around `dist/` of the
 * npm package or checkout, else from the folder around the sources.
 */
export function guideFile(topic: string): string {
  const path = guidePath(topic);
  const urls = [`./guide/${topic}.md`, `../${path}`, `../../${path}`].map(
    (one) => new URL(one, import.meta.url),
  );
  return readFileSync(urls.find((url) => existsSync(url)) ?? path, 'utf8');
}
