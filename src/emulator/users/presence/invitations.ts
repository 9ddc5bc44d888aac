import type { StateRule, World } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Snowflakes, timeOf } from '../../kernel/snowflake.ts';
import type { GameInvite, JoinRequest } from './records.ts';

/** Maximum number of open requests, and of open invites; a new one replaces the oldest. */
const MAX_WAITING = 1000;
/** Lifetime of an invite: six hours, in milliseconds. */
const INVITE_MS = 6 * 3_600_000;

/** An invite to create. Without a channel, the invite gets the id of a channel that does not exist. */
type Offer = Omit<GameInvite, 'channel' | 'message' | 'content'> &
  Partial<Pick<GameInvite, 'channel' | 'content'>>;

/** State rule that removes the invites of a session that has ended, or whose join secret has changed or was removed. */
export const endInvites: StateRule = ({ game_invites }, commit) => {
  const { updated, removed } = commit.of('session_presences');
  const closed = updated.filter(
    ({ before, after }) => before.secret !== null && before.secret !== after.secret,
  );
  for (const { session } of [...removed, ...closed.map(({ after }) => after)])
    for (const { message } of [...game_invites.by('host', session)]) game_invites.remove(message);
};

/** Open join requests and invites. */
export class Invitations {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #ids = new Snowflakes();

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  /**
   * Records a user's request to join another user, by default the logged-in user. A repeated request returns the
   * existing one.
   */
  requestJoin(user: string, application: string, to = this.#me, channel = this.#id()): JoinRequest {
    const old = this.#world.tables.join_requests.get(application, user, to);
    if (old !== undefined) return old;
    const request = { user, application, to, channel, message: this.#id() };
    return this.#world.transaction(({ join_requests }) => {
      join_requests.insert(request);
      join_requests.keepLast(MAX_WAITING);
      return request;
    });
  }

  /** Whether a user's request waits for an answer of the logged-in user. */
  hasRequested(user: string, application: string): boolean {
    return this.#world.tables.join_requests.has(application, user, this.#me);
  }

  /** Removes an answered request; false when there was no such request. */
  answer(user: string, application: string, to = this.#me): boolean {
    return this.#world.transaction(({ join_requests }) =>
      join_requests.remove(`${application} ${user} ${to}`),
    );
  }

  invite(offer: Offer): GameInvite {
    const made = { content: '', channel: this.#id(), ...offer, message: this.#id() };
    return this.#world.transaction(({ game_invites }) => {
      game_invites.insert(made);
      game_invites.keepLast(MAX_WAITING);
      return made;
    });
  }

  /**
   * Accepts an invite. Returns undefined for an invite that is unknown, already accepted or expired, or whose data
   * differ from `named`.
   */
  accept(
    named: Pick<GameInvite, 'sender' | 'application' | 'session' | 'channel' | 'message'>,
  ): GameInvite | undefined {
    const invite = this.#world.tables.game_invites.get(named.message);
    const keys = ['sender', 'application', 'session', 'channel'] as const;
    if (invite === undefined || keys.some((key) => invite[key] !== named[key])) return undefined;
    this.#world.transaction(({ game_invites }) => game_invites.remove(named.message));
    return this.#isOver(invite) ? undefined : invite;
  }

  /**
   * An invite with its join secret, for the invited guest; undefined for an invite that is unknown, already accepted or
   * expired.
   */
  secretFor(guest: string, message: string): GameInvite | undefined {
    const invite = this.#world.tables.game_invites.get(message);
    return invite?.recipient !== guest || this.#isOver(invite) ? undefined : invite;
  }

  /** Removes all invites of a disconnected host app, because nobody can join it any longer. */
  forgetHost(host: string): void {
    const left = [...this.#world.tables.game_invites.by('host', host)];
    if (left.length === 0) return;
    this.#world.transaction(({ game_invites }) => {
      for (const { message } of left) game_invites.remove(message);
    });
  }

  /** Removes the requests to the logged-in user when no app of this application is connected any longer. */
  forgetApplication(application: string): void {
    const waiting = this.#world.tables.join_requests.by('application', application);
    const left = [...waiting].filter(({ to }) => to === this.#me);
    if (left.length === 0) return;
    this.#world.transaction(({ join_requests }) => {
      for (const { user, to } of left) join_requests.remove(`${application} ${user} ${to}`);
    });
  }

  /** Open requests and invites, for an operator's view. */
  list(): {
    readonly requests: readonly JoinRequest[];
    readonly invites: readonly Omit<GameInvite, 'secret'>[];
  } {
    const { join_requests, game_invites } = this.#world.tables;
    const invites = [...game_invites].map(({ secret: _secret, ...invite }) => invite);
    return { requests: [...join_requests], invites };
  }

  get #me(): string {
    return this.#world.tables.me.value;
  }

  #isOver({ message }: GameInvite): boolean {
    return this.#clock.now() - timeOf(message) > INVITE_MS;
  }

  #id(): string {
    return this.#ids.next(this.#clock.now());
  }
}

/** Access to the open join requests and invites. */
export interface HasInvitations {
  readonly invitations: Invitations;
}
