import { CLIENT_CREDENTIALS } from '../grants.ts';
import type { StoredFamily } from '../tokens.ts';
import type { StoredState } from './state.ts';

/**
 * Families with who allowed them in the user's place. Release 0.1.0 did not write that down: a family whose only record is of
 * what an application was given for its secret is one of those.
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
