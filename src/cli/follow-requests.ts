import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../base/local-error.ts';
import { styleFor } from '../base/style.ts';
import { printableJson } from '../base/text.ts';
import { calledAs } from '../daemon/called-as.ts';
import { ExitCode } from '../daemon/exit-codes.ts';
import type { Io } from '../daemon/io.ts';
import { requestText } from '../daemon/request-text.ts';
import type { WaitingRequest } from '../emulator/api/waiting-request.ts';
import { daemonClient } from './daemon-client.ts';

/** Poll interval (ms): a user does not notice the delay, and the bridge does not notice the load. */
const POLL_MS = 500;

/**
 * Prints the waiting requests, then each new request, until the process is interrupted, the reader of stdout closes the
 * pipe, or the bridge ends.
 */
export async function followRequests(json: boolean, io: Io): Promise<ExitCode> {
  const client = daemonClient(io);
  const style = styleFor(io.colour.out);
  const called = calledAs(io.env);
  let known = new Set<string>();
  while (!io.outClosed.aborted) {
    const waiting = (await client.call('requests.list').catch(unlessReset)) as
      | readonly WaitingRequest[]
      | undefined;
    if (waiting === undefined) {
      await delay(POLL_MS);
      continue;
    }
    for (const request of waiting.filter(({ id }) => !known.has(id))) {
      if (json) io.out(`${printableJson(request)}\n`);
      else {
        const how = `Answer with: ${called} approve ${request.id} (or deny ${request.id})\n`;
        io.out(`${requestText(request, style)}${how}`);
      }
    }
    // Only the waiting ids are remembered, because a later request may reuse a free id.
    known = new Set(waiting.map(({ id }) => id));
    await delay(POLL_MS);
  }
  return ExitCode.OK;
}

/**
 * Ignores a reset: a bridge that ends resets the open connection, and the next poll finds out whether a bridge still
 * runs.
 */
function unlessReset(error: unknown): undefined {
  if (systemCode(error) !== 'ECONNRESET') throw error;
}
