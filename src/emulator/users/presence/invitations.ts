import type { StateRule, World } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Snowflakes, timeOf } from '../../kernel/snowflake.ts';
import type { GameInvite, JoinRequest } from './records.ts';

/** Most that wait at a time; the oldest makes room. */
const MOST = 1000;
/** How long an invite lets a guest in: six hours, in milliseconds. */
const INVITE_MS = 6 * 3_600_000;

/** An invite to make; without a channel it stands in one that nobody else knows. */
type Offer = Omit<GameInvite, 'channel' | 'message' | 'content'> &
  Partial<Pick<GameInvite, 'channel' | 'content'>>;

/** The host's session is over, or shows no party that a guest can come into any more: nobody can join it. */
export const endInvites: StateRule = ({ game_invites }, commit) => {
  const { updated, removed } = commit.of('session_presences');
  const closed = updated.filter(
    ({ before, after }) => before.secret !== null && before.secret !== after.secret,
  );
  for (const { session } of [...removed, ...closed.map(({ after }) => after)])
    for (const { message } of [...game_invites.by('host', session)]) game_invites.remove(message);
};

/** Join requests and invites that nobody has answered yet. */
export class Invitations {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #ids = new Snowflakes();

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Notes that a user asks another, the logged-in one unless named, to join; asking twice is asking once. */
  ask(user: string, application: string, to = this.#me, channel = this.#id()): JoinRequest {
    const old = this.#world.tables.join_requests.get(application, user, to);
    if (old !== undefined) return old;
    const request = { user, application, to, channel, message: this.#id() };
    return this.#world.transaction(({ join_requests }) => {
      join_requests.insert(request);
      join_requests.keepLast(MOST);
      return request;
    });
  }

  /** Whether a user waits for an answer of the logged-in one. */
  asked(user: string, application: string): boolean {
    return this.#world.tables.join_requests.has(application, user, this.#me);
  }

  /** The request is answered, one way or the other; false when there was none. */
  answer(user: string, application: string, to = this.#me): boolean {
    return this.#world.transaction(({ join_requests }) =>
      join_requests.remove(`${application} ${user} ${to}`),
    );
  }

  invite(offer: Offer): GameInvite {
    const made = { content: '', channel: this.#id(), ...offer, message: this.#id() };
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
    return this.#isOver(invite) ? undefined : invite;
  }

  /** What lets a guest in whom an invite is for; undefined when that was never made, is taken up, or is over. */
  secretFor(guest: string, message: string): GameInvite | undefined {
    const invite = this.#world.tables.game_invites.get(message);
    return invite?.recipient !== guest || this.#isOver(invite) ? undefined : invite;
  }

  /** The app of a host is gone: nobody can join it any more. */
  forgetHost(host: string): void {
    const left = [...this.#world.tables.game_invites.by('host', host)];
    if (left.length === 0) return;
    this.#world.transaction(({ game_invites }) => {
      for (const { message } of left) game_invites.remove(message);
    });
  }

  /** No app of this application is left: the logged-in user is not there to be joined. */
  forgetApplication(application: string): void {
    const waiting = this.#world.tables.join_requests.by('application', application);
    const left = [...waiting].filter(({ to }) => to === this.#me);
    if (left.length === 0) return;
    this.#world.transaction(({ join_requests }) => {
      for (const { user, to } of left) join_requests.remove(`${application} ${user} ${to}`);
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

/** Who invites whom to play. */
export interface HasInvitations {
  readonly invitations: Invitations;
}
