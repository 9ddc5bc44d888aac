import type { Received } from './inbox.ts';

/** Raw connection to a server: bytes out, frames in. */
export interface Connection {
  readonly transport: 'ipc' | 'websocket';
  /** Writes raw bytes; resolves when the kernel has accepted them or the stream has ended. */
  write(bytes: Uint8Array): Promise<void>;
  /** Sends one message: a FRAME over IPC, a text message over a WebSocket. */
  sendText(text: string): Promise<void>;
  /** Next received item, or silence after `ms`. */
  next(ms: number): Promise<Received>;
  /** Stops or resumes reading from the socket, as an app that never reads. */
  pause(): void;
  resume(): void;
  /** Ends our half of the stream. */
  end(): void;
  /** Ends the connection immediately. */
  destroy(): void;
}

/** No server could be reached. `code` is the system's error code, such as ECONNREFUSED. */
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
