import { type Dispatched, defineDispatch, everyBot, type GatewayListener } from '../../api/dispatch.ts';
import type { Base, Committed, Reading } from '../../api/world.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { membersBefore, stays } from '../dispatch-audience.ts';
import { guildChannelAnswer } from './answers.ts';
import { gatewayChannel, gatewayChannelShape, hiddenChannel, hidesChannels } from './gateway-channel.ts';
import { type ChannelRecord, isThread } from './records.ts';
import {
  channelsWithChangedVisibility,
  VISIBILITY_TABLES,
  visibilityBefore,
  visibilityOf,
} from './visibility.ts';

/** Fields whose change emits an event of the channel itself. The other fields have events of their own, or no event. */
function channelFields({
  status: _status,
  voice_start_time: _since,
  deny: _deny,
  ...rest
}: ChannelRecord): object {
  return rest;
}

/** Channels whose payload changed. */
function* changedChannels(commit: Committed, tables: Reading): Generator<string> {
  for (const { before, after } of commit.of('channels').updated) {
    if (!isThread(after) && !isSameJson(channelFields(before), channelFields(after))) yield after.id;
  }
  for (const name of ['role_overwrites', 'user_overwrites'] as const) {
    const { created, updated, removed } = commit.of(name);
    for (const { channel } of [...created, ...updated.map(({ after }) => after), ...removed]) {
      if (tables.channels.has(channel) && commit.was('channels', channel) !== undefined) yield channel;
    }
  }
}

/** Events of channels that changed, or that became visible or invisible. */
function* updates(commit: Committed, platform: Base): Generator<Dispatched> {
  const { tables } = platform.world;
  const changed = new Set(changedChannels(commit, tables));
  const touched = channelsWithChangedVisibility(commit, tables);
  const [now, before] = [visibilityOf(tables), visibilityBefore(commit, tables)];
  const wasMember = membersBefore(commit, tables);
  for (const id of new Set([...changed, ...touched.keys()])) {
    const [channel, was] = [tables.channels.get(id), commit.was('channels', id)];
    if (channel === undefined || was === undefined) continue;
    const isChanged = changed.has(id);
    const whose = touched.get(id);
    const isStubChanged = !isSameJson(hiddenChannel(was), hiddenChannel(channel));
    yield {
      guild: channel.guild,
      canSee: (listener) => {
        const { user } = listener;
        if (listener.kind !== 'bot') return false;
        const hides = hidesChannels(platform, listener);
        // A new member gets no event of a single channel, because that member receives the whole guild.
        if ((!hides && !isChanged) || !wasMember(channel.guild, user)) return false;
        if (!hides) return true;
        const isSeen = now(channel, user);
        if (whose !== undefined && (whose === 'any' || whose.has(user)) && before(was, user) !== isSeen)
          return true;
        return isSeen ? isChanged : isStubChanged;
      },
      data: (listener) => gatewayChannel(platform, channel, listener, now),
      sameFor: (listener) => isHiddenFrom(platform, listener, () => now(channel, listener.user)),
    };
  }
}

function isHiddenFrom(platform: Base, listener: GatewayListener, isSeen: () => boolean): string {
  return hidesChannels(platform, listener) && !isSeen() ? 'hidden' : 'whole';
}

const intents = ['GUILDS'] as const;
const ours =
  'The topic is hidden too, and no other field of a hidden channel is sent; a change outside the visible fields is no event for that session. A session that is open when the day comes receives channels in the new form from then on.';

/** Gateway events of guild channels; threads have their own events. */
export const channelDispatches = [
  defineDispatch({
    event: 'CHANNEL_CREATE',
    summary: 'A channel was created.',
    intents,
    tables: ['channels'],
    shape: gatewayChannelShape,
    *derive(commit, platform) {
      const { tables } = platform.world;
      const visibility = visibilityOf(tables);
      for (const channel of commit.of('channels').created) {
        if (isThread(channel) || !stays(commit, tables, channel.guild)) continue;
        yield {
          guild: channel.guild,
          canSee: everyBot,
          data: (listener) => gatewayChannel(platform, channel, listener, visibility),
          sameFor: (listener) => isHiddenFrom(platform, listener, () => visibility(channel, listener.user)),
        };
      }
    },
  }),
  defineDispatch({
    event: 'CHANNEL_UPDATE',
    summary: 'A channel was changed, or became visible or invisible for a session with hidden channels.',
    intents,
    tables: VISIBILITY_TABLES,
    shape: gatewayChannelShape,
    ours,
    derive: updates,
  }),
  defineDispatch({
    event: 'CHANNEL_DELETE',
    summary: 'A channel was deleted; its threads are deleted with it, without events of their own.',
    intents,
    tables: ['channels'],
    shape: gatewayChannelShape,
    *derive(commit, platform) {
      const { tables } = platform.world;
      const visibility = visibilityBefore(commit, tables);
      for (const channel of commit.of('channels').removed) {
        if (isThread(channel) || !stays(commit, tables, channel.guild)) continue;
        const whole = {
          ...guildChannelAnswer(tables, channel),
          permission_overwrites: overwritesOf(commit, channel),
        };
        yield {
          guild: channel.guild,
          canSee: everyBot,
          data: (listener) =>
            hidesChannels(platform, listener) && !visibility(channel, listener.user)
              ? hiddenChannel(channel)
              : whole,
          sameFor: (listener) => isHiddenFrom(platform, listener, () => visibility(channel, listener.user)),
        };
      }
    },
  }),
];

/** Overwrites of a deleted channel. */
function overwritesOf(commit: Committed, { id }: ChannelRecord) {
  const roles = commit.of('role_overwrites').removed.filter(({ channel }) => channel === id);
  const users = commit.of('user_overwrites').removed.filter(({ channel }) => channel === id);
  return [
    ...roles.map(({ role, allow, deny }) => ({ id: role, type: 0, allow, deny })),
    ...users.map(({ user, allow, deny }) => ({ id: user, type: 1, allow, deny })),
  ];
}
