import type { AuthorizeOptions } from './authorize-options.ts';
import type { OAuth2Context } from './context.ts';
import { decide } from './decision.ts';

/**
 * Has an access token decided about that somebody allowed in the user's place, before it opens the user's client: by the
 * policy, by what the user once allowed the same application over the same transport, or by the user. About any other token,
 * also one that nobody knows or that ends meanwhile, nothing is asked.
 * @throws OAuth2Error `access_denied`.
 */
export async function confirm(
  context: OAuth2Context,
  accessToken: string,
  { peer, signal }: Pick<AuthorizeOptions, 'peer' | 'signal'>,
): Promise<void> {
  const family = context.vault.find(accessToken)?.family;
  const known = family && context.application(family.clientId);
  if (family?.deputy === undefined || known === undefined) return;
  const { userId, scopes } = family;
  const isAlive = (): boolean => context.vault.find(accessToken) !== undefined;
  const asked = context.questions.during(isAlive, signal, (withdrawn) =>
    decide(context, known, { userId, scopes, prompt: 'none', peer, signal: withdrawn }),
  );
  try {
    if ((await asked).isNews) await context.persist();
  } catch (error) {
    // Whoever looks at the token finds that it is not good.
    if (isAlive() || signal.aborted) throw error;
  }
}
