import { ApiError } from '../api/api-error.ts';
import { checked } from '../api/check.ts';
import { readJson } from '../api/read-json.ts';
import { type Observers, post } from '../applications/webhooks/post.ts';
import { type Answering, takeAnswer } from './callback.ts';
import { callbackBody } from './callback-body.ts';
import { interactionAnswer, interactionShape } from './payload.ts';
import type { Interaction } from './records.ts';

/** Services with which interactions are delivered over HTTP. */
export type Delivering = Answering & Observers;

// An application with an `interactions_endpoint_url` receives its interactions at this URL, signed like every webhook;
// the response of the endpoint is the callback.

/** Maximum response size (bytes). */
const MAX_ANSWER_BYTES = 1024 * 1024;
const OK = 200;
const ACCEPTED = 202;
const NO_CONTENT = 204;

/**
 * Sends a new interaction to its application. `base` is the base URL of the API. Never rejects: an invalid answer fails
 * the interaction.
 */
export async function deliver(platform: Delivering, interaction: Interaction, base: string): Promise<void> {
  const { id, application, token } = interaction;
  const { world, clock, interactions } = platform;
  const url = world.tables.applications.get(application)?.interactions_endpoint_url;
  const fail = (reason: string): void => interactions.fail(id, `${url}: ${reason}`);
  if (url === undefined || url === null)
    return fail('the application no longer has an interactions_endpoint_url');
  const body = JSON.stringify(interactionAnswer(platform, interaction, base));
  const posted = await post(
    {
      application,
      url,
      body,
      now: clock.now(),
      reads: MAX_ANSWER_BYTES,
      type: 'INTERACTION',
      shape: () => interactionShape,
    },
    platform,
  );
  if (posted.outcome.kind === 'failed') return fail(posted.outcome.reason);
  const { status } = posted.outcome;
  // With status 202 or 204, the application sends its answer later through the callback route.
  if (status === ACCEPTED || status === NO_CONTENT) return;
  if (status !== OK) return fail(`answered with ${status}, not with ${OK}`);
  try {
    const answered = checked(callbackBody, readJson(posted.answer, callbackBody));
    await takeAnswer(platform, { id, token }, answered);
  } catch (error) {
    // Only the first answer counts, whether it came in the response or through the callback route.
    if (interactions.get(id)?.state.kind !== 'waiting') return;
    if (error instanceof SyntaxError) fail('answered with invalid JSON');
    else fail(error instanceof ApiError ? describeError(error) : 'answered with what could not be used');
  }
}

function describeError({ message, more }: ApiError): string {
  const errors = more['errors'] === undefined ? '' : `: ${JSON.stringify(more['errors']).slice(0, 2000)}`;
  return `its answer is refused: ${message}${errors}`;
}
