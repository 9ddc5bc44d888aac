import type { Answerer, Decider, Settlement, WaitingRequest } from '../../../emulator/api/waiting-request.ts';

/** Maximum number of stored requests; a further one drops the oldest. */
const MAX_ENDED = 100;

/**
 * Request that no longer waits, or revocation of what an earlier request got. Its texts are safe to print on one
 * line.
 */
export interface EndedRequest {
  /** Id of the request, or of the grant whose revocation was requested. */
  readonly id: string;
  readonly kind: WaitingRequest['kind'];
  readonly clientId: string;
  readonly applicationName: string;
  /** Names of the requested scopes, or the command. */
  readonly wishes: readonly string[];
  /** Program, process, endpoint and sandbox of the requesting app, as far as they are known. */
  readonly program: string | null;
  readonly pid: number | null;
  readonly entrance: string | null;
  readonly outcome: Settlement['outcome'] | 'revoked';
  /** Whether the answer is stored for the next request. */
  readonly always: boolean;
  /** Decider, or the reason why there was none; null for a request without an answer in time. */
  readonly by: string | null;
  /** Where a person decided; null where no person did. `control` is any other program than the console. */
  readonly where: 'control' | 'console' | 'terminal' | 'notification' | null;
  /** When a revocation ended what the request got; null while it holds, and for what was never allowed. */
  readonly revokedAt: number | null;
  /** Times in milliseconds since the Unix epoch, by the emulator's clock. */
  readonly requestedAt: number;
  readonly endedAt: number;
}

/** What a user took back from an application. */
export interface Revocation {
  /** Id of the grant that was named. */
  readonly id: string;
  readonly clientId: string;
  readonly applicationName: string;
  readonly userId: string;
  readonly scopes: readonly string[];
}

/**
 * The last requests that were decided, expired or withdrawn, and the last revocations. The list is stored in memory
 * only.
 */
export class RequestHistory {
  #ended: { readonly entry: EndedRequest; readonly userId: string | undefined }[] = [];

  add(request: WaitingRequest, settlement: Settlement, endedAt: number): void {
    const { id, kind, clientId, applicationName, requestedAt } = request;
    const isAuthorization = request.kind === 'authorization';
    const peer = isAuthorization ? request.peer : { pid: request.pid, entrance: request.entrance };
    const entry: EndedRequest = {
      id,
      kind,
      clientId,
      applicationName,
      wishes: isAuthorization ? request.scopes.map(({ name }) => name) : [request.cmd],
      program: (isAuthorization ? request.peer.program : undefined) ?? null,
      pid: peer.pid ?? null,
      entrance: peer.entrance ?? null,
      outcome: settlement.outcome,
      always: settlement.outcome === 'allowed' && settlement.always,
      by: reasonOf(settlement),
      where: placeOf(settlement),
      revokedAt: null,
      requestedAt,
      endedAt,
    };
    this.#push({ entry, userId: isAuthorization ? request.userId : undefined });
  }

  /** Takes a revocation, which ends every decision of its user for its application. */
  revoke({ id, clientId, applicationName, userId, scopes }: Revocation, by: Answerer, at: number): void {
    this.#ended = this.#ended.map((one) =>
      one.userId === userId && one.entry.clientId === clientId && isHeld(one.entry)
        ? { ...one, entry: { ...one.entry, revokedAt: at } }
        : one,
    );
    const entry: EndedRequest = {
      id,
      kind: 'authorization',
      clientId,
      applicationName,
      wishes: scopes,
      program: null,
      pid: null,
      entrance: null,
      outcome: 'revoked',
      always: false,
      by: deciderText({ kind: 'person', ...by }),
      where: whereOf(by.via, by.forProcesses !== undefined),
      revokedAt: null,
      requestedAt: at,
      endedAt: at,
    };
    this.#push({ entry, userId });
  }

  /** Ended requests, newest first. */
  list(): readonly EndedRequest[] {
    return this.#ended.map(({ entry }) => entry).toReversed();
  }

  #push(one: { readonly entry: EndedRequest; readonly userId: string | undefined }): void {
    this.#ended.push(one);
    if (this.#ended.length > MAX_ENDED) this.#ended.shift();
  }
}

/** Whether a decision still gives its application something. */
function isHeld({ outcome, revokedAt }: EndedRequest): boolean {
  return outcome === 'allowed' && revokedAt === null;
}

function placeOf(settlement: Settlement): EndedRequest['where'] {
  if (!('by' in settlement) || settlement.by.kind !== 'person') return null;
  return whereOf(settlement.by.via, settlement.forOthers === true);
}

/** The console alone answers for other processes. */
function whereOf(via: string, isForOthers: boolean): EndedRequest['where'] {
  if (via === 'terminal' || via === 'notification') return via;
  return isForOthers ? 'console' : 'control';
}

function reasonOf(settlement: Settlement): string | null {
  switch (settlement.outcome) {
    case 'allowed':
    case 'denied':
      return deciderText(settlement.by);
    case 'withdrawn':
      return settlement.reason;
    case 'timed-out':
      return null;
  }
}

function deciderText(by: Decider): string {
  if (by.kind !== 'person') return by.kind;
  return by.program === undefined ? by.via : `${by.via}, ${by.program}`;
}
