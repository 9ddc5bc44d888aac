import type { IncomingMessage } from 'node:http';

/** Maximum bytes of a refused body to discard; beyond it the connection may close before the answer is read. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;

/**
 * Reads a whole body of at most `limit` bytes; a larger one is discarded. `too-large` once all of it has come and was
 * dropped: a peer that still writes would find the connection closed, and not get to read the reason. `gone`: the peer
 * left before the end. The server's own timeout bounds the time of a body.
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

/** Discards the rest of a body, until its end or that of the connection; a body above 64 MiB, received or declared, is not waited for. */
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
