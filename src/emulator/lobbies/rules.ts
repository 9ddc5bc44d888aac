import type { StateRule } from '../api/world.ts';

/** Removes users from a lobby's call when they leave the lobby. */
export const endLobbyCalls: StateRule = ({ lobby_voice_states }, commit) => {
  for (const { lobby, user } of commit.of('lobby_members').removed) {
    lobby_voice_states.remove(`${lobby} ${user}`);
  }
};

/** Removes the lobbies of a removed application. */
export const dropLobbiesOfApplications: StateRule = ({ lobbies }, commit, restoring) => {
  if (restoring) return;
  for (const { id: application } of commit.of('applications').removed) {
    for (const { id } of [...lobbies.by('application', application)]) lobbies.remove(id);
  }
};
