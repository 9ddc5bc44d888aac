import { connect } from 'node:net';

/** One request of the load. */
export interface LoadRequest {
  /** `GET /path`. */
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether its answer counts; default true. */
  readonly counts?: boolean;
}

/** What a connection asks next, by the last answer's body; '' at first. */
export type Ask = (answer: string) => LoadRequest;

const CONNECTIONS = 16;

/**
 * Asks over 16 connections, one request at a time on each, and counts the answers. It parses as little as it can, so that it
 * costs less than any server. Rejects when an answer is not 200.
 */
export async function httpLoad(
  url: URL,
  connection: () => Ask,
  ms: number,
): Promise<{ readonly counted: number }> {
  const end = performance.now() + ms;
  let counted = 0;
  const one = (ask: Ask): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
      let pending = '';
      let counts = false;
      const send = (answer: string): void => {
        if (performance.now() >= end) {
          socket.destroy();
          return resolve();
        }
        const { what, headers, body = '', counts: isCounted = true } = ask(answer);
        counts = isCounted;
        const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
        socket.write(`${what} HTTP/1.1\r\nhost: ${url.host}\r\n${fields.join('')}${length}\r\n${body}`);
      };
      socket.setEncoding('latin1');
      socket.on('error', reject);
      socket.on('connect', () => send(''));
      socket.on('data', (chunk: string) => {
        pending += chunk;
        const head = pending.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(pending)?.[1] ?? 0);
        if (pending.length < head + 4 + length) return;
        const body = pending.slice(head + 4);
        if (!pending.startsWith('HTTP/1.1 200'))
          reject(new Error(`answered ${pending.slice(0, 12)} ${body}`));
        pending = '';
        if (counts) counted += 1;
        send(body);
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, () => one(connection())));
  return { counted };
}
