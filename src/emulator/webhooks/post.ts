import { sign } from 'node:crypto';
import { request } from 'node:http';
import { inSystemWords } from '../../../platform/system-words.ts';
import { signingKeyOf } from '../application-key.ts';
import { readTarget } from './address.ts';
import type { Attempt } from './records.ts';

/** How long an application may take to answer, in milliseconds of the machine: it is the application's time, not the emulator's. */
const ANSWER_MS = 3_000;

/** What is posted. */
export interface Post {
  readonly application: string;
  readonly url: string;
  readonly body: string;
  /** By the emulator's clock, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** A signature that does not belong to the body, which the application has to refuse. */
  readonly isForged?: boolean;
  /** Reads the body of the answer, up to so many bytes; without it none is read. */
  readonly reads?: number;
}

/** What was signed, and what came of it. */
export interface Posted extends Pick<Attempt, 'headers' | 'outcome'> {
  /** The body of the answer; empty where it was not read. */
  readonly answer: string;
}

/** Posts a signed body and says what came of it; never rejects. */
export async function post({ application, url, body, now, isForged = false, reads }: Post): Promise<Posted> {
  const { url: address, host } = readTarget(url);
  const timestamp = String(Math.floor(now / 1000));
  const signed = isForged ? `${timestamp} ${body}` : `${timestamp}${body}`;
  const signature = sign(null, Buffer.from(signed), signingKeyOf(application)).toString('hex');
  const headers = { 'X-Signature-Ed25519': signature, 'X-Signature-Timestamp': timestamp };
  let answer = '';
  const outcome = await new Promise<Attempt['outcome']>((resolve) => {
    const fail = (reason: string): void => resolve({ kind: 'failed', reason });
    const sent = request(
      {
        host,
        port: address.port === '' ? 80 : Number(address.port),
        path: `${address.pathname}${address.search}`,
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: {
          Host: address.host,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          ...headers,
          'User-Agent': 'Footbridge-Webhook/1.0',
        },
      },
      (response) => {
        const status = response.statusCode ?? 0;
        if (reads === undefined) {
          response.destroy();
          resolve({ kind: 'answered', status });
          return;
        }
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          size += part.length;
          parts.push(part);
          if (size <= reads) return;
          fail(`an answer of more than ${reads} bytes`);
          response.destroy();
        });
        response.on('end', () => {
          answer = Buffer.concat(parts).toString('utf8');
          resolve({ kind: 'answered', status });
        });
        response.on('error', (error) => fail(failureOf(error)));
      },
    );
    // Without a listener Node closes such a connection and tells nobody.
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ kind: 'answered', status: response.statusCode ?? 0 });
    });
    sent.on('error', (error) => fail(failureOf(error)));
    sent.end(body);
  });
  return { headers, outcome, answer };
}

function failureOf(error: Error): string {
  const isLate = error.name === 'AbortError' || error.name === 'TimeoutError';
  return isLate ? 'no answer in 3 s' : inSystemWords(error);
}
