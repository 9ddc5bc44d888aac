import type { Decider, Settlement, WaitingRequest } from '../../../emulator/api/waiting-request.ts';

/** Maximum number of stored requests; a further one drops the oldest. */
const MAX_ENDED = 100;

/** Request that no longer waits. Its texts are safe to print on one line. */
export interface EndedRequest {
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
  readonly outcome: Settlement['outcome'];
  /** Whether the answer is stored for the next request. */
  readonly always: boolean;
  /** Decider, or the reason why there was none; null for a request without an answer in time. */
  readonly by: string | null;
  /** Times in milliseconds since the Unix epoch, by the emulator's clock. */
  readonly requestedAt: number;
  readonly endedAt: number;
}

/** The last requests that were decided, expired or withdrawn. The list is stored in memory only. */
export class RequestHistory {
  readonly #ended: EndedRequest[] = [];

  add(request: WaitingRequest, settlement: Settlement, endedAt: number): void {
    const { id, kind, clientId, applicationName, requestedAt } = request;
    const isAuthorization = request.kind === 'authorization';
    const peer = isAuthorization ? request.peer : { pid: request.pid, entrance: request.entrance };
    this.#ended.push({
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
      requestedAt,
      endedAt,
    });
    if (this.#ended.length > MAX_ENDED) this.#ended.shift();
  }

  /** Ended requests, newest first. */
  list(): readonly EndedRequest[] {
    return this.#ended.toReversed();
  }
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
