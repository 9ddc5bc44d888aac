import { ActivityInvite } from './activity-invite.ts';
import type { Callbacks } from './callbacks.ts';
import { idOf, member, objectsOf, type Raw, text } from './raw.ts';

/** Maximum number of stored invites; the oldest are evicted. */
const MAX_INVITES = 256;

/** Invites to the player from the chat client and the service. An invite that arrives from both is reported once. */
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
    if (this.#byMessage.size > MAX_INVITES) this.#byMessage.delete(this.#byMessage.keys().next().value ?? 0n);
    this.#callbacks.notify('SetActivityInviteCreatedCallback', new ActivityInvite(invite));
  }

  forget(): void {
    this.#byMessage.clear();
  }

  /**
   * Handles a presence. An invite is invalid while its sender is not in the party, and valid again when the sender
   * returns.
   */
  handleEvent(event: string, presence: Raw): void {
    if (event !== 'PRESENCE_UPDATE') return;
    const sender = idOf(member(presence['user'], 'id'));
    const activities = text(presence['status']) === 'offline' ? [] : objectsOf(presence['activities']);
    for (const [id, invite] of this.#byMessage) {
      if (invite.SenderId() !== sender || invite.PartyId() === '') continue;
      const isThere = activities.some(
        (activity) =>
          idOf(activity['application_id']) === invite.ApplicationId() &&
          text(member(activity['party'], 'id')) === invite.PartyId(),
      );
      if (isThere === invite.IsValid()) continue;
      const changed = new ActivityInvite(invite);
      changed.SetIsValid(isThere);
      this.#byMessage.set(id, changed);
      this.#callbacks.notify('SetActivityInviteUpdatedCallback', new ActivityInvite(changed));
    }
  }
}
