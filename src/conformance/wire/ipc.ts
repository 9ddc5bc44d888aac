import { OPCODES } from '../tables.ts';
import type { Tracer } from '../trace/trace.ts';
import { Connection, openSocket } from './connection.ts';
import { FrameReader, frameBytes } from './frame.ts';

/** Connects to a unix socket or a named pipe. Throws `ConnectError`, also after `ms`. */
export async function connectIpc(path: string, ms: number, tracer?: Tracer): Promise<Connection> {
  const trace = tracer?.current?.connection(path);
  return new IpcConnection(await openSocket({ path }, path, ms, trace), trace);
}

/** Connection over a unix socket or a named pipe, from either side. */
export class IpcConnection extends Connection {
  readonly transport = 'ipc';
  readonly #reader = new FrameReader();

  protected override receive(chunk: Buffer): void {
    this.trace?.received(chunk);
    for (const frame of this.#reader.push(chunk)) this.inbox.push({ kind: 'frame', ...frame });
    if (this.#reader.garbage !== undefined) this.inbox.push({ kind: 'garbage', ...this.#reader.garbage });
  }

  protected override get leftover(): Buffer {
    return this.#reader.leftover;
  }

  override write(bytes: Uint8Array): Promise<void> {
    if (this.socket.writable) this.trace?.sent(bytes);
    return this.writeAll(bytes);
  }

  override sendText(text: string): Promise<void> {
    return this.write(frameBytes(OPCODES.FRAME, text));
  }

  override end(): void {
    this.trace?.note('we end our half of the stream');
    this.socket.end();
  }
}
