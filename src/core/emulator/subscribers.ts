import { isSameJson } from '../../emulator/kernel/same-json.ts';
import type { EventName } from '../../protocol/registry.ts';
import type { AppSession } from './app-session.ts';

/** The apps subscribed to each event, with the arguments of their subscriptions. */
export class Subscribers {
  readonly #byEvent = new Map<EventName, Map<AppSession, readonly unknown[]>>();

  /** Whether any app is subscribed to an event. */
  has(event: EventName): boolean {
    return this.#byEvent.has(event);
  }

  /** The apps subscribed to an event. */
  of(event: EventName): readonly AppSession[] {
    return [...(this.#byEvent.get(event)?.keys() ?? [])];
  }

  /** The apps whose subscription to an event names the channel by its id. */
  naming(event: EventName, channelId: string): readonly AppSession[] {
    const names = (args: unknown) =>
      (args as { readonly channel_id?: string | null }).channel_id === channelId;
    return [...(this.#byEvent.get(event) ?? [])].flatMap(([session, all]) =>
      all.some(names) ? [session] : [],
    );
  }

  add(session: AppSession, event: EventName, args: unknown): void {
    const sessions = this.#byEvent.get(event) ?? new Map<AppSession, readonly unknown[]>();
    this.#byEvent.set(event, sessions.set(session, [...(sessions.get(session) ?? []), args]));
  }

  remove(session: AppSession, event: EventName, args: unknown): void {
    const left = this.#byEvent
      .get(event)
      ?.get(session)
      ?.filter((one) => !isSameJson(one, args));
    if (left === undefined) return;
    if (left.length > 0) this.#byEvent.get(event)?.set(session, left);
    else this.#forget(session, event);
  }

  /** Removes the subscriptions of an app that has disconnected. */
  drop(session: AppSession): void {
    for (const event of this.#byEvent.keys()) this.#forget(session, event);
  }

  #forget(session: AppSession, event: EventName): void {
    const sessions = this.#byEvent.get(event);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#byEvent.delete(event);
  }
}
