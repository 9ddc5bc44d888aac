import { inviteOf } from './activity-invite.ts';
import type { CallbackName, Callbacks } from './callbacks.ts';
import type { ChatEvent, ChatLink } from './chat-link.ts';
import type { Invites } from './invites.ts';
import { idOf, member, text } from './raw.ts';
import { VoiceSettings } from './voice-settings.ts';

/** Parts of the client that the chat client's events need. */
export interface ChatEventsHost {
  readonly applicationId: bigint;
  readonly callbacks: Callbacks;
  readonly chat: Pick<ChatLink, 'want' | 'isForeign'>;
  readonly player: { readonly invites: Invites };
}

/** Events of the chat client behind each callback. */
const EVENTS: { readonly [Name in CallbackName]?: readonly Exclude<ChatEvent, 'AUTHORIZE_REQUEST'>[] } = {
  SetActivityInviteCreatedCallback: ['ACTIVITY_INVITE', 'ACTIVITY_JOIN_REQUEST'],
  SetActivityJoinCallback: ['ACTIVITY_JOIN'],
  SetActivityJoinWithApplicationCallback: ['ACTIVITY_JOIN'],
  SetVoiceSettingsUpdatedCallback: ['VOICE_SETTINGS_UPDATE'],
};

/**
 * Follows the callbacks: subscribes to exactly those events of the chat client for which the game has set a callback.
 * Call it after a callback was set or removed.
 */
export function followEvents(host: ChatEventsHost, name: CallbackName): void {
  for (const event of EVENTS[name] ?? []) {
    const isWanted = Object.entries(EVENTS).some(
      ([other, events]) => events.includes(event) && host.callbacks.has(other as CallbackName),
    );
    host.chat.want(event, isWanted ? (data) => HANDLERS[event](host, data) : undefined);
  }
}

const HANDLERS = {
  ACTIVITY_INVITE: takeInvite,
  ACTIVITY_JOIN_REQUEST: takeInvite,
  ACTIVITY_JOIN: takeJoin,
  VOICE_SETTINGS_UPDATE: ({ callbacks }: ChatEventsHost, data: object) =>
    callbacks.notify('SetVoiceSettingsUpdatedCallback', new VoiceSettings(data ?? {})),
};

function takeInvite({ chat, player }: ChatEventsHost, data: object): void {
  if (!chat.isForeign) player.invites.take(inviteOf(data ?? {}));
}

function takeJoin({ applicationId, callbacks, chat }: ChatEventsHost, data: object): void {
  if (chat.isForeign) return;
  const secret = text(member(data, 'secret'));
  callbacks.notify('SetActivityJoinCallback', secret);
  const id = idOf(member(data, 'application_id'));
  callbacks.notify('SetActivityJoinWithApplicationCallback', id === 0n ? applicationId : id, secret);
}
