import type { StateRule } from '../api/world.ts';

/** The lobbies of an application go with it: nobody else could look after them. */
export const dropLobbiesOfApplications: StateRule = ({ lobbies }, commit, restoring) => {
  if (restoring) return;
  for (const { id: application } of commit.of('applications').removed) {
    for (const { id } of [...lobbies.by('application', application)]) lobbies.remove(id);
  }
};
