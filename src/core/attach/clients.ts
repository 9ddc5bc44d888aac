import { AttachedClient, LostError } from './client.ts';
import type { Pairing } from './pairing.ts';
import {
  ATTACH_VERSION,
  AttachClose,
  type AttachedUser,
  type BridgeMessage,
  type CallParams,
  type ClientMessage,
  clientMessage,
  type Hello,
  type HelloResult,
  hello,
} from './protocol.ts';
import { startTimer } from './timer.ts';
import type { WsClient } from './ws-listener.ts';

/** Services and callbacks of the core. */
export interface ClientsOptions {
  readonly pairing: Pairing;
  /** Current state for a client that has just attached. */
  state(): Omit<HelloResult, 'v' | 'token'>;
  event(params: Extract<ClientMessage, { method: 'event' }>['params']): void;
  revoked(token: string): void;
  /** The account that apps see has changed. */
  accountChanged(): void;
  /** A client was refused or sent an invalid message. */
  refused(reason: string): void;
}

const HELLO_MS = 5000;

/** Every attached client, and the choice of the client that answers. */
export class AttachedClients {
  readonly #options: ClientsOptions;
  readonly #clients = new Set<AttachedClient>();
  /**
   * Id of the account that apps see. The id stays when the clients of the account disconnect, because they reconnect.
   */
  #account: string | undefined;
  #user: AttachedUser | null = null;

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  list(): readonly AttachedClient[] {
    return [...this.#clients];
  }

  get account(): string | undefined {
    return this.#account;
  }

  /** The user that apps see. */
  get user(): AttachedUser | null {
    return this.#user;
  }

  /** Clients of the account that apps see, in the order they attached; with `cmd`, only the clients that answer it. */
  answering(cmd?: string): readonly AttachedClient[] {
    return this.list().filter(
      ({ user, commands }) => user?.id === this.#account && (cmd === undefined || commands.has(cmd)),
    );
  }

  broadcast(message: BridgeMessage): void {
    for (const client of this.#clients) client.send(message);
  }

  /**
   * Sends a request to all clients, and resolves with the first answer; a refusal is an answer. Rejects with LostError
   * when all clients have disconnected.
   */
  async requestAny(
    clients: readonly AttachedClient[],
    params: CallParams,
    signal: AbortSignal,
  ): Promise<unknown> {
    const answered = new AbortController();
    const either = AbortSignal.any([signal, answered.signal]);
    try {
      const first = await Promise.any(
        clients.map((client) =>
          client.request({ method: 'call', params }, either).then(
            (result) => ({ result }),
            (error: unknown) => {
              if (error instanceof LostError) throw error;
              return { error };
            },
          ),
        ),
      );
      if ('error' in first) throw first.error;
      return first.result;
    } catch (error) {
      throw error instanceof AggregateError ? new LostError('every client has left') : error;
    } finally {
      answered.abort();
    }
  }

  /**
   * Sends a request to one client after the other until a client answers. Rejects with LostError when all have
   * disconnected.
   */
  async requestInTurn(
    clients: readonly AttachedClient[],
    question: Parameters<AttachedClient['request']>[0],
    signal: AbortSignal,
  ): Promise<unknown> {
    for (const client of clients) {
      try {
        return await client.request(question, signal);
      } catch (error) {
        if (!(error instanceof LostError) || signal.aborted) throw error;
      }
    }
    throw new LostError('no client is left to ask');
  }

  /** Changes the account that apps see; returns false when no client has the account. */
  choose(account: string): boolean {
    const client = this.list().find(({ user }) => user?.id === account);
    if (client === undefined) return false;
    this.#see(client.user);
    return true;
  }

  /** Closes the clients of this name. */
  remove(name: string): void {
    for (const client of this.#clients) {
      if (client.name !== name) continue;
      this.#forget(client);
      client.close(AttachClose.UNAUTHORIZED, 'removed');
    }
  }

  /** Handles a new connection, whose client has not sent its hello message yet. */
  accept(socket: WsClient): void {
    let client: AttachedClient | undefined;
    const late = startTimer(HELLO_MS, () => socket.close(AttachClose.TIMEOUT, 'no hello in time'));
    const refuse = (code: number, reason: string): void => {
      late.cancel();
      if (client) this.#forget(client);
      this.#options.refused(reason);
      // The listener is removed, so that messages which still arrive are ignored.
      socket.listener = undefined;
      socket.close(code, reason);
    };
    socket.listener = {
      message: (text) => {
        const value = parse(text);
        if (client !== undefined) {
          // A client that was removed may still send, because its connection is still closing.
          if (this.#clients.has(client)) this.#take(client, value, refuse);
          return;
        }
        const parsed = hello().safeParse(value);
        if (!parsed.success) {
          const where = parsed.error.issues[0]?.path.join('.') ?? '';
          const text = where === '' ? '' : `: ${where.slice(0, 60)}`;
          return refuse(AttachClose.BAD_MESSAGE, `not a hello of version 1${text}`);
        }
        const known = this.#identify(parsed.data);
        if (known === undefined) return refuse(AttachClose.UNAUTHORIZED, 'unknown code or token');
        late.cancel();
        client = this.#welcome(socket, parsed.data, known);
      },
      closed: () => {
        late.cancel();
        if (client) this.#forget(client);
      },
    };
  }

  #forget(client: AttachedClient): void {
    this.#clients.delete(client);
    client.lost();
  }

  #identify({
    params: { code, token },
  }: Hello): { readonly name: string; readonly token?: string } | undefined {
    if (code !== undefined) return this.#options.pairing.redeem(code);
    const name = token === undefined ? undefined : this.#options.pairing.nameOf(token);
    return name === undefined ? undefined : { name };
  }

  #welcome(
    socket: WsClient,
    { id, params }: Hello,
    known: { readonly name: string; readonly token?: string },
  ): AttachedClient {
    const { user = null, commands } = params;
    socket.trust();
    const client = new AttachedClient(socket, { name: known.name, user, commands });
    // The state is sent in the same turn as the registration, so that the client misses no change in between.
    const token = known.token === undefined ? {} : { token: known.token };
    client.send({ id, result: { v: ATTACH_VERSION, ...token, ...this.#options.state() } });
    this.#clients.add(client);
    this.#consider(user);
    return client;
  }

  #take(client: AttachedClient, value: unknown, refuse: (code: number, reason: string) => void): void {
    const parsed = clientMessage().safeParse(value);
    if (!parsed.success) return refuse(AttachClose.BAD_MESSAGE, 'no message of this protocol');
    const message = parsed.data;
    if ('result' in message || 'error' in message) return client.answer(message.id, message);
    if (message.method === 'user') {
      client.user = message.params.user;
      return this.#consider(client.user);
    }
    if (client.user?.id !== this.#account) {
      client.ignored += 1;
      return;
    }
    if (message.method === 'event') this.#options.event(message.params);
    else this.#options.revoked(message.params.token);
  }

  /**
   * Handles the logged-in user that a client reports: the user becomes the account that apps see, unless a client of
   * another account answers.
   */
  #consider(user: AttachedUser | null): void {
    if (user === null) return;
    if (user.id === this.#account) this.#user = user;
    else if (this.answering().length === 0) this.#see(user);
  }

  #see(user: AttachedUser | null): void {
    const before = this.#account;
    this.#account = user?.id;
    this.#user = user;
    if (before !== undefined && before !== this.#account) this.#options.accountChanged();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
