import type { Committed, Reading, StateRule, Writing } from '../../api/world.ts';
import { channelsTouched } from '../channels/access.ts';
import { findChannel } from '../channels/channels.ts';
import { hasVoice } from '../channels/records.ts';
import { isIn } from '../members/membership.ts';
import type { VoiceState } from './records.ts';

/**
 * State rule that disconnects users from channels that they cannot view, stops muted users from speaking, and copies
 * the logged-in user's own mute and deafen from the voice settings. After a change of the account, the previous account
 * is disconnected.
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

/** Users whose voice state may need a change after this transaction. */
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

/** The voice state, with the mute and deafen that moderators of the guild have set for the member. */
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
  // If the previous user was moved to another channel in the same transaction, that call stays connected.
  if (channel !== undefined && tables.voice_states.get(previous)?.channel === channel) {
    tables.voice_states.remove(previous);
  }
}

function mayStay(tables: Reading, { user, channel }: VoiceState): boolean {
  if (user === tables.me.value && !tables.client.value.logged_in) return false;
  // A bot stays connected to a channel that it may no longer view. Meanwhile the channel stays visible to the bot.
  if (tables.users.get(user)?.bot === true) {
    const voiceChannel = tables.channels.get(channel);
    return voiceChannel !== undefined && hasVoice(voiceChannel) && isIn(tables, voiceChannel.guild, user);
  }
  const found = findChannel(tables, channel, user);
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
