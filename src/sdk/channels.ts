import { BoundedMap } from './bounded-map.ts';
import { ChannelType } from './enums.ts';
import type { Lobbies } from './lobbies.ts';
import { idOf, numberOf, objectsOf, oneIn, text } from './raw.ts';
import type { Raw } from './service.ts';
import { NamedHandle } from './told-handle.ts';

/** Private channels that are remembered; the oldest make room. */
const MOST_KEPT = 10_000;

/** Where messages are written, as was told; it does not change later. Of private channels a group alone may have a name. */
export class ChannelHandle extends NamedHandle {
  Type(): ChannelType {
    return oneIn(ChannelType, numberOf(this.told['type'])) ?? ChannelType.Dm;
  }

  /** The others in a private channel; nobody for a lobby. */
  Recipients(): bigint[] {
    return objectsOf(this.told['recipients']).map(({ id }) => idOf(id));
  }
}

/** The private channels that this client has seen, and its lobbies, which are channels as well. */
export class Channels {
  readonly #lobbies: Lobbies;
  readonly #byId = new BoundedMap<Raw>(MOST_KEPT);

  constructor(lobbies: Lobbies) {
    this.#lobbies = lobbies;
  }

  get(id: bigint): ChannelHandle | undefined {
    const channel = this.#byId.get(String(id));
    if (channel !== undefined) return new ChannelHandle(channel);
    if (!this.#lobbies.has(id)) return undefined;
    return new ChannelHandle({ id: String(id), type: ChannelType.Lobby });
  }

  /** The other one of a private channel of two, if it was seen. */
  otherIn(id: string): string | undefined {
    const [other, ...more] = objectsOf(this.#byId.get(id)?.['recipients']);
    return more.length > 0 ? undefined : text(other?.['id']) || undefined;
  }

  /** A message of two tells of their channel, unless it was told of before. */
  met(id: string, other: string, type: number): void {
    if (idOf(id) === 0n || this.#byId.has(id)) return;
    this.#byId.set(id, { id, type, recipients: [{ id: other }] });
  }

  forget(): void {
    this.#byId.clear();
  }

  /** Takes what the gateway says of private channels. */
  hear(event: string, data: Raw): void {
    const id = text(data['id']);
    if (event === 'CHANNEL_DELETE') this.#byId.delete(id);
    if (event !== 'CHANNEL_CREATE' && event !== 'CHANNEL_UPDATE') return;
    if (idOf(id) !== 0n && Array.isArray(data['recipients'])) this.#byId.set(id, data);
  }
}
