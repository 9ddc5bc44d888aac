import { randomBytes } from 'node:crypto';
import { formatText } from '../format.ts';
import { OPCODES } from '../tables.ts';
import type { Tracer } from '../trace/trace.ts';
import { Connection, openSocket } from './connection.ts';
import { clientFrame, readServerFrame, WS_OPCODES, type WsFrame } from './websocket-frame.ts';

const MAX_HEAD = 16 * 1024;

/**
 * Opens a WebSocket without a library. A refused upgrade is not an error here: the connection then ends immediately,
 * with the HTTP status in `detail`. Throws `ConnectError` when nothing listens.
 */
export async function connectWebSocket(
  url: URL,
  origin: string | undefined,
  ms: number,
  tracer?: Tracer,
): Promise<Connection> {
  const trace = tracer?.current?.connection(`${url.href}${origin === undefined ? '' : `, Origin ${origin}`}`);
  const address = { host: url.hostname, port: Number(url.port || 80) };
  const socket = await openSocket(address, `${url.protocol}//${url.host}`, ms, trace);
  socket.write(upgradeRequest(url, origin));
  return new WebSocketConnection(socket, trace);
}

function upgradeRequest(url: URL, origin: string | undefined): string {
  return [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Version: 13',
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    '\r\n',
  ].join('\r\n');
}

class WebSocketConnection extends Connection {
  readonly transport = 'websocket';
  #state: 'upgrading' | 'open' | 'closed' = 'upgrading';
  #bytes: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #reads = 0;
  #waiting: Buffer[] = [];

  protected override receive(chunk: Buffer): void {
    this.#reads++;
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    if (this.#state === 'upgrading' && !this.#readHead()) return;
    while (this.#state === 'open') {
      const next = readServerFrame(this.#bytes);
      if (next === 'incomplete') break;
      if (next === 'garbage') {
        this.#onGarbage('no WebSocket frame');
        return;
      }
      this.#bytes = next.rest;
      this.#onFrame(next.frame);
    }
  }

  protected override get leftover(): Buffer {
    return this.#bytes;
  }

  #readHead(): boolean {
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.#bytes.byteLength > MAX_HEAD) this.#onGarbage('no HTTP answer');
      return false;
    }
    const status = this.#bytes.subarray(0, end).toString('latin1').split('\r\n')[0] ?? '';
    this.#bytes = this.#bytes.subarray(end + 4);
    if (!/^HTTP\/1\.1 101\b/.test(status)) {
      this.trace?.note(formatText(status, 60));
      this.onEnd('end', formatText(status, 60));
      this.socket.destroy();
      return false;
    }
    this.#state = 'open';
    for (const bytes of this.#waiting.splice(0)) this.socket.write(bytes);
    return true;
  }

  #onFrame(frame: WsFrame): void {
    if (frame.masked) {
      this.#onGarbage('a masked frame from a server');
      return;
    }
    switch (frame.opcode) {
      case WS_OPCODES.TEXT:
      case WS_OPCODES.BINARY:
      case WS_OPCODES.CONTINUATION:
        this.#parts.push(frame.payload);
        if (frame.fin) this.#push(OPCODES.FRAME, frame.header, Buffer.concat(this.#parts.splice(0)));
        return;
      case WS_OPCODES.CLOSE:
        this.#state = 'closed';
        if (frame.payload.byteLength >= 2) {
          const message = frame.payload.subarray(2).toString('utf8');
          const body = JSON.stringify({ code: frame.payload.readUInt16BE(0), message });
          this.#push(OPCODES.CLOSE, frame.header, Buffer.from(body));
        }
        this.socket.end(clientFrame(WS_OPCODES.CLOSE, frame.payload.subarray(0, 2)));
        return;
      case WS_OPCODES.PING:
        this.socket.write(clientFrame(WS_OPCODES.PONG, frame.payload));
        return;
      case WS_OPCODES.PONG:
        return;
      default:
        this.#onGarbage(`WebSocket opcode ${frame.opcode}`);
    }
  }

  #push(opcode: number, header: Buffer, body: Buffer): void {
    this.trace?.received(body, opcode === OPCODES.CLOSE ? 'close' : 'message');
    this.inbox.push({ kind: 'frame', opcode, header, body, read: this.#reads, whole: true });
  }

  #onGarbage(reason: string): void {
    this.#state = 'closed';
    this.inbox.push({ kind: 'garbage', reason, bytes: this.#bytes });
  }

  protected override onEnd(how: 'end' | 'reset', detail: string): void {
    this.#state = 'closed';
    super.onEnd(how, detail);
  }

  override write(bytes: Uint8Array): Promise<void> {
    this.trace?.sent(bytes, 'bytes as they are');
    return this.#write(bytes);
  }

  #write(bytes: Uint8Array): Promise<void> {
    if (this.#state !== 'upgrading') return this.writeAll(bytes);
    this.#waiting.push(Buffer.from(bytes));
    return Promise.resolve();
  }

  override sendText(text: string): Promise<void> {
    this.trace?.sent(Buffer.from(text, 'utf8'), 'message');
    return this.#write(clientFrame(WS_OPCODES.TEXT, Buffer.from(text, 'utf8')));
  }

  override end(): void {
    if (this.#state === 'open') {
      const code = Buffer.alloc(2);
      code.writeUInt16BE(1000);
      this.socket.write(clientFrame(WS_OPCODES.CLOSE, code));
    } else {
      this.socket.end();
    }
  }
}
