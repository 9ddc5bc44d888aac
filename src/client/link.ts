import type { Duplex } from 'node:stream';
import { Opcode } from '../wire/codes.ts';
import { FrameDecoder } from '../wire/decoder.ts';
import { type Frame, HEADER_BYTES } from '../wire/frame.ts';
import { ClientError, type CloseReason, printable, RpcError } from './errors.ts';
import type { Ready } from './generated.ts';
import { limit } from './limit.ts';
import type { RequestOptions } from './options.ts';

/** Largest body accepted from a server, in bytes; five times what the reference server sends at most. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** More than this unread by the server, and nothing further is queued. */
const MAX_UNSENT_BYTES = 1_000_000;
const LINGER_MS = 1000;

/** Whom a link tells. `ended` is called exactly once, last of all. */
export interface LinkListener {
  ready(ready: Ready): void;
  dispatch(event: string, data: unknown): void;
  ended(error: ClientError): void;
}

/** One connection to one server: handshake, requests, events. Of no further use once it has ended. */
export interface Link {
  /** The access token this connection is authenticated with. */
  bearer: string | undefined;
  /** Why it ended; undefined while it has not. */
  lost: ClientError | undefined;
  /** Aborts when the link ends, with `lost` as its reason. */
  signal(): AbortSignal;
  /** Resolves once the socket is closed, at most a second after the end. */
  readonly gone: Promise<unknown>;
  /** Resolves with the answer's `data`. Rejects with RpcError, ClientError or the signal's reason. */
  ask(cmd: string, args: unknown, options: RequestOptions, evt?: string): Promise<unknown>;
  /** Says goodbye and hangs up; the listener hears `ended` before it returns. */
  end(error: ClientError): void;
}

/** Keeps nothing between two bodies, so that one serves every link. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type JsonObject = Readonly<Record<string, unknown>>;

interface Pending {
  answer(evt: unknown, data: unknown): void;
  fail(error: unknown): void;
}

/** Shakes hands on a socket, which may still be connecting. */
export function openLink(socket: Duplex, clientId: string, listener: LinkListener): Link {
  const decoder = new FrameDecoder(MAX_BODY_BYTES);
  const pending = new Map<string, Pending>();
  /** Made when it is asked for: few are, and it costs more than the rest of a link. */
  let over: AbortController | undefined;
  let shaken = false;
  let nonces = 0;
  /** The access token that was presented: servers repeat what they refuse. */
  let secret: unknown;

  const write = (opcode: Opcode, body: string | Uint8Array): void => {
    if (!socket.writable) return;
    const bytes = Buffer.from(body);
    // Of Node's pool, unlike the frames of a server, which many peers share and which may wait for long.
    const header = Buffer.allocUnsafe(HEADER_BYTES);
    header.writeInt32LE(opcode);
    header.writeInt32LE(bytes.length, 4);
    socket.write(Buffer.concat([header, bytes]));
  };
  const overloaded = (): boolean => socket.writableLength > MAX_UNSENT_BYTES;

  const end = (error: ClientError): void => {
    if (link.lost) return;
    link.lost = error;
    over?.abort(error);
    socket.end();
    const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    // It would hold on to all of this until then.
    void gone.then(() => clearTimeout(linger));
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
      listener.ready(asObject(data) as unknown as Ready);
    } else if (evt === 'ERROR') refused(asObject(data));
  };

  const parse = (body: Uint8Array): JsonObject => {
    try {
      return asObject(JSON.parse(utf8.decode(body)));
    } catch {
      // The parser's own message quotes the body, which may hold a token.
      throw new Error('a body is not JSON');
    }
  };

  const onFrame = ({ opcode, body }: Frame): void => {
    if (opcode === Opcode.FRAME) onPayload(parse(body));
    else if (opcode === Opcode.CLOSE) refused(parse(body));
    else if (opcode === Opcode.PING) {
      if (overloaded()) throw new Error('PING flood');
      write(Opcode.PONG, body);
    } else if (opcode === Opcode.HANDSHAKE) throw new Error('a HANDSHAKE');
  };

  socket.on('data', (chunk: Uint8Array) => {
    if (link.lost) return;
    try {
      decoder.append(chunk);
      for (let frame = decoder.take(); frame; frame = decoder.take()) {
        onFrame(frame);
        if (link.lost) return;
      }
    } catch (error) {
      end(new ClientError('PROTOCOL', `The server broke the protocol: ${(error as Error).message}`));
    }
  });
  socket.on('error', (error) => lose(error.message));
  const hungUp = (): void => lose('Server hung up');
  socket.on('end', hungUp);
  socket.on('close', hungUp);
  const gone = new Promise((resolve) => socket.on('close', resolve));

  // No getters: an object literal that has some takes V8 longer to make than all the rest of a link.
  const link: Link = {
    bearer: undefined,
    lost: undefined,
    signal() {
      over ??= new AbortController();
      if (link.lost) over.abort(link.lost);
      return over.signal;
    },
    gone,
    end(error) {
      if (!link.lost) write(Opcode.CLOSE, '{}');
      end(error);
    },
    ask: (cmd, args, { signal: given, timeoutMs = 0 }, evt) =>
      new Promise((resolve, reject) => {
        given?.throwIfAborted();
        if (link.lost) throw link.lost;
        if (overloaded()) throw new ClientError('OVERLOADED', `${cmd}: the server reads nothing`);
        secret = asObject(args)['access_token'] ?? secret;
        nonces += 1;
        const nonce = String(nonces);
        const body = JSON.stringify({ cmd, args, evt, nonce });
        const forget = (): void => {
          pending.delete(nonce);
          release();
        };
        const fail = (error: unknown): void => {
          forget();
          reject(error);
        };
        const release = limit(cmd, timeoutMs, given, fail);
        pending.set(nonce, {
          fail,
          answer(event, data) {
            if (event === 'ERROR') return fail(rpcError(cmd, secret, asObject(data)));
            forget();
            resolve(data ?? null);
          },
        });
        write(Opcode.FRAME, body);
      }),
  };
  // All ASCII and short: as text it needs no buffer.
  const hello = `{"v":1,"client_id":"${clientId}"}`;
  socket.write(`\0\0\0\0${String.fromCharCode(hello.length)}\0\0\0${hello}`, 'latin1');
  return link;
}

function rpcError(cmd: string, secret: unknown, { code, message }: JsonObject): RpcError {
  const text = printable(message, secret) || `${cmd} failed`;
  return new RpcError(cmd, typeof code === 'number' ? code : 1000, text);
}

function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value ? (value as JsonObject) : {};
}
