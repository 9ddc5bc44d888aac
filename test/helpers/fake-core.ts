import type { ClientCore, CoreHandlers, CoreHost, CoreSession, Peer, Ready } from '../../src/core/core.ts';
import type { Scope } from '../../src/protocol/scope.ts';

/** What a test wants to be different. */
export interface FakeCoreOptions {
  readonly handlers?: CoreHandlers;
  /** Held by every session from its start, `rpc` unless given; `AUTHENTICATE` adds those its token names. */
  readonly scopes?: readonly Scope[];
  readonly subscribe?: CoreSession['subscribe'];
  readonly unsubscribe?: CoreSession['unsubscribe'];
  readonly relay?: CoreSession['relay'];
  readonly close?: CoreSession['close'];
  readonly ready?: Ready;
  /** Runs before a session opens; may take its time or throw. */
  readonly open?: (peer: Peer) => void | Promise<void>;
  readonly start?: () => void;
}

/** A client core that does as the test says and writes down what it is asked. */
export interface FakeCore extends ClientCore {
  /** What the server offers; throws before the start. */
  readonly host: CoreHost;
  readonly peers: readonly Peer[];
  /** Session ids in the order they left. */
  readonly left: readonly string[];
  readonly stops: number;
}

/** `data` of READY as a well-behaved core gives it. */
export const fakeReady: Ready = {
  v: 1,
  config: { cdn_host: 'cdn.test', api_endpoint: '//localhost/api', environment: 'production' },
  user: {
    id: '53908232506183680',
    username: 'mason',
    discriminator: '0',
    global_name: null,
    avatar: null,
    avatar_decoration_data: null,
    bot: false,
    flags: 0,
    premium_type: 0,
  },
};

/** Answers AUTHORIZE with a code, AUTHENTICATE with the scopes that the token lists, GET_GUILDS with none. */
export const fakeHandlers: CoreHandlers = {
  AUTHORIZE: () => ({ code: 'the-code' }),
  AUTHENTICATE: ({ access_token }) => ({
    application: { id: '1', name: 'App' },
    scopes: (access_token ?? '').split(','),
    expires: '2030-01-01T00:00:00.000Z',
    access_token: access_token ?? '',
  }),
  GET_GUILDS: () => ({ guilds: [] }),
};

export function fakeCore(options: FakeCoreOptions = {}): FakeCore {
  const peers: Peer[] = [];
  const left: string[] = [];
  let host: CoreHost | undefined;
  let stops = 0;
  return {
    name: 'fake',
    peers,
    left,
    get host() {
      if (host === undefined) throw new Error('the core was not started');
      return host;
    },
    get stops() {
      return stops;
    },
    start(given) {
      host = given;
      options.start?.();
      return {};
    },
    async open(peer) {
      peers.push(peer);
      await options.open?.(peer);
      host?.grant(peer.sessionId, options.scopes ?? ['rpc']);
      return {
        ready: options.ready ?? fakeReady,
        handlers: { ...fakeHandlers, ...options.handlers },
        ...(options.subscribe ? { subscribe: options.subscribe } : {}),
        ...(options.unsubscribe ? { unsubscribe: options.unsubscribe } : {}),
        ...(options.relay ? { relay: options.relay } : {}),
        close() {
          left.push(peer.sessionId);
          return options.close?.();
        },
      };
    },
    stop() {
      stops += 1;
    },
  };
}

/** A promise and the ways to settle it, for a core that answers when the test says so. */
export function later<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
