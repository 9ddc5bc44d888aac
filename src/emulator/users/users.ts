import type { Derivation } from '../api/world.ts';

/** The account stops being in use: another one logs in, or it logs out. */
export const accountEnds: Derivation<'switched' | 'logged-out'> = {
  tables: ['me', 'client'],
  derive(commit) {
    if (commit.touches('me')) return ['switched'];
    const [changed] = commit.of('client').updated;
    return changed?.before.logged_in && !changed.after.logged_in ? ['logged-out'] : [];
  },
};
