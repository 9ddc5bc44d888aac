/** Who asks. Everything but `transport` is a claim of the operating system or of the peer itself. */
export interface RequestPeer {
  readonly pid?: number | undefined;
  readonly program?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Transport class, part of a grant's key: `ipc`, or `websocket https://origin.example`. */
  readonly transport: string;
}

/** A scope with the sentence that a person reads before deciding. */
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
  /** When the request is denied by itself. */
  readonly expiresAt: number;
}

/** An app that wants to be authorized. Texts are safe to print on one line of a terminal. */
export interface AuthorizationRequest extends Waiting {
  readonly kind: 'authorization';
  readonly userId: string;
  readonly scopes: readonly RequestedScope[];
  readonly peer: RequestPeer & { readonly verified: false };
}

/** A dialog, a link or a purchase that an app asks for: an offline service cannot do it, a person answers for it. */
export interface CommandRequest extends Waiting {
  readonly kind: 'command';
  readonly cmd: string;
  /** What is asked, in plain words. */
  readonly what: string;
  /** The arguments in short; values that may be secrets are left out. */
  readonly details: readonly string[];
  readonly pid: number | null;
}

/** Something that waits for a person. */
export type WaitingRequest = AuthorizationRequest | CommandRequest;

/** Whoever types an answer. */
export interface Answerer {
  readonly pid?: number | undefined;
  readonly program?: string | undefined;
  /** On whose behalf; `unknown` where the system should know them, and does not. */
  readonly forProcesses?: readonly number[] | 'unknown' | undefined;
  readonly via: string;
}

/** A person's answer to a request. */
export interface Decision {
  readonly answer: 'allow' | 'deny';
  /** Remember the answer so that the same scopes are not asked for again. */
  readonly always?: boolean | undefined;
  readonly by: Answerer;
}

/**
 * Who can decide in the user's place: whoever wrote down the secret that the application showed, or, for a game, the
 * publisher that the user allowed the same. What they give opens nothing of the user's client (see `oauth2/confirmation.ts`).
 */
export const DEPUTIES = ['secret', 'publisher'] as const;

/** One of the {@link DEPUTIES}. */
export type Deputy = (typeof DEPUTIES)[number];

/** Who decided: the person who typed the answer, the policy, or somebody in the user's place. */
export type Decider =
  | { readonly kind: 'policy' }
  | { [Each in Deputy]: { readonly kind: Each } }[Deputy]
  | ({ readonly kind: 'person' } & Answerer);

/** Whether neither the user nor a policy of theirs decided. */
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

/** Why somebody may not allow a request, in words for them; undefined lets them. A denial is everybody's. */
export type AnswerRule = (request: WaitingRequest, by: Answerer) => string | undefined;

/** The rule of an emulator that one program has to itself, such as a test's. */
export const anybodyMayAnswer: AnswerRule = () => undefined;

/** The process that asks; undefined when nobody knows it. */
export function askerOf(request: WaitingRequest): number | undefined {
  return (request.kind === 'authorization' ? request.peer.pid : request.pid) ?? undefined;
}
