import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { CoreHandlers } from '../../core.ts';
import type { AppSession } from '../app-session.ts';
import { rpcRelationship } from './shapes.ts';

/** The command on relationships. */
export function relationshipHandlers(emulator: Emulator, session: AppSession): CoreHandlers {
  return {
    GET_RELATIONSHIPS: () => ({
      relationships: emulator.accounts
        .relationships()
        .flatMap((relationship) => rpcRelationship(emulator, relationship, session.clientId) ?? []),
    }),
  };
}
