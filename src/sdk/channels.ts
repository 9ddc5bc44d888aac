import { BoundedMap } from './bounded-map.ts';
import { ChannelType } from './enums.ts';
import { ChannelHandle } from './handles.ts';
import type { Lobbies } from './lobbies.ts';
import { idOf, objectsOf, type Raw, text } from './raw.ts';

/** Maximum number of stored private channels; the oldest are evicted. */
const MAX_CHANNELS = 10_000;

/** The private channels that this client has received, and the player's lobbies, which are channels too. */
export class Channels {
  readonly #lobbies: Lobbies;
  readonly #byId = new BoundedMap<Raw>(MAX_CHANNELS);

  constructor(lobbies: Lobbies) {
    this.#lobbies = lobbies;
  }

  get(id: bigint): ChannelHandle | undefined {
    const channel = this.#byId.get(String(id));
    if (channel !== undefined) return new ChannelHandle(channel);
    if (!this.#lobbies.has(id)) return undefined;
    return new ChannelHandle({ id: String(id), type: ChannelType.Lobby });
  }

  /**
   * Returns the other user of a private channel of two users; undefined when the client has not received the channel.
   */
  otherIn(id: string): string | undefined {
    const [other, ...more] = objectsOf(this.#byId.get(id)?.['recipients']);
    return more.length > 0 ? undefined : text(other?.['id']) || undefined;
  }

  /** Adds the channel of a direct message, unless it is stored already. */
  met(id: string, other: string, type: number): void {
    if (idOf(id) === 0n || this.#byId.has(id)) return;
    this.#byId.set(id, { id, type, recipients: [{ id: other }] });
  }

  forget(): void {
    this.#byId.clear();
  }

  /** Handles the gateway's events of private channels. */
  handleEvent(event: string, data: Raw): void {
    const id = text(data['id']);
    if (event === 'CHANNEL_DELETE') this.#byId.delete(id);
    if (event !== 'CHANNEL_CREATE' && event !== 'CHANNEL_UPDATE') return;
    if (idOf(id) !== 0n && Array.isArray(data['recipients'])) this.#byId.set(id, data);
  }
}
