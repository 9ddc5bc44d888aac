import type { Socket } from 'node:net';
import { Opcode } from '../../src/wire/codes.ts';
import { fakeReady } from './fake-core.ts';
import { frameBytes } from './frame-bytes.ts';
import { onFrames, type ScriptedEndpoint, scriptedEndpoint } from './framed-socket.ts';

type Body = { readonly [key: string]: unknown };

/** A request as the scripted client got it. */
export interface ScriptedRequest {
  readonly cmd: string;
  readonly args: Body;
  readonly evt?: string;
  readonly nonce: string;
}

/** One connection to the scripted client. */
export class ScriptedSession {
  readonly socket: Socket;
  /** Bodies of HANDSHAKE, PONG and CLOSE frames, and every request, in the order they came. */
  readonly frames: { readonly opcode: number; readonly body: Body }[] = [];
  clientId = '';

  constructor(socket: Socket) {
    this.socket = socket;
  }

  send(opcode: number, body: unknown): void {
    this.socket.write(frameBytes(opcode, JSON.stringify(body)));
  }

  payload(body: Body): void {
    this.send(Opcode.FRAME, body);
  }

  ready(data: unknown = fakeReady): void {
    this.payload({ cmd: 'DISPATCH', data, evt: 'READY', nonce: null });
  }

  answer({ cmd, nonce }: ScriptedRequest, data: unknown = null): void {
    this.payload({ cmd, data, evt: null, nonce });
  }

  event(evt: string, data: unknown): void {
    this.payload({ cmd: 'DISPATCH', data, evt, nonce: null });
  }

  close(code: number, message: string): void {
    this.socket.end(frameBytes(Opcode.CLOSE, JSON.stringify({ code, message })));
  }

  /** Requests so far. */
  get requests(): ScriptedRequest[] {
    return this.frames
      .filter(({ opcode }) => opcode === Opcode.FRAME)
      .map(({ body }) => body as unknown as ScriptedRequest);
  }
}

/** What the client does; by default it says READY and answers every request with `null`. */
export interface Script {
  handshake?(session: ScriptedSession): void;
  request?(session: ScriptedSession, request: ScriptedRequest): void;
}

/** A chat client's endpoint that does as the test says. */
export class ScriptedClient {
  readonly path: string;
  readonly script: Script;
  /** Every session since the start, over all restarts. */
  readonly sessions: ScriptedSession[] = [];
  /** Number of connections, also of those that were probes. */
  connections = 0;
  readonly #endpoint: ScriptedEndpoint;
  #wake = (): void => {};

  constructor(path: string, script: Script = {}) {
    this.path = path;
    this.script = script;
    this.#endpoint = scriptedEndpoint(path, (socket) => this.#accept(socket));
  }

  async start(): Promise<this> {
    await this.#endpoint.start();
    return this;
  }

  /** Drops everybody without a word, and stops listening. */
  stop(): Promise<void> {
    return this.#endpoint.stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** The n-th session, counted from 0, once it has sent at least `frames` frames. */
  async session(index: number, frames = 1): Promise<ScriptedSession> {
    for (;;) {
      const session = this.sessions[index];
      if (session && session.frames.length >= frames) return session;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #accept(socket: Socket): void {
    const session = new ScriptedSession(socket);
    this.connections += 1;
    onFrames(socket, ({ opcode, body }) => {
      this.#take(session, opcode, JSON.parse(new TextDecoder().decode(body)) as Body);
    });
  }

  #take(session: ScriptedSession, opcode: number, body: Body): void {
    // A probe is no session.
    if (opcode === Opcode.PING) return session.send(Opcode.PONG, body);
    session.frames.push({ opcode, body });
    if (opcode === Opcode.HANDSHAKE) {
      session.clientId = String(body.client_id);
      this.sessions.push(session);
      if (this.script.handshake) this.script.handshake(session);
      else session.ready();
    } else if (opcode === Opcode.FRAME) {
      const request = body as unknown as ScriptedRequest;
      if (this.script.request) this.script.request(session, request);
      else session.answer(request);
    } else if (opcode === Opcode.CLOSE) {
      session.close(1000, 'client disconnect');
    }
    this.#wake();
  }
}
