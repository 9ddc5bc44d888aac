import { CLIENT_CREDENTIALS } from '../grants.ts';
import type { StoredFamily } from '../tokens.ts';
import type { StoredState } from './state.ts';

/**
 * Adds the deputy to token families that release 0.1.0 saved without one. If all matching grants of a family were given
 * for the application's secret, the secret is the family's deputy.
 */
export function withDeputies({ grants, tokens }: StoredState): readonly StoredFamily[] {
  return tokens.map((family) => {
    if (family.deputy !== undefined) return family;
    const records = grants.filter(
      ({ userId, clientId, scopes }) =>
        userId === family.userId &&
        clientId === family.clientId &&
        family.scopes.every((scope) => scopes.includes(scope)),
    );
    const isBySecret =
      records.length > 0 &&
      records.every(
        ({ transport, decidedBy }) => transport === CLIENT_CREDENTIALS && decidedBy.kind === 'secret',
      );
    return isBySecret ? { ...family, deputy: 'secret' } : family;
  });
}
