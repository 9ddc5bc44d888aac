/** The requesting process. Everything but `transport` is a claim of the operating system or of the peer itself. */
export interface RequestPeer {
  readonly pid?: number | undefined;
  readonly program?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Transport class, part of a grant's key: `ipc`, or `websocket https://origin.example`. */
  readonly transport: string;
}

/** A scope with the sentence that the operator reads before a decision. */
interface RequestedScope {
  readonly name: string;
  readonly description: string;
}

interface Waiting {
  /** Five lower-case letters and digits, easy to type. */
  readonly id: string;
  readonly clientId: string;
  readonly applicationName: string;
  /** Milliseconds since the Unix epoch. */
  readonly requestedAt: number;
  /** When the request is denied automatically. */
  readonly expiresAt: number;
}

/** An app that wants to be authorized. Texts are safe to print on one line of a terminal. */
export interface AuthorizationRequest extends Waiting {
  readonly kind: 'authorization';
  readonly userId: string;
  readonly scopes: readonly RequestedScope[];
  readonly peer: RequestPeer & { readonly verified: false };
}

/** A dialog, link or purchase that an app requests: an offline service cannot perform it, so the operator answers. */
export interface CommandRequest extends Waiting {
  readonly kind: 'command';
  readonly cmd: string;
  /** Description of the request. */
  readonly what: string;
  /** The arguments in short; values that may be secrets are omitted. */
  readonly details: readonly string[];
  readonly pid: number | null;
}

/** A request that waits for the operator. */
export type WaitingRequest = AuthorizationRequest | CommandRequest;

/** The process that submits an answer. */
export interface Answerer {
  readonly pid?: number | undefined;
  readonly program?: string | undefined;
  /** The processes it acts for; `unknown` where the system should know them and does not. */
  readonly forProcesses?: readonly number[] | 'unknown' | undefined;
  readonly via: string;
}

/** The operator's answer to a request. */
export interface Decision {
  readonly answer: 'allow' | 'deny';
  /** Remembers the answer, so that the same scopes are not requested again. */
  readonly always?: boolean | undefined;
  readonly by: Answerer;
}

/**
 * Parties that can decide on the user's behalf: the configuration, by the secret that the application presented, or, for a
 * game, the publisher that the user allowed the same. Their decisions grant no access to the user's client (see
 * `oauth2/confirmation.ts`).
 */
export const DEPUTIES = ['secret', 'publisher'] as const;

/** One of the {@link DEPUTIES}. */
export type Deputy = (typeof DEPUTIES)[number];

/** Who decided: the operator who typed the answer, the policy, or a deputy of the user. */
export type Decider =
  | { readonly kind: 'policy' }
  | { [Each in Deputy]: { readonly kind: Each } }[Deputy]
  | ({ readonly kind: 'person' } & Answerer);

/** Whether a deputy decided, not the user or the user's policy. */
export function isDeputy(kind: unknown): kind is Deputy {
  return DEPUTIES.some((deputy) => deputy === kind);
}

/** How a request ended. */
export type Settlement =
  | { readonly outcome: 'allowed'; readonly by: Decider; readonly always: boolean }
  | { readonly outcome: 'denied'; readonly by: Decider }
  | { readonly outcome: 'timed-out' }
  /** The peer left, the account changed, or the emulator is closing. */
  | { readonly outcome: 'withdrawn'; readonly reason: string };

/** Returns the reason why a process may not allow a request, for display; undefined permits it. Anyone may deny. */
export type AnswerRule = (request: WaitingRequest, by: Answerer) => string | undefined;

/** The rule of an emulator that only one program uses, such as a test. */
export const anybodyMayAnswer: AnswerRule = () => undefined;

/** Id of the requesting process; undefined when unknown. */
export function requesterPid(request: WaitingRequest): number | undefined {
  return (request.kind === 'authorization' ? request.peer.pid : request.pid) ?? undefined;
}
