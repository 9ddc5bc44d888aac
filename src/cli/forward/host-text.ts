import { printable } from '../../base/text.ts';
import type { ForwardEndpoint } from '../../forward/endpoint.ts';

/** Maximum length of a name (characters). */
const MAX_NAME = 64;

/**
 * Name of the machine, container or user at an end, as the words of its command before Footbridge itself, such as `ssh
 * build.example` or `docker exec -i web`; the path of a socket. Empty for standard input and output.
 */
export function hostText(endpoint: ForwardEndpoint): string {
  return printable(textOf(endpoint)).slice(0, MAX_NAME).trim();
}

function textOf(endpoint: ForwardEndpoint): string {
  switch (endpoint.kind) {
    case 'exec': {
      const { words } = endpoint;
      const end = words.findIndex((word) => /(?:^|[\\/])footbridge(?:\.\w+)?$/.test(word));
      return words.slice(0, end < 1 ? 3 : end).join(' ');
    }
    case 'socket':
      return endpoint.path;
    case 'auto':
      return 'this machine';
    case 'stdio':
      return '';
  }
}
