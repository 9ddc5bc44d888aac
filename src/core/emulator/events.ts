import { invitedEvents, joinRequestEvents } from './activity/events.ts';
import { clientEvents, participantsEvents } from './embedded/events.ts';
import { channelEvents, guildEvents, memberEvents } from './guild/events.ts';
import { messageEvents } from './guild/message-events.ts';
import { overlayEvents } from './overlay/overlay.ts';
import { relationshipEvents } from './relationship/events.ts';
import type { CommitEvents, SignalEvents } from './rpc-event.ts';
import { entitlementEvents } from './store/events.ts';
import { userEvents } from './user/events.ts';
import { videoEvents } from './video.ts';
import {
  applicationVoiceEvents,
  callEvents,
  connectionEvents,
  playbackEvents,
  voiceSettingsEvents,
} from './voice/events.ts';

/** Declarations of the events that follow from commits, in the order in which the events of one commit are sent. */
export const commitEvents: readonly CommitEvents[] = [
  userEvents,
  guildEvents,
  channelEvents,
  voiceSettingsEvents,
  callEvents,
  playbackEvents,
  applicationVoiceEvents,
  memberEvents,
  messageEvents,
  relationshipEvents,
  entitlementEvents,
  participantsEvents,
  overlayEvents,
  videoEvents,
  clientEvents,
];

/** Events derived from signals. */
export const signalEvents: readonly SignalEvents[] = [connectionEvents, invitedEvents, joinRequestEvents];
