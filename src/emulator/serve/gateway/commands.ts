import type * as z from 'zod';
import type { Base, Reading } from '../../api/world.ts';
import { mayView } from '../../guilds/channels/access.ts';
import { hasVoice } from '../../guilds/channels/records.ts';
import { isIn } from '../../guilds/members/membership.ts';
import type { Guild } from '../../guilds/records.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { HasLog } from '../../kernel/log.ts';
import { NoRoomError } from '../../kernel/state/room.ts';
import { Opcode } from './codes.ts';
import { channelInfoEvent, type channelInfoShape, soundboardSounds } from './dispatches.ts';
import { shardOf } from './hub.ts';
import { type MemberRequests, soundsOf } from './member-requests.ts';
import { commands, type Payload, readData } from './payload.ts';
import type { Session } from './session.ts';
import { changeCall } from './session-call.ts';
import { changeVoiceState, setPresence } from './session-state.ts';

/** Services that the commands use. */
type Needs = Base & HasLog;

/** Services for commands. */
export interface Serving {
  readonly platform: Needs;
  readonly clock: Clock;
  readonly members: MemberRequests;
}

/**
 * Executes a command of a session. One that is not permitted gets no reply, as on the platform; the log has the reason.
 * @throws GatewayFault
 */
export function obey(session: Session, payload: Payload, serving: Serving): void {
  unlessFull(session, payload.op, serving.platform, () => obeyed(session, payload, serving));
}

/** Executes the task of an opcode. When memory is exhausted, the command is ignored and logged. */
export function unlessFull(session: Session, op: number, platform: Needs, task: () => void): void {
  try {
    task();
  } catch (error) {
    if (!(error instanceof NoRoomError)) throw error;
    ignore(session, op, error.message, platform);
  }
}

function obeyed(session: Session, { op, d }: Payload, serving: Serving): void {
  const { platform, clock, members } = serving;
  switch (op) {
    case Opcode.PRESENCE_UPDATE:
      return setPresence(session, readData(commands.presence, d), platform, clock.now());
    case Opcode.VOICE_STATE_UPDATE: {
      if (session.listener.kind === 'bearer') {
        const why = changeCall(session, readData(commands.callState, d), platform);
        if (why !== undefined) ignore(session, op, why, platform);
        return;
      }
      const voiceState = readData(commands.voiceState, d);
      const guild = guildOf(session, voiceState.guild_id, op, platform);
      const why = guild && changeVoiceState(session.listener.user, guild, voiceState, platform, clock.now());
      if (why !== undefined) ignore(session, op, why, platform);
      return;
    }
    case Opcode.REQUEST_GUILD_MEMBERS: {
      const request = readData(commands.requestMembers, d);
      const guild = guildOf(session, request.guild_id, op, platform);
      const why = guild && members.answer(session, guild, request);
      if (why !== undefined) ignore(session, op, why, platform);
      return;
    }
    case Opcode.REQUEST_SOUNDBOARD_SOUNDS:
      for (const id of new Set(readData(commands.requestSounds, d).guild_ids)) {
        const guild = guildOf(session, id, op, platform);
        if (guild !== undefined) {
          session.take(soundboardSounds.event, JSON.stringify(soundsOf(platform.world.tables, guild)));
        }
      }
      return;
    case Opcode.REQUEST_CHANNEL_INFO: {
      const infoRequest = readData(commands.requestChannelInfo, d);
      const guild = guildOf(session, infoRequest.guild_id, op, platform);
      if (guild === undefined) return;
      const info = channelInfo(platform.world.tables, guild, session.listener.user, infoRequest);
      session.take(channelInfoEvent.event, JSON.stringify(info));
      return;
    }
  }
}

/** A guild that belongs to the session's shard and has the session's bot as a member. */
function guildOf(session: Session, id: string, op: number, platform: Needs): Guild | undefined {
  const { tables } = platform.world;
  const { kind, user, shard } = session.listener;
  const guild = tables.guilds.get(id);
  if (kind === 'bot' && guild !== undefined && isIn(tables, id, user) && shardOf(id, shard[1]) === shard[0]) {
    return guild;
  }
  ignore(session, op, `guild ${id} is not a guild of the bot on this shard`, platform);
  return undefined;
}

function ignore({ listener }: Session, op: number, why: string, { log }: Needs): void {
  log.warn(`the gateway left opcode ${op} of application ${listener.application.id} unanswered: ${why}`);
}

/** The only channel type that has a status; stage channels have none. */
const VOICE = 2;

/** The requested fields of the voice channels that a user can view. */
function channelInfo(
  tables: Reading,
  guild: Guild,
  user: string,
  { fields, nonce }: z.output<typeof commands.requestChannelInfo>,
): z.output<typeof channelInfoShape> {
  const isRequested = (field: string): boolean => fields.includes(field);
  return {
    guild_id: guild.id,
    channels: [...tables.channels.by('guild', guild.id)]
      .filter((channel) => hasVoice(channel) && mayView(tables, channel, user))
      .map(({ id, type, status, voice_start_time: start }) => ({
        id,
        ...(isRequested('status') && type === VOICE ? { status: status ?? null } : {}),
        ...(isRequested('voice_start_time')
          ? { voice_start_time: start === undefined ? null : Math.floor(Date.parse(start) / 1000) }
          : {}),
      }))
      .filter((channel) => Object.keys(channel).length > 1),
    ...(typeof nonce === 'string' ? { nonce } : {}),
  };
}
