import { request } from 'node:http';
import { connect } from 'node:net';
import type { TestEmulator } from '../../src/testing/testing.ts';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | AsyncIterable<Buffer>;
}

/** A request with exactly these headers; the path is below `/api` unless it begins with two slashes. */
export async function ask(
  emulator: TestEmulator,
  what: string,
  { headers = {}, form, body }: Sent = {},
): Promise<Answer> {
  const [method, path = ''] = what.split(' ');
  const { port } = new URL(emulator.api);
  const formType = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const bytes = form === undefined ? body : new URLSearchParams(form).toString();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: path.startsWith('//') ? path.slice(1) : `/api${path}`,
        headers: { ...formType, ...headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    // Who is refused before the end of a body may find its connection closed: the answer counts.
    sent.on('error', (error) => setTimeout(() => reject(error), 1000));
    if (bytes === undefined || typeof bytes === 'string' || Buffer.isBuffer(bytes)) sent.end(bytes);
    else void feed(bytes, sent);
  });
}

async function feed(bytes: AsyncIterable<Buffer>, to: NodeJS.WritableStream): Promise<void> {
  for await (const chunk of bytes) {
    if (!to.writable) return;
    if (!to.write(chunk)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
  }
  to.end();
}

/** So much of nothing, piece by piece. */
export async function* zeros(mebibytes: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < mebibytes; sent += 1) yield Buffer.alloc(1024 * 1024);
}

/** Bytes as they are, for what no client sends. */
export function raw(emulator: TestEmulator, bytes: string): Promise<Answer> {
  return rawAnswer(Number(new URL(emulator.api).port), bytes);
}

async function rawAnswer(port: number, bytes: string): Promise<Answer> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(bytes);
  const text = (await socket.toArray()).join('');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), headers: {}, text: body };
}
