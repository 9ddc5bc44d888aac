import type { StateRule } from '../api/world.ts';

/** Removes the lobbies of a removed application. */
export const dropLobbiesOfApplications: StateRule = ({ lobbies }, commit, restoring) => {
  if (restoring) return;
  for (const { id: application } of commit.of('applications').removed) {
    for (const { id } of [...lobbies.by('application', application)]) lobbies.remove(id);
  }
};
