import { Places } from '../../../scheduling/places.ts';
import type { AuthorizationRequest, Decider, RequestPeer, Settlement } from '../../api/waiting-request.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import type { MachineClock } from '../../kernel/clock.ts';
import { plainText } from '../consent/display.ts';
import type { PeopleQueue, Ticket } from '../consent/queue.ts';
import { OAuth2Error } from './error.ts';
import { asksForWebhook, describeWebhook } from './incoming.ts';
import { describeInstall } from './install.ts';
import { describeScope } from './scopes.ts';
import { PromptThrottle } from './throttle.ts';

/** A request that is about to be put to a person. */
export interface Question {
  readonly application: ApplicationRecord;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** The guild that something is added to, by name, and what a bot may do there. */
  readonly install?: { readonly guild: string; readonly bits: bigint } | undefined;
  /** The channel that a webhook is made in, in words. */
  readonly webhook?: string | undefined;
  readonly peer: RequestPeer;
  readonly signal: AbortSignal;
}

/** Most requests that wait at the same time; shared by process. */
const mostOpen = 16;
/** So long a request is safe from others that ask while all places are taken (ms): a person has had time to see it. */
const safeFor = 30_000;

interface OpenRequest {
  id: string;
  /** By the machine's monotonic time. */
  readonly since: number;
}

/** What consent is asked with. */
export interface ConsentOptions {
  /** A person has no more patience while the emulator's clock stands. */
  readonly machine: MachineClock;
  readonly queue: PeopleQueue;
  readonly promptsPerMinute: number;
  /** The pause after a denial, in milliseconds; 15 s unless given, 0 is none. */
  readonly pauseMs?: number | undefined;
}

/** Puts authorization requests to the person, and keeps any app from asking too often. */
export class Consent {
  readonly #queue: PeopleQueue;
  readonly #throttle: PromptThrottle;
  readonly #machine: MachineClock;
  /** The open requests by who asks. */
  readonly #open = new Places<OpenRequest>(mostOpen);
  /** The same, the one that has waited for longest first. */
  readonly #line = new Set<OpenRequest>();

  constructor({ machine, queue, promptsPerMinute, pauseMs }: ConsentOptions) {
    this.#queue = queue;
    this.#machine = machine;
    this.#throttle = new PromptThrottle(machine, promptsPerMinute, pauseMs);
  }

  /**
   * Parks a request until it is settled; `allowed` is called before anybody else can act on a yes.
   * @throws OAuth2Error `access_denied` without asking when this application or process asks too often.
   */
  async ask(question: Question, allowed: (by: Decider, always: boolean) => void): Promise<Settlement> {
    const { application, peer, signal } = question;
    if (this.#queue.count('authorization', application.id) > 0) {
      throw new OAuth2Error(
        'access_denied',
        'A request of this application is already waiting for the user.',
      );
    }
    // Peers that nobody names share one budget, or a new connection would bring a new one.
    // A browser names the page that connects; a program may name any page, device or address that it likes.
    const isNamed = peer.pid !== undefined || peer.transport.startsWith('websocket ');
    const asker = peer.pid === undefined ? peer.transport : `process ${peer.pid}`;
    const own = `client ${application.id} of ${asker}`;
    const keys = [`client ${application.id}`, asker, own];
    const wait = this.#throttle.wait(keys);
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1000);
      throw new OAuth2Error(
        'access_denied',
        `Too many requests; the user may be asked again in ${seconds} s.`,
      );
    }
    const place = { id: '', since: this.#machine.monotonic() };
    this.#takePlace(asker, place);
    this.#line.add(place);
    this.#throttle.prompted(keys);
    // Whoever is denied waits, and not another process that asks for the same application. One that nobody names must
    // not silence all the others.
    const paused = isNamed ? [asker, own] : [own];
    return this.#queue.ask(
      (ticket) => {
        place.id = ticket.id;
        return describe(question, ticket);
      },
      signal,
      (settlement) => {
        this.#open.leave(asker, place);
        this.#line.delete(place);
        // Nobody answering counts as a no: prompts that go unread must not keep coming.
        if (settlement.outcome === 'allowed') this.#throttle.allowed(paused);
        else if (settlement.outcome !== 'withdrawn') this.#throttle.denied(paused);
        if (settlement.outcome === 'allowed') allowed(settlement.by, settlement.always);
      },
    );
  }

  /** Makes room where it has to: whoever has most open requests gives one up, or the one that has waited for longest. */
  #takePlace(asker: string, place: OpenRequest): void {
    if (this.#open.take(asker, place)) return;
    const newestOf = (actor: string) => [...this.#open.of(actor)].at(-1)?.id;
    const debtor = this.#open.debtor(asker);
    const given = debtor === undefined ? this.#longestWaiting() : newestOf(debtor);
    if (this.#open.isFull && given !== undefined) {
      this.#queue.withdraw(given, 'nobody answered, and others ask');
      if (this.#open.take(asker, place)) return;
    }
    throw new OAuth2Error('access_denied', 'Too many requests are waiting for the user.');
  }

  #longestWaiting(): string | undefined {
    const [oldest] = this.#line;
    return oldest && this.#machine.monotonic() - oldest.since >= safeFor ? oldest.id : undefined;
  }
}

function describe(
  { application, userId, scopes, install, webhook, peer }: Question,
  ticket: Ticket,
): AuthorizationRequest {
  return {
    kind: 'authorization',
    id: ticket.id,
    clientId: application.id,
    applicationName: plainText(application.name),
    userId,
    scopes: scopes.map((name) => ({
      name,
      description: describeOne(name, install, webhook),
    })),
    peer: {
      ...peer,
      // An Origin header and a program's path are as hostile as a name; a path is longer, though.
      transport: plainText(peer.transport, 256),
      program: peer.program === undefined ? undefined : plainText(peer.program, 256),
      verified: false,
    },
    requestedAt: ticket.requestedAt,
    expiresAt: ticket.expiresAt,
  };
}

/** A scope in the words of this request: with the guild or the channel that it is about. */
function describeOne(name: string, install: Question['install'], webhook: Question['webhook']): string {
  if (install !== undefined && (name === 'bot' || name === 'applications.commands')) {
    return describeInstall(name, plainText(install.guild), install.bits);
  }
  if (webhook !== undefined && asksForWebhook([name])) return describeWebhook(plainText(webhook));
  return describeScope(name);
}
