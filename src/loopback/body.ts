import type { IncomingMessage } from 'node:http';

/**
 * Reads a whole body of at most `limit` bytes. `too-large` as soon as that is known; what still comes is dropped as it
 * comes, so that the peer gets to read why. `gone`: the peer left before the end.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too-large' | 'gone'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    request.resume();
    return Promise.resolve('too-large');
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve('too-large');
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve('gone'));
    request.on('close', () => resolve('gone'));
  });
}
