import type { AuthorizeOptions } from './authorize-options.ts';
import type { OAuth2Context } from './context.ts';
import { decide } from './decision.ts';

/**
 * Obtains a decision about an access token that a deputy allowed, before it is used in the user's client: from the policy,
 * from an earlier grant of the user to the same application over the same transport, or from the user. Any other token,
 * including an unknown or expiring one, needs none.
 * @throws OAuth2Error `access_denied`.
 */
export async function confirm(
  context: OAuth2Context,
  accessToken: string,
  { peer, signal }: Pick<AuthorizeOptions, 'peer' | 'signal'>,
): Promise<void> {
  const family = context.tokens.find(accessToken)?.family;
  const known = family && context.application(family.clientId);
  if (family?.deputy === undefined || known === undefined) return;
  const { userId, scopes } = family;
  const isAlive = (): boolean => context.tokens.find(accessToken) !== undefined;
  const decision = context.questions.during(isAlive, signal, (withdrawn) =>
    decide(context, known, { userId, scopes, prompt: 'none', peer, signal: withdrawn }),
  );
  try {
    await (await decision).save();
  } catch (error) {
    // The token has ended meanwhile. The caller's own check detects that, so this error is not needed.
    if (isAlive() || signal.aborted) throw error;
  }
}
