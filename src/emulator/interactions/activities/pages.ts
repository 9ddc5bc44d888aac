import { randomBytes } from 'node:crypto';
import type { Clock, MachineClock } from '../../kernel/clock.ts';
import { digest } from '../../kernel/secrets.ts';
import { type ActivityInstance, locationId } from './records.ts';

/** Lifetime of a page URL (ms). */
const ADDRESS_MS = 10 * 60_000;
/** Time that a page may be absent, for example during a reload, before its user leaves the instance (ms). */
const AWAY_MS = 5_000;
/** Maximum number of stored keys; a further key drops the oldest one. */
const MAX_KEYS = 256;

/** User and instance: a key lets its holder open a page of the instance as this user. */
interface Participation {
  readonly instance: string;
  readonly user: string;
}

interface Key extends Participation {
  /** Expiry of the key on the monotonic clock of the machine (ms). */
  readonly expires: number;
}

/** An open host page. */
export interface HostPage extends Participation {
  readonly application: string;
  /** Id that the frame sends in its handshake. */
  readonly frame: string;
  /** Query of the frame's URL, without a question mark. */
  readonly query: string;
  /** Key for the next load of the page; valid once. */
  readonly key: string;
  /** Calls the listener once, when the page's user is no longer in the instance. */
  onEnd(listener: () => void): void;
  /** The page was closed. */
  leave(): void;
}

interface Presence {
  /** End listener of each page. */
  readonly open: Map<string, () => void>;
  away: (() => void) | undefined;
}

/** The host pages of activities, and the keys to them. */
export class Pages {
  readonly #clock: Clock;
  readonly #machine: MachineClock;
  readonly #onLeft: (participation: Participation) => void;
  readonly #keys = new Map<string, Key>();
  readonly #presences = new Map<string, Presence>();

  /** Calls `onLeft` when no page of a user has been open for `AWAY_MS`. */
  constructor(clock: Clock, machine: MachineClock, onLeft: (participation: Participation) => void) {
    this.#clock = clock;
    this.#machine = machine;
    this.#onLeft = onLeft;
  }

  /** A new key for a page URL. */
  invite(instance: string, user: string): string {
    return this.#key({ instance, user, expires: this.#machine.monotonic() + ADDRESS_MS });
  }

  /** Consumes a key. */
  enter(key: string, find: (instance: string) => ActivityInstance | undefined): HostPage | undefined {
    const hash = digest(key);
    const known = this.#keys.get(hash);
    const instance = known === undefined ? undefined : find(known.instance);
    if (known === undefined || instance === undefined || known.expires <= this.#machine.monotonic()) {
      return undefined;
    }
    this.#keys.delete(hash);
    return this.#open(instance, known.user);
  }

  /** Closes the pages of a user in an instance. */
  end(instance: string, user: string): void {
    const id = idOf({ instance, user });
    const presence = this.#presences.get(id);
    this.#presences.delete(id);
    presence?.away?.();
    for (const [hash, key] of this.#keys) if (idOf(key) === id) this.#keys.delete(hash);
    for (const notifyEnd of [...(presence?.open.values() ?? [])]) notifyEnd();
  }

  /** Closes the pages of all participations that match. */
  endWhere(hasLeft: (participation: Participation) => boolean): void {
    const ids = [...this.#presences.keys()].map((id) => {
      const [instance = '', user = ''] = id.split(' ');
      return { instance, user };
    });
    for (const participation of [...ids, ...this.#keys.values()])
      if (hasLeft(participation)) this.end(participation.instance, participation.user);
  }

  close(): void {
    for (const { away } of this.#presences.values()) away?.();
    this.#presences.clear();
    this.#keys.clear();
  }

  #open(instance: ActivityInstance, user: string): HostPage {
    const { id, application, launch, guild, channel } = instance;
    const participation = { instance: id, user };
    const presence = this.#presences.get(idOf(participation)) ?? { open: new Map(), away: undefined };
    this.#presences.set(idOf(participation), presence);
    presence.away?.();
    presence.away = undefined;
    const frame = randomSecret();
    presence.open.set(frame, () => {});
    return {
      ...participation,
      application,
      frame,
      query: new URLSearchParams({
        instance_id: id,
        location_id: locationId(instance),
        launch_id: launch,
        ...(guild === null ? {} : { guild_id: guild }),
        channel_id: channel,
        frame_id: frame,
        platform: 'desktop',
      }).toString(),
      key: this.#key({ ...participation, expires: Number.POSITIVE_INFINITY }),
      onEnd: (listener) => void (presence.open.has(frame) && presence.open.set(frame, listener)),
      leave: () => this.#close(participation, presence, frame),
    };
  }

  #close(participation: Participation, presence: Presence, frame: string): void {
    if (!presence.open.delete(frame) || presence.open.size > 0) return;
    if (this.#presences.get(idOf(participation)) !== presence) return;
    presence.away = this.#clock.setTimeout(() => this.#onLeft(participation), AWAY_MS);
  }

  #key(key: Key): string {
    const secret = randomSecret();
    this.#keys.set(digest(secret), key);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > MAX_KEYS && oldest !== undefined) this.#keys.delete(oldest);
    return secret;
  }
}

/** 192 bits, as 32 characters allowed in a URL. */
function randomSecret(): string {
  return randomBytes(24).toString('base64url');
}

function idOf({ instance, user }: Participation): string {
  return `${instance} ${user}`;
}
