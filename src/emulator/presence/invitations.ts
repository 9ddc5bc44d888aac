import type { Clock } from '../clock.ts';
import { Snowflakes } from '../snowflake.ts';
import type { Activity } from './presences.ts';

/** Somebody asks to join what the user plays. Like an invite it is a message in a private channel. */
export interface JoinRequest {
  readonly user: string;
  readonly application: string;
  readonly channel: string;
  readonly message: string;
}

/** An invite into somebody's game. */
export interface Invite {
  readonly sender: string;
  readonly application: string;
  readonly channel: string;
  readonly message: string;
  /** Names the session that plays. */
  readonly session: string;
  readonly activity: Activity;
  /** What lets the guest in. */
  readonly secret: string;
  /** The connected app that invites; undefined when its player is not here. */
  readonly host: string | undefined;
}

/** Most that wait at a time; the oldest makes room. */
const MOST = 64;

/** Join requests and invites that nobody has answered yet. */
export class Invitations {
  readonly #clock: Clock;
  readonly #requests = new Map<string, JoinRequest>();
  readonly #invites = new Map<string, Invite>();
  readonly #ids = new Snowflakes();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that a user asks to join; asking twice is asking once. */
  ask(user: string, application: string): JoinRequest {
    const key = `${application} ${user}`;
    const request = this.#requests.get(key) ?? {
      user,
      application,
      channel: this.#id(),
      message: this.#id(),
    };
    keep(this.#requests, key, request);
    return request;
  }

  asked(user: string, application: string): boolean {
    return this.#requests.has(`${application} ${user}`);
  }

  /** The request is answered, one way or the other; false when there was none. */
  answer(user: string, application: string): boolean {
    return this.#requests.delete(`${application} ${user}`);
  }

  invite(invite: Omit<Invite, 'channel' | 'message'>): Invite {
    const made = { ...invite, channel: this.#id(), message: this.#id() };
    keep(this.#invites, made.message, made);
    return made;
  }

  /** Takes an invite up; undefined when it was never made, is taken up already, or does not match. */
  accept(
    named: Pick<Invite, 'sender' | 'application' | 'session' | 'channel' | 'message'>,
  ): Invite | undefined {
    const invite = this.#invites.get(named.message);
    const keys = ['sender', 'application', 'session', 'channel'] as const;
    if (invite === undefined || keys.some((key) => invite[key] !== named[key])) return undefined;
    this.#invites.delete(named.message);
    return invite;
  }

  /** The app of a host is gone: nobody can join it any more. */
  forgetHost(host: string): void {
    for (const [key, invite] of this.#invites) if (invite.host === host) this.#invites.delete(key);
  }

  /** No app of this application is left: nobody is there to be joined. */
  forgetApplication(application: string): void {
    for (const [key, request] of this.#requests) {
      if (request.application === application) this.#requests.delete(key);
    }
  }

  /** What waits, for people. */
  list(): { readonly requests: readonly JoinRequest[]; readonly invites: readonly Omit<Invite, 'secret'>[] } {
    const invites = [...this.#invites.values()].map(({ secret: _secret, ...invite }) => invite);
    return { requests: [...this.#requests.values()], invites };
  }

  #id(): string {
    return this.#ids.next(this.#clock.now());
  }
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
}
