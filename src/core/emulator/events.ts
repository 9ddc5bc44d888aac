import type { Change } from '../../emulator/compose/change.ts';
import { tellInvites } from './activity/events.ts';
import type { Shared } from './app-session.ts';
import { tellRevoked } from './authorization/events.ts';
import { tellEmbedded } from './embedded/events.ts';
import { tellGuilds } from './guild/events.ts';
import { tellMessages } from './guild/message-events.ts';
import { tellOverlay } from './overlay/overlay.ts';
import { tellRelationships } from './relationship/events.ts';
import { tellStore } from './store/events.ts';
import { tellUser } from './user/events.ts';
import { tellVideo } from './video.ts';
import { tellVoice } from './voice/events.ts';

/** One for each domain, in the order in which a change that concerns several is told. */
const tellers = [
  tellUser,
  tellRevoked,
  tellGuilds,
  tellMessages,
  tellStore,
  tellOverlay,
  tellVideo,
  tellEmbedded,
  tellRelationships,
  tellVoice,
  tellInvites,
];

/** Turns a change of the emulator into events and closed sessions. */
export function tellSessions(change: Change, shared: Shared): void {
  for (const tell of tellers) tell(change, shared);
}
