import type { Base } from '../../api/world.ts';
import { SettingError } from '../../kernel/errors.ts';
import { userAnswer } from '../../users/answers.ts';
import { readTarget } from './address.ts';
import { type Observers, type Posted, post } from './post.ts';

/** Type of the ping interaction, which is also the type of the reply to it. */
const PING = 1;
/** Maximum size of the reply to a ping, in bytes. */
const MAX_REPLY_BYTES = 1024;
const OK = 200;
const UNAUTHORIZED = 401;

const shape = async () => (await import('./ping-shape.ts')).pingShape;

/**
 * Verifies an interactions endpoint of an application. It must reply to a PING with 200 and `{"type":1}`, and to a PING
 * with a wrong signature with 401. Rejects with a SettingError that quotes a wrong reply.
 */
export async function checkEndpoint(
  platform: Base & Observers,
  application: string,
  url: string,
): Promise<void> {
  readTarget(url);
  const { world, clock } = platform;
  const now = clock.now();
  const body = JSON.stringify({
    id: world.ids.next(now, (id) => world.tables.interactions.has(id)),
    application_id: application,
    type: PING,
    version: 1,
    token: 'ping',
    user: userAnswer(world.me()),
    entitlements: [],
    authorizing_integration_owners: {},
  });
  const ping = await post(
    { application, url, body, now, reads: MAX_REPLY_BYTES, type: 'INTERACTION_PING', shape },
    platform,
  );
  if (!isPong(ping)) throw new SettingError('url', faultText(ping, 'the PING', '200 and {"type":1}'));
  const forged = await post(
    {
      application,
      url,
      body,
      now,
      isForged: true,
      type: 'INTERACTION_PING_WITH_WRONG_SIGNATURE',
      shape,
    },
    platform,
  );
  if (forged.outcome.kind === 'answered' && forged.outcome.status === UNAUTHORIZED) return;
  throw new SettingError('url', faultText(forged, 'a wrong signature', `${UNAUTHORIZED}`));
}

function isPong({ outcome, answer: text }: Posted): boolean {
  if (outcome.kind !== 'answered' || outcome.status !== OK) return false;
  try {
    return (JSON.parse(text) as { readonly type?: unknown } | null)?.type === PING;
  } catch {
    return false;
  }
}

function faultText({ outcome, answer: text }: Posted, what: string, expected: string): string {
  if (outcome.kind === 'failed') return `gave no answer to ${what}: ${outcome.reason}`;
  const bodyText = text === '' ? '' : ` and ${JSON.stringify(text.slice(0, 60))}`;
  return `answered ${what} with ${outcome.status}${bodyText}, not with ${expected}`;
}
