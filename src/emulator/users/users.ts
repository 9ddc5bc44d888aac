import type { Derivation } from '../api/world.ts';

/** The logged-in account changes: another account logs in, or the account logs out. */
export const accountEnds: Derivation<'switched' | 'logged-out'> = {
  tables: ['me', 'client'],
  derive(commit) {
    if (commit.touches('me')) return ['switched'];
    const [changed] = commit.of('client').updated;
    return changed?.before.logged_in && !changed.after.logged_in ? ['logged-out'] : [];
  },
};
