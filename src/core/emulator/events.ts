import type { Change } from '../../emulator/change.ts';
import type { Emulator } from '../../emulator/emulator.ts';
import type { Guild } from '../../emulator/fixture/fixture.ts';
import type { EventArgsOf, EventDataOf, EventName } from '../../protocol/registry.ts';
import { CloseCode } from '../../wire/codes.ts';
import type { CoreHost } from '../core.ts';
import type { HeldToken } from './authorization.ts';
import { partialGuild, rpcUser } from './shapes.ts';
import { requireGuild } from './state.ts';

/** What the events need to know of a session. */
export interface SessionView {
  readonly id: string;
  /** What AUTHENTICATE established, if it has. */
  token(): HeldToken | undefined;
}

type Replays = { readonly [E in EventName]?: (args: EventArgsOf<E>) => readonly EventDataOf<E>[] };

/** Current values of the state-type events, dispatched right after SUBSCRIBE. */
export function currentValues(
  emulator: Emulator,
  session: SessionView,
  event: EventName,
  args: unknown,
): readonly unknown[] {
  const replays: Replays = {
    CURRENT_USER_UPDATE: () => [rpcUser(emulator.me(), seesPremium(session))],
    GUILD_STATUS: ({ guild_id }) => [guildStatus(requireGuild(emulator, guild_id))],
    VOICE_SETTINGS_UPDATE: () => [
      structuredClone(emulator.voiceSettings()) as EventDataOf<'VOICE_SETTINGS_UPDATE'>,
    ],
  };
  const replay = replays[event] as ((args: unknown) => readonly unknown[]) | undefined;
  return replay?.(args) ?? [];
}

/** Turns a change of the emulator into events and closed sessions. */
export function tellSessions(
  change: Change,
  emulator: Emulator,
  host: CoreHost,
  sessions: Iterable<SessionView>,
): void {
  switch (change.type) {
    case 'user-updated':
      if (change.user.id !== emulator.me().id) return;
      for (const session of sessions) {
        const user = rpcUser(change.user, seesPremium(session));
        host.emit('CURRENT_USER_UPDATE', user, { sessionId: session.id });
      }
      return;
    case 'guild-updated':
      host.emit('GUILD_STATUS', guildStatus(change.guild), { filter: { guild_id: change.guild.id } });
      return;
    case 'voice-settings-updated':
      host.emit(
        'VOICE_SETTINGS_UPDATE',
        structuredClone(change.settings) as EventDataOf<'VOICE_SETTINGS_UPDATE'>,
      );
      return;
    case 'voice-channel-selected':
      host.emit('VOICE_CHANNEL_SELECT', { channel_id: change.channelId, guild_id: change.guildId });
      return;
    case 'me-changed':
      host.closeSessions({}, CloseCode.NORMAL, 'User logout');
      return;
    case 'tokens-revoked':
      for (const session of sessions) {
        const token = session.token();
        if (token === undefined || !change.tokenIds.includes(token.tokenId)) continue;
        host.closeSessions({ sessionId: session.id }, CloseCode.TOKEN_REVOKED, 'Token revoked');
      }
      return;
    default:
      return;
  }
}

function guildStatus(guild: Guild): EventDataOf<'GUILD_STATUS'> {
  return { guild: partialGuild(guild), online: 0 };
}

function seesPremium(session: SessionView): boolean {
  return session.token()?.scopes.includes('identify.premium') ?? false;
}
