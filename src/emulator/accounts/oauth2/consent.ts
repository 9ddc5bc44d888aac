import { SlotPool } from '../../../scheduling/slot-pool.ts';
import type { AuthorizationRequest, Decider, RequestPeer, Settlement } from '../../api/waiting-request.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import type { MachineClock } from '../../kernel/clock.ts';
import { plainText } from '../consent/display.ts';
import type { RequestQueue, Ticket } from '../consent/queue.ts';
import { OAuth2Error } from './error.ts';
import { describeWebhook, requestsWebhook } from './incoming.ts';
import { describeInstall } from './install.ts';
import { describeScope } from './scopes.ts';
import { PromptThrottle } from './throttle.ts';

/** An authorization request that the user must decide. */
export interface Question {
  readonly application: ApplicationRecord;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** Name of the guild that the application is added to, and its bot's permissions there. */
  readonly install?: { readonly guild: string; readonly bits: bigint } | undefined;
  /** Description, for the user, of the webhook that is created. */
  readonly webhook?: string | undefined;
  readonly peer: RequestPeer;
  readonly signal: AbortSignal;
}

/** Maximum number of open requests; the processes share it. */
const maxOpen = 16;
/**
 * Time in milliseconds for which a new request cannot be evicted when all slots are in use, so that the user has time
 * to see it.
 */
const safeFor = 30_000;

interface OpenRequest {
  id: string;
  /** Time of the request by the machine's monotonic clock. */
  readonly since: number;
}

/** Services and limits of consent requests. */
export interface ConsentOptions {
  /** The machine's clock. Limits on prompts do not use the emulator's clock, which may stand still. */
  readonly machine: MachineClock;
  readonly queue: RequestQueue;
  readonly promptsPerMinute: number;
  /** Pause after a denial in milliseconds; default 15 s, 0 for none. */
  readonly pauseMs?: number | undefined;
}

/** Puts authorization requests to the user, and limits how often apps may do that. */
export class Consent {
  readonly #queue: RequestQueue;
  readonly #throttle: PromptThrottle;
  readonly #machine: MachineClock;
  /** Open requests by requester. */
  readonly #open = new SlotPool<OpenRequest>(maxOpen);
  /** Open requests, oldest first. */
  readonly #line = new Set<OpenRequest>();

  constructor({ machine, queue, promptsPerMinute, pauseMs }: ConsentOptions) {
    this.#queue = queue;
    this.#machine = machine;
    this.#throttle = new PromptThrottle(machine, promptsPerMinute, pauseMs);
  }

  /**
   * Queues a request until it is settled; `allowed` is called before anyone else can act on the permission.
   * @throws OAuth2Error `access_denied` without a prompt when the application or process exceeds its limit.
   */
  async request(question: Question, allowed: (by: Decider, always: boolean) => void): Promise<Settlement> {
    const { application, peer, signal } = question;
    if (this.#queue.count('authorization', application.id) > 0) {
      throw new OAuth2Error(
        'access_denied',
        'A request of this application is already waiting for the user.',
      );
    }
    // Unidentified peers share one budget; otherwise each new connection would have a budget of its own. A browser
    // reports its page truthfully, but a program may claim any page, device or address.
    const isNamed = peer.pid !== undefined || peer.transport.startsWith('websocket ');
    // A sandboxed program may start any number of processes, so they share a budget, too.
    const isOneProcess = peer.pid !== undefined && peer.entrance === undefined;
    const requester = isOneProcess ? `process ${peer.pid}` : peer.transport;
    const own = `client ${application.id} of ${requester}`;
    const keys = [`client ${application.id}`, requester, own];
    const wait = this.#throttle.wait(keys);
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1000);
      throw new OAuth2Error(
        'access_denied',
        `Too many requests; the user may be asked again in ${seconds} s.`,
      );
    }
    const slot = { id: '', since: this.#machine.monotonic() };
    this.#takePlace(requester, slot);
    this.#line.add(slot);
    this.#throttle.prompted(keys);
    // A denial pauses only its requester, and not another process that uses the same application id. For an
    // unidentified requester it does not pause the application id, because one peer must not block all others.
    const paused = isNamed ? [requester, own] : [own];
    return this.#queue.enqueue(
      (ticket) => {
        slot.id = ticket.id;
        return describe(question, ticket);
      },
      signal,
      (settlement) => {
        this.#open.leave(requester, slot);
        this.#line.delete(slot);
        // A request without an answer counts as denied, so that an unread prompt does not recur.
        if (settlement.outcome === 'allowed') this.#throttle.allowed(paused);
        else if (settlement.outcome !== 'withdrawn') this.#throttle.denied(paused);
        if (settlement.outcome === 'allowed') allowed(settlement.by, settlement.always);
      },
    );
  }

  /**
   * Assigns a slot to a request. If all slots are in use, it evicts a request of the largest holder or, if every holder
   * has one, the oldest request.
   */
  #takePlace(requester: string, slot: OpenRequest): void {
    if (this.#open.take(requester, slot)) return;
    const largestHolder = this.#open.holderToEvict(requester);
    const evicted =
      largestHolder === undefined ? this.#longestWaiting() : this.#open.newest(largestHolder)?.id;
    if (this.#open.isFull && evicted !== undefined) {
      this.#queue.withdraw(evicted, 'no answer came, and other requests need its slot');
      if (this.#open.take(requester, slot)) return;
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
      // An Origin header and a program's path are as untrusted as a name, but may be longer.
      transport: plainText(peer.transport, 256),
      ...(peer.entrance === undefined ? {} : { entrance: plainText(peer.entrance, 256) }),
      program: peer.program === undefined ? undefined : plainText(peer.program, 256),
      verified: false,
    },
    requestedAt: ticket.requestedAt,
    expiresAt: ticket.expiresAt,
  };
}

/** Description of a scope, with the guild or channel of the request. */
function describeOne(name: string, install: Question['install'], webhook: Question['webhook']): string {
  if (install !== undefined && (name === 'bot' || name === 'applications.commands')) {
    return describeInstall(name, plainText(install.guild), install.bits);
  }
  if (webhook !== undefined && requestsWebhook([name])) return describeWebhook(plainText(webhook));
  return describeScope(name);
}
