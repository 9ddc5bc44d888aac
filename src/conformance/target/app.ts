import { randomUUID } from 'node:crypto';
import { Failure, NotApplicable, verify } from '../failure.ts';
import { formatFrame, formatText, formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import {
  CLOSE_CODES,
  COMMAND_PROFILES,
  EVENT_PROFILES,
  includesProfile,
  OPCODES,
  type Profile,
} from '../tables.ts';
import type { Timeouts } from '../timeouts.ts';
import type { Connection } from '../wire/connection.ts';
import { frameBytes } from '../wire/frame.ts';
import type { Received } from '../wire/inbox.ts';

/** Received and parsed FRAME. */
export interface Message {
  readonly value: Record<string, unknown>;
  readonly frame: Extract<Received, { kind: 'frame' }>;
}

/** Event and nonce of a request. */
export interface RequestOptions {
  readonly evt?: string;
  readonly nonce?: string;
}

/** App in a case: a connection with methods that verify the received messages. */
export class App {
  readonly connection: Connection;
  readonly #timeouts: Timeouts;
  readonly #profile: Profile;
  readonly #events: Message[] = [];

  constructor(connection: Connection, timeouts: Timeouts, profile: Profile) {
    this.connection = connection;
    this.#timeouts = timeouts;
    this.#profile = profile;
  }

  /** Sends one frame; a WebSocket has only FRAME. */
  async send(opcode: number, body: string | Uint8Array): Promise<void> {
    if (this.connection.transport === 'ipc') await this.connection.write(frameBytes(opcode, body));
    else await this.connection.sendText(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
  }

  /** Sends a request and returns its nonce. The key `args` is absent if `args` is undefined. */
  async sendRequest(cmd: string, args?: unknown, options: RequestOptions = {}): Promise<string> {
    const nonce = options.nonce ?? randomUUID();
    await this.connection.sendText(JSON.stringify({ cmd, args, evt: options.evt, nonce }));
    return nonce;
  }

  /** Sends a request and waits for its answer. */
  async request(cmd: string, args?: unknown, options: RequestOptions = {}): Promise<Message> {
    const nonce = await this.sendRequest(cmd, args, options);
    const reply = await this.reply(
      nonce,
      `an answer to ${cmd}${options.evt === undefined ? '' : ` ${options.evt}`}`,
    );
    this.#checkProfile(cmd, options.evt, reply);
    return reply;
  }

  /** Like {@link request}, but the answer must not be an ERROR. Resolves with its `data`. */
  async succeed(cmd: string, args?: unknown, options: RequestOptions = {}): Promise<unknown> {
    const reply = await this.request(cmd, args, options);
    const { evt, data } = reply.value;
    verify(evt === null || evt === undefined, `${cmd} to succeed (evt null)`, () => formatMessage(reply));
    return data;
  }

  /** Like {@link request}, but the answer must be an ERROR with a code of `codes`. */
  async fail(
    codes: readonly number[],
    cmd: string,
    args?: unknown,
    options: RequestOptions = {},
  ): Promise<Message> {
    const reply = await this.request(cmd, args, options);
    isError(reply, codes);
    return reply;
  }

  #checkProfile(cmd: string, evt: string | undefined, reply: Message): void {
    const code = errorCodeOf(reply);
    const wanted = COMMAND_PROFILES[cmd] ?? 'presence';
    const event = evt === undefined ? 'presence' : (EVENT_PROFILES[evt] ?? 'presence');
    if (code === 4002 && !includesProfile(this.#profile, wanted)) {
      throw new NotApplicable(`${cmd} is outside the profile "${this.#profile}"`);
    }
    if ((code === 4002 || code === 4004) && !includesProfile(this.#profile, event)) {
      throw new NotApplicable(`${evt} is outside the profile "${this.#profile}"`);
    }
  }

  /** Waits for the answer with `nonce`; earlier events are stored for {@link event}. */
  async reply(nonce: string | null, what = `an answer with nonce ${formatValue(nonce)}`): Promise<Message> {
    return await this.#find(what, (message) => !isEvent(message) && message.value.nonce === nonce);
  }

  /** Waits for the next dispatch of `evt`. */
  async event(evt: string, ms = this.#timeouts.answerMs): Promise<Message> {
    const storedIndex = this.#events.findIndex((message) => message.value.evt === evt);
    if (storedIndex >= 0) return this.#events.splice(storedIndex, 1)[0] as Message;
    return await this.#find(
      `a dispatch of ${evt}`,
      (message) => isEvent(message) && message.value.evt === evt,
      ms,
    );
  }

  /** Verifies that `evt` is not dispatched for a while; other messages are ignored. */
  async noEvent(evt: string): Promise<void> {
    const stored = this.#events.find((message) => message.value.evt === evt);
    if (stored !== undefined) throw new Failure(`no dispatch of ${evt}`, formatMessage(stored));
    const until = Date.now() + this.#timeouts.quietMs;
    for (let left = this.#timeouts.quietMs; left > 0; left = until - Date.now()) {
      const received = await this.connection.next(left);
      if (received.kind === 'silence') return;
      const message = this.parse(received, 'nothing that ends the connection');
      verify(message.value.evt !== evt, `no dispatch of ${evt}`, () => formatMessage(message));
    }
  }

  async #find(
    what: string,
    wanted: (message: Message) => boolean,
    ms = this.#timeouts.answerMs,
  ): Promise<Message> {
    const until = Date.now() + ms;
    let others = 0;
    for (;;) {
      const received = await this.connection.next(Math.max(1, until - Date.now()));
      if (received.kind === 'silence') {
        throw new Failure(
          what,
          `nothing within ${ms} ms${others > 0 ? `, but ${others} other messages` : ''}`,
          'silent',
        );
      }
      if (received.kind === 'frame' && received.opcode === OPCODES.PONG) continue;
      const message = this.parse(received, what);
      if (wanted(message)) return message;
      others++;
      if (isEvent(message)) this.#events.push(message);
      if (Date.now() > until) throw new Failure(what, `${others} other messages within ${ms} ms`, 'flood');
    }
  }

  /** Next received item of any kind. */
  async next(ms = this.#timeouts.answerMs): Promise<Received> {
    return await this.connection.next(ms);
  }

  /** Next message, which must be a FRAME with a JSON object. */
  async message(what: string, ms = this.#timeouts.answerMs): Promise<Message> {
    return this.parse(await this.connection.next(ms), what);
  }

  /** Parses a received FRAME with a JSON object; anything else fails the case. */
  parse(received: Received, what: string): Message {
    if (received.kind !== 'frame' || received.opcode !== OPCODES.FRAME) throw unexpected(what, received);
    const value = parseBody(received.body);
    if (!isRecord(value)) throw unexpected(what, received);
    return { value, frame: received };
  }

  /** Next frame, which must have this opcode. */
  async frame(
    opcode: number,
    what: string,
    ms = this.#timeouts.answerMs,
  ): Promise<Extract<Received, { kind: 'frame' }>> {
    const received = await this.connection.next(ms);
    if (received.kind !== 'frame' || received.opcode !== opcode) throw unexpected(what, received);
    return received;
  }

  /** Sends the handshake, which only IPC has, and waits for READY. */
  async open(clientId: string): Promise<Message> {
    if (this.connection.transport === 'ipc') {
      await this.send(OPCODES.HANDSHAKE, JSON.stringify({ v: 1, client_id: clientId }));
    }
    return await this.welcome();
  }

  /** Waits for READY, the first message of a session. */
  async welcome(): Promise<Message> {
    const message = await this.message('FRAME(1) READY');
    const { cmd, evt } = message.value;
    verify(cmd === 'DISPATCH' && evt === 'READY', 'FRAME(1) READY', () => formatMessage(message));
    return message;
  }

  /**
   * Waits for CLOSE with one of `codes`, then for the end of the stream; answers and events before it are skipped.
   * Resolves with the CLOSE body.
   */
  async close(codes: readonly number[], ms = this.#timeouts.answerMs): Promise<Record<string, unknown>> {
    const what = `CLOSE(2) with code ${codes.join(' or ')}`;
    const until = Date.now() + ms;
    for (;;) {
      const received = await this.connection.next(Math.max(1, until - Date.now()));
      if (received.kind === 'frame' && received.opcode === OPCODES.FRAME && Date.now() < until) continue;
      if (received.kind !== 'frame' || received.opcode !== OPCODES.CLOSE) throw unexpected(what, received);
      const body = parseBody(received.body);
      const code = isRecord(body) ? body['code'] : undefined;
      verify(
        typeof code === 'number' && codes.includes(code),
        what,
        formatFrame(2, received.body, received.header),
      );
      await this.ended('the end of the stream after CLOSE');
      return body as Record<string, unknown>;
    }
  }

  /** Waits for CLOSE with any documented code and the end, or for the end alone: both are valid ways to drop a peer. */
  async disconnected(ms = this.#timeouts.answerMs): Promise<void> {
    const what = 'CLOSE(2) or the end of the stream';
    const received = await this.connection.next(ms);
    if (received.kind === 'end') return;
    if (received.kind !== 'frame' || received.opcode !== OPCODES.CLOSE) throw unexpected(what, received);
    const body = parseBody(received.body);
    const code = isRecord(body) ? body['code'] : undefined;
    verify(
      CLOSE_CODES.includes(Number(code)),
      'a documented close code',
      formatFrame(2, received.body, received.header),
    );
    await this.ended('the end of the stream after CLOSE');
  }

  /** Waits for the end of the stream; an error of the socket counts as an end. */
  async ended(what = 'the end of the stream', ms = this.#timeouts.answerMs): Promise<void> {
    const until = Date.now() + ms;
    for (;;) {
      const received = await this.connection.next(Math.max(1, until - Date.now()));
      if (received.kind === 'end') return;
      if (received.kind === 'frame' && Date.now() < until) continue;
      throw new Failure(what, formatReceived(received), 'unclean');
    }
  }

  /** Verifies that nothing arrives for a while. */
  async quiet(what = 'nothing', ms = this.#timeouts.quietMs): Promise<void> {
    const received = await this.connection.next(ms);
    if (received.kind !== 'silence') throw unexpected(what, received);
  }

  /** Verifies that the connection still serves: it answers a PING, or over a WebSocket a request. */
  async usable(): Promise<void> {
    if (this.connection.transport === 'websocket') {
      await this.request('SET_ACTIVITY', { pid: 1 });
      return;
    }
    const body = JSON.stringify(randomUUID());
    await this.send(OPCODES.PING, body);
    const until = Date.now() + this.#timeouts.answerMs;
    for (;;) {
      const received = await this.connection.next(Math.max(1, until - Date.now()));
      if (received.kind === 'frame' && received.opcode === OPCODES.FRAME && Date.now() < until) continue;
      const isPong = received.kind === 'frame' && received.opcode === OPCODES.PONG;
      if (isPong && isEqualJson(received.body, body)) return;
      throw unexpected('the connection to answer a PING', received);
    }
  }

  /** Ends the connection immediately. */
  destroy(): void {
    this.connection.destroy();
  }
}

/** Whether a message is a dispatch. An ERROR that answers a request called DISPATCH is no dispatch: it has a nonce. */
function isEvent(message: Message): boolean {
  return message.value['cmd'] === 'DISPATCH' && (message.value['nonce'] ?? null) === null;
}

function isEqualJson(body: Buffer, text: string): boolean {
  return JSON.stringify(parseBody(body)) === text;
}

/** Body as JSON, or undefined. */
export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** `data.code` of an ERROR answer. */
export function errorCodeOf(message: Message): number | undefined {
  const { evt, data } = message.value;
  if (evt !== 'ERROR' || !isRecord(data)) return undefined;
  return typeof data['code'] === 'number' ? data['code'] : undefined;
}

/** Verifies that an answer is an ERROR with one of `codes`. */
export function isError(message: Message, codes: readonly number[]): void {
  const code = errorCodeOf(message);
  verify(code !== undefined && codes.includes(code), `ERROR ${codes.join(' or ')}`, () =>
    formatMessage(message),
  );
}

/** Message on one line, with its first bytes. */
export function formatMessage(message: Message): string {
  return formatFrame(OPCODES.FRAME, message.frame.body, message.frame.header);
}

/** Received item on one line. */
export function formatReceived(received: Received): string {
  switch (received.kind) {
    case 'frame':
      return formatFrame(received.opcode, received.body, received.header);
    case 'end': {
      const left = received.leftover.byteLength;
      const how =
        received.how === 'reset'
          ? `connection lost (${received.detail})`
          : `end of stream (${received.detail})`;
      return left > 0 ? `${how} after ${left} bytes of an unfinished frame` : how;
    }
    case 'garbage':
      return `bytes that are no frame: ${formatText(received.reason)}`;
    case 'silence':
      return `nothing within ${received.ms} ms`;
  }
}

/** Failure for an unexpected item. */
export function unexpected(what: string, received: Received): Failure {
  const kind = received.kind === 'silence' ? 'silent' : received.kind === 'end' ? 'gone' : 'wrong';
  return new Failure(what, formatReceived(received), kind);
}
