import type { Change } from '../../emulator/change.ts';
import type { Relationship } from '../../emulator/fixture/records.ts';
import type { Shared } from './app-session.ts';
import { tellOwnView } from './events-voice.ts';
import { ownMember, rpcRelationship, rpcUser } from './shapes.ts';

/** Turns a change about users into events. */
export function tellPeople(change: Change, shared: Shared): void {
  const { emulator, host, sessions } = shared;
  switch (change.type) {
    case 'user-updated': {
      const { user } = change;
      if (user.id === emulator.me().id) {
        for (const { id, seesPremium } of sessions.values()) {
          host.emit('CURRENT_USER_UPDATE', rpcUser(user, seesPremium), { sessionId: id });
        }
      }
      const relationship = emulator.people.relationship(user.id);
      if (relationship !== undefined) tellRelationship(relationship, shared);
      return tellOwnView(user.id, shared);
    }
    case 'member-updated': {
      const { guildId, member } = change;
      if (member.user === emulator.me().id) {
        host.emit('CURRENT_GUILD_MEMBER_UPDATE', ownMember(emulator, guildId), {
          filter: { guild_id: guildId },
        });
      }
      const talksIn = emulator.calls.of(member.user)?.channel;
      const found = talksIn === undefined ? undefined : emulator.channel(talksIn);
      if (found?.kind === 'found' && found.channel.guild_id === guildId) tellOwnView(member.user, shared);
      return;
    }
    case 'relationship-updated':
      return tellRelationship(change.relationship, shared);
    default:
      return;
  }
}

/** Each app sees of the presence what concerns its own application. */
function tellRelationship(relationship: Relationship, { emulator, host, sessions }: Shared): void {
  for (const { id, clientId } of sessions.values()) {
    const data = rpcRelationship(emulator, relationship, clientId);
    if (data !== undefined) host.emit('RELATIONSHIP_UPDATE', data, { sessionId: id });
  }
}
