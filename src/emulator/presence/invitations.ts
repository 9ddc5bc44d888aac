import type { Clock } from '../clock.ts';
import { Snowflakes } from '../snowflake.ts';
import type { World } from '../world.ts';
import type { GameInvite, JoinRequest } from './records.ts';

/** Most that wait at a time; the oldest makes room. */
const MOST = 64;

/** Join requests and invites that nobody has answered yet. */
export class Invitations {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #ids = new Snowflakes();

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Notes that a user asks to join; asking twice is asking once. */
  ask(user: string, application: string): JoinRequest {
    const old = this.#world.tables.join_requests.get(application, user);
    if (old !== undefined) return old;
    const request = { user, application, channel: this.#id(), message: this.#id() };
    return this.#world.transaction(({ join_requests }) => {
      join_requests.insert(request);
      join_requests.keepLast(MOST);
      return request;
    });
  }

  asked(user: string, application: string): boolean {
    return this.#world.tables.join_requests.has(application, user);
  }

  /** The request is answered, one way or the other; false when there was none. */
  answer(user: string, application: string): boolean {
    return this.#world.transaction(({ join_requests }) => join_requests.remove(`${application} ${user}`));
  }

  invite(invite: Omit<GameInvite, 'channel' | 'message'>): GameInvite {
    const made = { ...invite, channel: this.#id(), message: this.#id() };
    return this.#world.transaction(({ game_invites }) => {
      game_invites.insert(made);
      game_invites.keepLast(MOST);
      return made;
    });
  }

  /** Takes an invite up; undefined when it was never made, is taken up already, or does not match. */
  accept(
    named: Pick<GameInvite, 'sender' | 'application' | 'session' | 'channel' | 'message'>,
  ): GameInvite | undefined {
    const invite = this.#world.tables.game_invites.get(named.message);
    const keys = ['sender', 'application', 'session', 'channel'] as const;
    if (invite === undefined || keys.some((key) => invite[key] !== named[key])) return undefined;
    this.#world.transaction(({ game_invites }) => game_invites.remove(named.message));
    return invite;
  }

  /** The app of a host is gone: nobody can join it any more. */
  forgetHost(host: string): void {
    const left = [...this.#world.tables.game_invites.by('host', host)];
    if (left.length === 0) return;
    this.#world.transaction(({ game_invites }) => {
      for (const { message } of left) game_invites.remove(message);
    });
  }

  /** No app of this application is left: nobody is there to be joined. */
  forgetApplication(application: string): void {
    const left = [...this.#world.tables.join_requests.by('application', application)];
    if (left.length === 0) return;
    this.#world.transaction(({ join_requests }) => {
      for (const { user } of left) join_requests.remove(`${application} ${user}`);
    });
  }

  /** What waits, for people. */
  list(): {
    readonly requests: readonly JoinRequest[];
    readonly invites: readonly Omit<GameInvite, 'secret'>[];
  } {
    const { join_requests, game_invites } = this.#world.tables;
    const invites = [...game_invites].map(({ secret: _secret, ...invite }) => invite);
    return { requests: [...join_requests], invites };
  }

  #id(): string {
    return this.#ids.next(this.#clock.now());
  }
}
