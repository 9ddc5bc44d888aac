import type { Derivation } from '../api/world.ts';

/** The end of the account in use: another one is logged in, or none is. */
export const accountEnds: Derivation<'switched' | 'logged-out'> = {
  tables: ['me', 'client'],
  derive(commit) {
    if (commit.touches('me')) return ['switched'];
    const [changed] = commit.of('client').updated;
    return changed?.before.logged_in && !changed.after.logged_in ? ['logged-out'] : [];
  },
};
