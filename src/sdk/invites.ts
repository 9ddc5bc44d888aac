import { ActivityInvite } from './activity-invite.ts';
import type { Callbacks } from './callbacks.ts';
import { idOf, member, objectsOf, text } from './raw.ts';
import type { Raw } from './service.ts';

/** Invites that are remembered; the oldest make room. */
const MOST_KEPT = 256;

/** The invites that reached the player: by the chat client, by the service, or by both, which is told once. */
export class Invites {
  readonly #callbacks: Callbacks;
  readonly #byMessage = new Map<bigint, ActivityInvite>();

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks;
  }

  take(invite: ActivityInvite): void {
    const id = invite.MessageId();
    if (id !== 0n && this.#byMessage.has(id)) return;
    this.#byMessage.set(id, invite);
    if (this.#byMessage.size > MOST_KEPT) this.#byMessage.delete(this.#byMessage.keys().next().value ?? 0n);
    this.#callbacks.tell('SetActivityInviteCreatedCallback', new ActivityInvite(invite));
  }

  forget(): void {
    this.#byMessage.clear();
  }

  /** Takes what somebody shows: who is no longer in the party cannot be joined there, until they are again. */
  hear(event: string, presence: Raw): void {
    if (event !== 'PRESENCE_UPDATE') return;
    const sender = idOf(member(presence['user'], 'id'));
    const shown = text(presence['status']) === 'offline' ? [] : objectsOf(presence['activities']);
    for (const [id, invite] of this.#byMessage) {
      if (invite.SenderId() !== sender || invite.PartyId() === '') continue;
      const isThere = shown.some(
        (activity) =>
          idOf(activity['application_id']) === invite.ApplicationId() &&
          text(member(activity['party'], 'id')) === invite.PartyId(),
      );
      if (isThere === invite.IsValid()) continue;
      const changed = new ActivityInvite(invite);
      changed.SetIsValid(isThere);
      this.#byMessage.set(id, changed);
      this.#callbacks.tell('SetActivityInviteUpdatedCallback', new ActivityInvite(changed));
    }
  }
}
