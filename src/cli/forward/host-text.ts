import { printable } from '../../base/text.ts';
import type { ForwardEndpoint } from '../../forward/endpoint.ts';

/** Maximum length of the text (characters). */
const MAX_LENGTH = 64;

/**
 * The machine, container or user that a command leads to, as its words before Footbridge itself, such as `ssh
 * build.example` or `docker exec -i web`.
 */
export function hostText({ words }: Extract<ForwardEndpoint, { kind: 'exec' }>): string {
  const end = words.findIndex((word) => /(?:^|[\\/])footbridge(?:\.\w+)?$/.test(word));
  return printable(words.slice(0, end < 1 ? 3 : end).join(' '))
    .slice(0, MAX_LENGTH)
    .trim();
}
