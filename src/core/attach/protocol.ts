import * as z from 'zod';
import { once } from '../../base/once.ts';
import { user } from '../../protocol/shapes/common.ts';

/** The only version. */
export const ATTACH_VERSION = 1;

/** WebSocket close codes of the attach protocol. */
export const AttachClose = {
  /** The message is not JSON-RPC 2.0 of this version; the close reason describes the error. */
  BAD_MESSAGE: 4400,
  /** The code or token is wrong, used or removed. */
  UNAUTHORIZED: 4401,
  /** No hello in time. */
  TIMEOUT: 4408,
} as const;

const version = () => z.literal('2.0');
const name = () => z.string().check(z.minLength(1), z.maxLength(64));

/** First message of a client. It identifies the client, by `code` the first time and by `token` after that. */
export const hello = once(() =>
  z.object({
    jsonrpc: version(),
    id: z.union([z.int(), z.string().check(z.maxLength(64))]),
    method: z.literal('hello'),
    params: z.object({
      v: z.literal(ATTACH_VERSION),
      code: z.optional(z.string().check(z.maxLength(256))),
      token: z.optional(z.string().check(z.maxLength(256))),
      /** The account that is logged in at the client; null or absent while there is none. */
      user: z.nullish(user()),
      /** Names of the commands that the client answers. */
      commands: z.array(name()).check(z.maxLength(256)),
    }),
  }),
);

/** Later messages of a client: answers to our requests, and its own notifications. */
export const clientMessage = once(() =>
  z.union([
    z.object({ jsonrpc: version(), id: z.int(), result: z.unknown() }),
    z.object({
      jsonrpc: version(),
      id: z.int(),
      error: z.object({ code: z.int(), message: z.string() }),
    }),
    z.object({
      jsonrpc: version(),
      method: z.literal('event'),
      params: z.object({
        evt: name(),
        data: z.unknown(),
        /** Selects the subscriptions with these arguments. */
        filter: z.optional(z.record(z.string(), z.unknown())),
        clientId: z.optional(z.string().check(z.maxLength(20))),
        session: z.optional(name()),
      }),
    }),
    z.object({
      jsonrpc: version(),
      method: z.literal('token_revoked'),
      params: z.object({ token: z.string().check(z.maxLength(4096)) }),
    }),
    z.object({
      jsonrpc: version(),
      method: z.literal('user'),
      params: z.object({ user: z.nullable(user()) }),
    }),
  ]),
);

export type Hello = z.output<ReturnType<typeof hello>>;
export type ClientMessage = z.output<ReturnType<typeof clientMessage>>;
export type AttachedUser = z.output<ReturnType<typeof user>>;

/** One connected app, as clients see it. */
export interface SessionInfo {
  readonly session: string;
  readonly clientId: string;
  readonly transport: string;
}

/** Messages of the bridge: the result of hello, requests with an id, notifications without. */
export type BridgeMessage =
  | { readonly id: number | string; readonly result: HelloResult }
  | { readonly id: number; readonly method: 'call'; readonly params: CallParams }
  | {
      readonly id: number;
      readonly method: 'subscribe';
      readonly params: { readonly session: string; readonly evt: string; readonly args: unknown };
    }
  | {
      readonly method: 'unsubscribe';
      readonly params: { readonly session: string; readonly evt: string; readonly args: unknown };
    }
  | { readonly method: 'session_opened'; readonly params: SessionInfo }
  | { readonly method: 'session_closed'; readonly params: { readonly session: string } }
  | {
      readonly method: 'presence';
      readonly params: {
        readonly session: string;
        readonly clientId: string;
        readonly pid: number | null;
        readonly activity: unknown;
      };
    }
  /** Withdraws a request that another client answered, or whose app has disconnected. */
  | { readonly method: 'withdrawn'; readonly params: { readonly id: number } };

/** Request of an app, with the scopes that the app holds; the arguments are validated. */
export interface CallParams extends SessionInfo {
  readonly cmd: string;
  readonly args: unknown;
  readonly scopes: readonly string[];
}

/** Answer to hello: the current state. */
export interface HelloResult {
  readonly v: 1;
  /** Token for the client's next hello; only in answer to a code. */
  readonly token?: string;
  readonly sessions: readonly SessionInfo[];
  readonly presences: readonly object[];
  readonly subscriptions: readonly {
    readonly session: string;
    readonly evt: string;
    readonly args: unknown;
  }[];
}
