import type { Readable } from 'node:stream';
import type { Style } from '../base/style.ts';
import { type Answer, promptForConsent } from './consent-prompt.ts';
import type { OnRequest } from './core-options.ts';
import { requestText } from './request-text.ts';
import type { Daemon } from './start.ts';

/** Streams of the user. Without `input`, waiting requests are only displayed. */
export interface Watcher {
  readonly write: (text: string) => void;
  readonly style: Style;
  /** Text that the user types before the name of a command. */
  readonly called: string;
  readonly input?: Readable;
}

/** Displays each request that waits for the user, and prompts where a user can answer. */
export function watchRequests(daemon: Daemon, onRequest: OnRequest, watcher: Watcher): void {
  const { write, style, called, input } = watcher;
  if (input === undefined) {
    onRequest((event, request) => {
      if (event !== 'added') return;
      write(
        `${requestText(request, style)}Answer with: ${called} approve ${request.id} (or deny ${request.id})\n`,
      );
    });
    return;
  }
  const decide = ({ id }: { readonly id: string }, answer: Answer): Promise<unknown> => {
    const [operation, args] =
      answer === 'deny'
        ? ['requests.deny', { id }]
        : ['requests.approve', { id, ...(answer === 'always' ? { always: true } : {}) }];
    return daemon.call(operation as string, args, { via: 'terminal', pid: process.pid });
  };
  promptForConsent({ input, write, style, called, onRequest, decide });
}
