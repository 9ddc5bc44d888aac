/** Who asks. Everything but `transport` is a claim of the operating system or of the peer itself. */
export interface RequestPeer {
  readonly pid?: number | undefined;
  readonly program?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Transport class, part of a grant's key: `ipc`, or `websocket https://origin.example`. */
  readonly transport: string;
}

/** A scope with the sentence that a person reads before deciding. */
export interface RequestedScope {
  readonly name: string;
  readonly description: string;
}

/** An authorization request that waits for a person. Texts are safe to print on one line of a terminal. */
export interface AuthorizationRequest {
  /** Five lower-case letters and digits, easy to type. */
  readonly id: string;
  readonly clientId: string;
  readonly applicationName: string;
  readonly userId: string;
  readonly scopes: readonly RequestedScope[];
  readonly peer: RequestPeer & { readonly verified: false };
  /** Milliseconds since the Unix epoch. */
  readonly requestedAt: number;
  /** When the request is denied by itself. */
  readonly expiresAt: number;
}

/** Who decided: the person who typed the answer, or the policy. */
export type Decider =
  | { readonly kind: 'policy' }
  | {
      readonly kind: 'person';
      readonly pid?: number | undefined;
      readonly program?: string | undefined;
      readonly via: string;
    };

/** How a request ended. */
export type Settlement =
  | { readonly outcome: 'allowed'; readonly by: Decider; readonly always: boolean }
  | { readonly outcome: 'denied'; readonly by: Decider }
  | { readonly outcome: 'timed-out' }
  /** The peer left, the account changed, or the emulator is closing. */
  | { readonly outcome: 'withdrawn'; readonly reason: string };
