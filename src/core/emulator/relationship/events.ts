import type { Change } from '../../../emulator/compose/change.ts';
import type { Relationship } from '../../../emulator/users/relationships/records.ts';
import type { Shared } from '../app-session.ts';
import { rpcRelationship } from './shapes.ts';

/** Turns a change of a relationship, or of the user it is with or their presence, into events. */
export function tellRelationships(change: Change, shared: Shared): void {
  switch (change.type) {
    case 'user-updated': {
      const relationship = shared.emulator.people.relationship(change.user.id);
      if (relationship !== undefined) tellRelationship(relationship, shared);
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
