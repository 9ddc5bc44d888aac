import { offersStreams } from '../wire/streams.ts';
import { ClientError, type CloseReason, RpcError } from './errors.ts';
import type { Ready } from './generated.ts';
import { limit } from './limit.ts';
import type { RequestOptions } from './options.ts';
import { asObject, type JsonCodec, type JsonObject } from './payload.ts';
import { printable } from './printable.ts';
import type { Dial } from './wire.ts';

/** Callbacks of a link. `ended` is called exactly once, as the last one. */
export interface LinkListener {
  ready(ready: Ready): void;
  dispatch(event: string, data: unknown): void;
  ended(error: ClientError): void;
}

/** One connection to one server: handshake, requests, events. It cannot be reused after its end. */
export interface Link {
  /** The access token that authenticated this connection. */
  bearer: string | undefined;
  /** The reason of the link's end; undefined before the end. */
  lost: ClientError | undefined;
  /** Aborts when the link ends, with `lost` as its reason. */
  signal(): AbortSignal;
  /** Resolves once the socket is closed, at most a second after the end. */
  readonly closed: Promise<unknown>;
  /** Resolves with the answer's `data`. Rejects with RpcError, ClientError or the signal's reason. */
  request(cmd: string, args: unknown, options: RequestOptions, evt?: string): Promise<unknown>;
  /** Sends CLOSE and ends the link; calls `ended` before it returns. */
  end(error: ClientError): void;
}

interface Pending {
  answer(evt: unknown, data: unknown): void;
  fail(error: unknown): void;
}

/** Dials a wire and opens a link on it. */
export function openLink(dial: Dial, listener: LinkListener, json: JsonCodec = JSON): Link {
  const pending = new Map<string, Pending>();
  /** The controller is created on first use: few links need it, and it costs more than the rest of a link. */
  let over: AbortController | undefined;
  let shaken = false;
  let nonces = 0;
  /** The presented access token, for redaction: servers repeat rejected values. */
  let secret: unknown;

  const end = (error: ClientError, isPolite = false): void => {
    if (link.lost) return;
    link.lost = error;
    over?.abort(error);
    wire.end(isPolite);
    for (const request of pending.values()) request.fail(error);
    listener.ended(error);
  };
  const lose = (message: string, reason?: CloseReason): void =>
    end(new ClientError('DISCONNECTED', message, reason && { reason }));

  const refused = ({ code, message }: JsonObject): void => {
    const reason = { code: typeof code === 'number' ? code : undefined, message: printable(message, secret) };
    lose(`Closed by the server: ${reason.code} ${reason.message}`, reason);
  };

  const onPayload = ({ cmd, evt, nonce, data }: JsonObject): void => {
    const request = pending.get(nonce as string);
    if (request) return request.answer(evt, data);
    if (typeof evt !== 'string') return;
    if (shaken) {
      if (cmd === 'DISPATCH' || evt === 'ERROR') listener.dispatch(evt, data);
    } else if (evt === 'READY') {
      shaken = true;
      if (offersStreams(data)) wire.readsStreams?.();
      listener.ready(asObject(data) as unknown as Ready);
    } else if (evt === 'ERROR') refused(asObject(data));
  };

  const wire = dial({
    json,
    payload: onPayload,
    closed: refused,
    broken: ({ message }) => end(new ClientError('PROTOCOL', `The server broke the protocol: ${message}`)),
    lost: (message) => lose(message),
  });

  // The members are plain properties: V8 takes longer to create an object with getters than all the rest of a link.
  const link: Link = {
    bearer: undefined,
    lost: undefined,
    signal() {
      over ??= new AbortController();
      if (link.lost) over.abort(link.lost);
      return over.signal;
    },
    closed: wire.closed,
    end: (error) => end(error, true),
    request: (cmd, args, { signal: callerSignal, timeoutMs = 0 }, evt) =>
      new Promise((resolve, reject) => {
        callerSignal?.throwIfAborted();
        if (link.lost) throw link.lost;
        if (wire.isOverloaded()) throw new ClientError('OVERLOADED', `${cmd}: the server reads nothing`);
        secret = asObject(args)['access_token'] ?? secret;
        nonces += 1;
        const nonce = String(nonces);
        const body = json.stringify({ cmd, args, evt, nonce });
        const forget = (): void => {
          pending.delete(nonce);
          release();
        };
        const fail = (error: unknown): void => {
          forget();
          reject(error);
        };
        const release = limit(cmd, timeoutMs, callerSignal, fail);
        pending.set(nonce, {
          fail,
          answer(event, data) {
            if (event === 'ERROR') return fail(rpcError(cmd, secret, asObject(data)));
            forget();
            resolve(data ?? null);
          },
        });
        wire.send(body);
      }),
  };
  return link;
}

function rpcError(cmd: string, secret: unknown, { code, message }: JsonObject): RpcError {
  const text = printable(message, secret) || `${cmd} failed`;
  return new RpcError(cmd, typeof code === 'number' ? code : 1000, text);
}
