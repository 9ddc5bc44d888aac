/** The requesting process. Everything but `transport` and `entrance` is a claim of the operating system or of the peer itself. */
export interface RequestPeer {
  readonly pid?: number | undefined;
  readonly program?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Transport class, part of a grant's key: `ipc`, or `websocket https://origin.example`. */
  readonly transport: string;
  /**
   * Endpoint and sandbox of the app, such as `endpoint "music", Flatpak org.videolan.VLC`; absent at the bridge's own
   * endpoint. The sandbox is a fact of the kernel.
   */
  readonly entrance?: string | undefined;
}

/** A scope, with the sentence about it that the operator reads before the decision. */
interface RequestedScope {
  readonly name: string;
  readonly description: string;
}

interface Waiting {
  /** Id of the request: five lower-case letters and digits, which are easy to type. */
  readonly id: string;
  readonly clientId: string;
  readonly applicationName: string;
  /** Time of the request, in milliseconds since the Unix epoch. */
  readonly requestedAt: number;
  /** Time when the request is denied automatically, in milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** An app that wants to be authorized. Texts are safe to print on one line of a terminal. */
export interface AuthorizationRequest extends Waiting {
  readonly kind: 'authorization';
  readonly userId: string;
  readonly scopes: readonly RequestedScope[];
  readonly peer: RequestPeer & { readonly verified: false };
}

/**
 * A request of an app for a dialog, a link or a purchase. An offline service cannot carry it out, so the operator
 * answers.
 */
export interface CommandRequest extends Waiting {
  readonly kind: 'command';
  readonly cmd: string;
  /** Description of the request. */
  readonly what: string;
  /** The arguments in short form, without values that may be secrets. */
  readonly details: readonly string[];
  readonly pid: number | null;
  /** As in {@link RequestPeer}. */
  readonly entrance?: string | undefined;
}

/** A request that waits for the operator. */
export type WaitingRequest = AuthorizationRequest | CommandRequest;

/** The process that answers a request. */
export interface Answerer {
  readonly pid?: number | undefined;
  readonly program?: string | undefined;
  /** The processes that the answering process acts for; `unknown` if the system should know them but does not. */
  readonly forProcesses?: readonly number[] | 'unknown' | undefined;
  readonly via: string;
}

/** The operator's answer to a request. */
export interface Decision {
  readonly answer: 'allow' | 'deny';
  /** True if the answer is remembered, so that the same scopes cause no further request. */
  readonly always?: boolean | undefined;
  readonly by: Answerer;
}

/**
 * Parties that can decide on the user's behalf. `secret`: the configuration, by the secret that the application
 * presented. `publisher`: for a game, the publisher to which the user allowed the same scopes. Their decisions permit
 * no use of the user's client (see `oauth2/confirmation.ts`).
 */
export const DEPUTIES = ['secret', 'publisher'] as const;

/** One of the {@link DEPUTIES}. */
export type Deputy = (typeof DEPUTIES)[number];

/** Who decided: the operator who typed the answer, the policy, or a deputy of the user. */
export type Decider =
  | { readonly kind: 'policy' }
  | { [Each in Deputy]: { readonly kind: Each } }[Deputy]
  | ({ readonly kind: 'person' } & Answerer);

/** Whether a decision came from a deputy, and not from the user or the user's policy. */
export function isDeputy(kind: unknown): kind is Deputy {
  return DEPUTIES.some((deputy) => deputy === kind);
}

/** Mark of an answer by a process that acts for others, as the console does for a browser. */
interface OnBehalf {
  readonly forOthers?: true;
}

/** How a request ended. */
export type Settlement =
  | ({ readonly outcome: 'allowed'; readonly by: Decider; readonly always: boolean } & OnBehalf)
  | ({ readonly outcome: 'denied'; readonly by: Decider } & OnBehalf)
  | { readonly outcome: 'timed-out' }
  /** The request ended without a decision: the peer disconnected, the account changed, or the emulator is closing. */
  | { readonly outcome: 'withdrawn'; readonly reason: string };

/** Returns a reason, for display, why a process may not allow a request; undefined if it may. Any process may deny. */
export type AnswerRule = (request: WaitingRequest, by: Answerer) => string | undefined;

/** The answer rule of an emulator that only one program uses, such as a test: any process may answer. */
export const anybodyMayAnswer: AnswerRule = () => undefined;

/** Id of the requesting process; undefined when unknown. */
export function requesterPid(request: WaitingRequest): number | undefined {
  return (request.kind === 'authorization' ? request.peer.pid : request.pid) ?? undefined;
}
