import type { Socket } from 'node:net';
import { Failure, verify } from '../failure.ts';
import { formatFrame } from '../format.ts';
import { isRecord } from '../schema.ts';
import { OPCODES } from '../tables.ts';
import { formatReceived, parseBody, unexpected } from '../target/app.ts';
import { sleep } from '../target/launch.ts';
import type { ConnectionTrace } from '../trace/trace.ts';
import { frameBytes } from '../wire/frame.ts';
import type { Received } from '../wire/inbox.ts';
import { IpcConnection } from '../wire/ipc.ts';

/** Request of the client under test. */
export interface ClientRequest {
  readonly cmd: unknown;
  readonly args: unknown;
  readonly evt: unknown;
  readonly nonce: unknown;
  readonly frame: Extract<Received, { kind: 'frame' }>;
}

/** READY of the reference client. */
export const READY = {
  cmd: 'DISPATCH',
  data: {
    v: 1,
    config: { cdn_host: 'cdn.discordapp.com', api_endpoint: '//discord.com/api', environment: 'production' },
    user: {
      id: '200000000000000001',
      username: 'tester',
      discriminator: '0',
      global_name: 'Tester',
      avatar: '5f4dcc3b5aa765d61d8327deb882cf99',
      avatar_decoration_data: null,
      bot: false,
      flags: 0,
      premium_type: 0,
    },
  },
  evt: 'READY',
  nonce: null,
} as const;

const CUT_MS = 30;

/** Connection of the client under test, from the server's side. */
export class Visitor {
  readonly socket: Socket;
  readonly #connection: IpcConnection;
  readonly #answerMs: number;
  /** Bodies of the PINGs that the client has sent and {@link next} has skipped. */
  readonly pings: string[] = [];

  constructor(socket: Socket, answerMs: number, trace: ConnectionTrace | undefined) {
    this.socket = socket;
    this.#connection = new IpcConnection(socket, trace);
    this.#answerMs = answerMs;
  }

  /** Next received item; a PING that the client sends before it is answered and skipped. */
  async next(ms = this.#answerMs): Promise<Received> {
    const until = Date.now() + ms;
    for (;;) {
      const received = await this.#connection.next(Math.max(1, until - Date.now()));
      if (received.kind !== 'frame' || received.opcode !== OPCODES.PING || Date.now() > until)
        return received;
      this.pings.push(received.body.toString('utf8'));
      this.send(OPCODES.PONG, received.body);
    }
  }

  /** Next frame, which must have this opcode. */
  async frame(
    opcode: number,
    what: string,
    ms = this.#answerMs,
  ): Promise<Extract<Received, { kind: 'frame' }>> {
    const received = await this.next(ms);
    if (received.kind !== 'frame' || received.opcode !== opcode) throw unexpected(what, received);
    return received;
  }

  /** HANDSHAKE, the first frame of a client. */
  async handshake(): Promise<{
    readonly body: Record<string, unknown>;
    readonly frame: Extract<Received, { kind: 'frame' }>;
  }> {
    const frame = await this.frame(OPCODES.HANDSHAKE, 'HANDSHAKE(0) as the first frame');
    const body = parseBody(frame.body);
    verify(isRecord(body), 'a JSON object as handshake', () => formatFrame(0, frame.body, frame.header));
    return { body: body as Record<string, unknown>, frame };
  }

  /** Receives the handshake and sends READY. */
  async welcome(ready: unknown = READY): Promise<void> {
    await this.handshake();
    this.sendJson(ready);
  }

  /** Next request. */
  async request(what = 'a request', ms = this.#answerMs): Promise<ClientRequest> {
    const frame = await this.frame(OPCODES.FRAME, what, ms);
    const body = parseBody(frame.body);
    if (!isRecord(body)) throw new Failure(`${what} as a JSON object`, formatReceived(frame));
    return { cmd: body['cmd'], args: body['args'], evt: body['evt'], nonce: body['nonce'], frame };
  }

  /** Next request with this command; other requests before it are answered with null. */
  async requestOf(cmd: string, ms = this.#answerMs): Promise<ClientRequest> {
    const until = Date.now() + ms;
    for (;;) {
      const request = await this.request(cmd, Math.max(1, until - Date.now()));
      if (request.cmd === cmd) return request;
      this.answer(request, null);
    }
  }

  /** Writes a frame. */
  send(opcode: number, body: string | Uint8Array): void {
    this.write(frameBytes(opcode, body));
  }

  /** Writes a FRAME with this JSON. */
  sendJson(value: unknown): void {
    this.send(OPCODES.FRAME, JSON.stringify(value));
  }

  /** Answers a request. */
  answer(request: ClientRequest, data: unknown): void {
    this.sendJson(answerTo(request, data));
  }

  /** Writes raw bytes. */
  write(bytes: Uint8Array): void {
    void this.#connection.write(bytes);
  }

  /** Writes a frame in pieces, cut at positions where weak readers fail, with a pause after each piece. */
  async drip(frame: Uint8Array): Promise<void> {
    let from = 0;
    for (const cut of [3, 8, 11, Math.floor(frame.byteLength / 2), frame.byteLength]) {
      this.write(frame.subarray(from, cut));
      from = cut;
      if (cut < frame.byteLength) await sleep(CUT_MS);
    }
  }

  /** Verifies that the client ends the connection; frames before its end are ignored. */
  async ended(what = 'the client to end the connection', ms = this.#answerMs): Promise<void> {
    const until = Date.now() + ms;
    for (;;) {
      const received = await this.next(Math.max(1, until - Date.now()));
      if (received.kind === 'end') return;
      if (received.kind !== 'frame' || Date.now() > until)
        throw new Failure(what, formatReceived(received), 'unclean');
    }
  }

  destroy(): void {
    this.#connection.destroy();
  }
}

/** Envelope that answers a request. */
export function answerTo(request: ClientRequest, data: unknown): unknown {
  return { cmd: request.cmd, data, evt: null, nonce: request.nonce };
}
