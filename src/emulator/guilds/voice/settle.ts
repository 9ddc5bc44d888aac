import type { Committed, Reading, StateRule, Writing } from '../../api/world.ts';
import { channelsTouched } from '../channels/access.ts';
import { lookUpChannel } from '../channels/channels.ts';
import { hasVoice } from '../channels/records.ts';
import { isIn } from '../members/membership.ts';
import type { VoiceState } from './records.ts';

/**
 * No person talks in a channel they cannot see, nobody speaks while muted, and the logged-in user's own mute and deafen
 * are those of the voice settings. An account that is no longer in use hangs up.
 */
export const settleVoice: StateRule = (tables, commit, restoring) => {
  if (!restoring) hangUpThePrevious(tables, commit);
  for (const user of concerned(tables, commit)) {
    const state = tables.voice_states.get(user);
    if (state === undefined) continue;
    if (!mayStay(tables, state)) tables.voice_states.remove(user);
    else
      settle(
        tables,
        commit.was('voice_states', user)?.channel === state.channel ? state : asHeld(tables, state),
      );
  }
};

/** Whoever's voice state something has changed about. */
function concerned(tables: Reading, commit: Committed): Set<string> {
  const { created, updated } = commit.of('voice_states');
  const users = [...created, ...updated.map(({ after }) => after)].map(({ user }) => user);
  for (const id of channelsTouched(commit, tables, tables.me.value)) {
    for (const { user } of tables.voice_states.by('channel', id)) users.push(user);
  }
  for (const { user } of [...commit.of('members').removed, ...commit.of('departures').created])
    users.push(user);
  for (const { after } of commit.of('members').updated) users.push(after.user);
  if (commit.touches('voice', 'me', 'client')) users.push(tables.me.value);
  return new Set(users);
}

/** Whoever comes into a channel is as silent, and as deaf, as moderators of the guild made them. */
function asHeld(tables: Writing, state: VoiceState): VoiceState {
  const guild = tables.channels.get(state.channel)?.guild;
  const member = guild === undefined ? undefined : tables.members.get(guild, state.user);
  const [mute, deaf] = [state.mute || member?.mute === true, state.deaf || member?.deaf === true];
  if (mute === state.mute && deaf === state.deaf) return state;
  return tables.voice_states.update(state.user, { mute, deaf });
}

function hangUpThePrevious(tables: Writing, commit: Committed): void {
  const previous = commit.was('me');
  if (previous === undefined || previous === tables.me.value) return;
  const channel = commit.was('voice_states', previous)?.channel;
  // One that was put elsewhere at the same time is there on its own account.
  if (channel !== undefined && tables.voice_states.get(previous)?.channel === channel) {
    tables.voice_states.remove(previous);
  }
}

function mayStay(tables: Reading, { user, channel }: VoiceState): boolean {
  if (user === tables.me.value && !tables.client.value.logged_in) return false;
  // A bot stays connected where it may no longer look, and has the channel in view as long as it is.
  if (tables.users.get(user)?.bot === true) {
    const place = tables.channels.get(channel);
    return place !== undefined && hasVoice(place) && isIn(tables, place.guild, user);
  }
  const found = lookUpChannel(tables, channel, user);
  return found.kind === 'found' && hasVoice(found.channel);
}

function settle(tables: Writing, state: VoiceState): void {
  const settings = state.user === tables.me.value ? tables.voice.value : undefined;
  const self_mute = settings?.mute ?? state.self_mute;
  const self_deaf = settings?.deaf ?? state.self_deaf;
  const speaking = state.speaking && !(state.mute || state.suppress || self_mute);
  if (self_mute !== state.self_mute || self_deaf !== state.self_deaf || speaking !== state.speaking) {
    tables.voice_states.update(state.user, { self_mute, self_deaf, speaking });
  }
}
