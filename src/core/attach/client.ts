import { ErrorCode } from '../../protocol/error-code.ts';
import { RpcError } from '../../protocol/errors.ts';
import type { AttachedUser, BridgeMessage, CallParams } from './protocol.ts';
import type { WsClient } from './ws-listener.ts';

/** The client disconnected before it answered; the request may be sent to another client. */
export class LostError extends Error {
  override readonly name = 'LostError';
}

interface Question {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Maximum number of open requests of a client; above it the client does not answer at all. */
const MAX_OPEN_REQUESTS = 1024;
/** Codes that JSON-RPC reserves; a code outside of this range is an error code for the app. */
const JSON_RPC_CODES = { first: -32_768, last: -32_000 } as const;

/** One attached client, after its hello message. */
export class AttachedClient {
  readonly name: string;
  readonly commands: ReadonlySet<string>;
  /** Time of the attach (ms since the Unix epoch). */
  readonly attachedAt = Date.now();
  /** The account that is logged in at the client; null for none. */
  user: AttachedUser | null;
  /** Number of ignored messages: answers without a request, and events that the client may not send. */
  ignored = 0;
  readonly #socket: WsClient;
  readonly #questions = new Map<number, Question>();
  #ids = 0;

  constructor(
    socket: WsClient,
    { name, user, commands }: { name: string; user: AttachedUser | null; commands: readonly string[] },
  ) {
    this.#socket = socket;
    this.name = name;
    this.user = user;
    this.commands = new Set(commands);
  }

  send(message: BridgeMessage): void {
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /**
   * Sends a request. Rejects with the client's RpcError, with LostError when the client leaves, or with the signal's
   * reason.
   */
  request(
    question:
      | { readonly method: 'call'; readonly params: CallParams }
      | {
          readonly method: 'subscribe';
          readonly params: { readonly session: string; readonly evt: string; readonly args: unknown };
        },
    signal: AbortSignal,
  ): Promise<unknown> {
    if (this.#questions.size >= MAX_OPEN_REQUESTS) return Promise.reject(new LostError('too many questions'));
    if (signal.aborted) return Promise.reject(new LostError('nobody waits for it'));
    this.#ids += 1;
    const id = this.#ids;
    return new Promise((resolve, reject) => {
      const withdraw = (): void => {
        this.#questions.delete(id);
        this.send({ method: 'withdrawn', params: { id } });
        reject(new LostError('nobody waits for it'));
      };
      const settled = (): void => signal.removeEventListener('abort', withdraw);
      signal.addEventListener('abort', withdraw);
      this.#questions.set(id, {
        resolve(result) {
          settled();
          resolve(result);
        },
        reject(error) {
          settled();
          reject(error);
        },
      });
      this.send({ id, ...question });
    });
  }

  answer(id: number, outcome: { readonly result: unknown } | { readonly error: ClientError }): void {
    const question = this.#questions.get(id);
    if (question === undefined) {
      this.ignored += 1;
      return;
    }
    this.#questions.delete(id);
    if ('result' in outcome) question.resolve(outcome.result);
    else question.reject(toRpcError(outcome.error));
  }

  /** Rejects the open requests of a client that has disconnected or is being disconnected. */
  lost(): void {
    for (const question of this.#questions.values()) question.reject(new LostError('the client has left'));
    this.#questions.clear();
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }
}

interface ClientError {
  readonly code: number;
  readonly message: string;
}

function toRpcError({ code, message }: ClientError): RpcError {
  if (code >= JSON_RPC_CODES.first && code <= JSON_RPC_CODES.last) {
    const text = 'The attached client failed at it; the reason is in its log';
    return new RpcError(ErrorCode.UNKNOWN_ERROR, text, { detail: message.slice(0, 200) });
  }
  return new RpcError(code as ErrorCode, message);
}
