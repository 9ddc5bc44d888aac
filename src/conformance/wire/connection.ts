import type { Received } from './inbox.ts';

/** A raw connection to a server: bytes out, frames in. */
export interface Connection {
  readonly transport: 'ipc' | 'websocket';
  /** Writes bytes as they are; resolves when the kernel has them or the stream is over. */
  write(bytes: Uint8Array): Promise<void>;
  /** Sends one message: a FRAME over IPC, a text message over a WebSocket. */
  sendText(text: string): Promise<void>;
  /** The next thing that came in, or silence after `ms`. */
  next(ms: number): Promise<Received>;
  /** Stops (or goes on) taking bytes from the socket, as an app that never reads. */
  pause(): void;
  resume(): void;
  /** Ends our half of the stream. */
  end(): void;
  /** Ends the connection at once. */
  destroy(): void;
}

/** Nobody could be reached. `code` is the system's error code, such as ECONNREFUSED. */
export class ConnectError extends Error {
  readonly code: string;

  constructor(where: string, code: string, detail: string) {
    super(`${where}: ${detail}`);
    this.name = 'ConnectError';
    this.code = code;
  }
}

/** The `code` of a system error, or `unknown`. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}
