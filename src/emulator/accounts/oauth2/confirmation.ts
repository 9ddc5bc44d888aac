import type { AuthorizeContext } from './authorize.ts';
import type { AuthorizeOptions } from './authorize-options.ts';
import { decide } from './decision.ts';

/**
 * Has an access token decided about that somebody allowed in the user's place, before it opens the user's client: by the
 * policy, by what the user once allowed the same application over the same transport, or by the user. About any other token,
 * also one that nobody knows, nothing is asked.
 * @throws OAuth2Error `access_denied`.
 */
export async function confirm(
  context: AuthorizeContext,
  accessToken: string,
  { peer, signal }: Pick<AuthorizeOptions, 'peer' | 'signal'>,
): Promise<void> {
  const family = context.vault.find(accessToken)?.family;
  const known = family && context.application(family.clientId);
  if (family?.deputy === undefined || known === undefined) return;
  const { userId, scopes } = family;
  const { isNews } = await decide(context, known, { userId, scopes, prompt: 'none', peer, signal });
  if (isNews) await context.persist();
}
