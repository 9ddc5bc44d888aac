import type { IncomingMessage } from 'node:http';

/**
 * Maximum number of bytes of a refused body that are discarded. With a larger body, the connection may close before the
 * peer reads the answer.
 */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;

/**
 * Reads a whole body of at most `limit` bytes, and discards a larger one. The result is `too-large` only after the
 * whole body was received and discarded: a peer that still writes would find the connection closed, and could not read
 * the reason. It is `gone` if the peer left before the end. The server's own timeout limits the duration.
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer | 'too-large' | 'gone'> {
  if (declaredBytes(request) > limit) {
    await dropBody(request);
    return 'too-large';
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.byteLength;
      if (size <= limit) return void chunks.push(chunk);
      chunks.length = 0;
      request.off('data', take);
      void dropBody(request).then(() => resolve('too-large'));
    };
    request.on('data', take);
    request.on('end', () => size <= limit && resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve('gone'));
    request.on('close', () => size <= limit && resolve('gone'));
  });
}

function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * Discards the rest of a body until it or the connection ends. Does not wait for a body of more than 64 MiB, received
 * or declared.
 */
export function dropBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed || declaredBytes(request) > MAX_DROPPED_BYTES)
    return Promise.resolve();
  return new Promise((resolve) => {
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > MAX_DROPPED_BYTES) resolve();
    });
    for (const event of ['end', 'error', 'close']) request.on(event, () => resolve());
  });
}
