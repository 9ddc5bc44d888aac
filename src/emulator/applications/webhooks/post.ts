import { sign } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { inSystemWords } from '../../../../platform/system-words.ts';
import type { Does, Strike } from '../../../faults/fault.ts';
import type { Faults } from '../../../faults/faults.ts';
import type { Journal } from '../../../journal/journal.ts';
import { addressWithoutSecrets, textWithoutSecrets } from '../../../journal/without-secrets.ts';
import { signingKeyOf } from '../../kernel/application-key.ts';
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
  /** What it is, for the journal. */
  readonly type: string;
}

/** Where a post is written down, and what goes wrong with it on purpose. */
export interface Taps {
  /** Without it nothing is written down. */
  readonly journal: Journal | undefined;
  readonly faults: Faults;
}

/** What was signed, and what came of it. */
export interface Posted extends Pick<Attempt, 'headers' | 'outcome'> {
  /** The body of the answer; empty where it was not read. */
  readonly answer: string;
}

/** Posts a signed body and says what came of it; never rejects. */
export async function post(what: Post, taps: Taps): Promise<Posted> {
  const { application, type, url, body } = what;
  const begun = performance.now();
  const posted = taps.faults.isEmpty ? await posting(what) : await postingWithFaults(what, taps);
  const { outcome } = posted;
  if (!taps.journal?.isOn) return posted;
  taps.journal.add({
    kind: 'webhook',
    application,
    type,
    url: addressWithoutSecrets(url),
    ms: performance.now() - begun,
    text: textWithoutSecrets(body),
    outcome,
  });
  return posted;
}

/** A post that faults may delay, lose, or answer themselves. */
async function postingWithFaults(what: Post, { journal, faults }: Taps): Promise<Posted> {
  const strike = (...kinds: readonly Does['kind'][]): Strike | undefined => {
    const found = faults.strike({ on: 'webhook', application: what.application }, kinds);
    if (found)
      journal?.add({
        kind: 'fault',
        fault: found.fault,
        what: `${found.does.kind}: ${what.type} to a webhook`,
      });
    return found;
  };
  const late = strike('delay');
  if (late?.does.kind === 'delay') await delay(late.does.ms, undefined, { ref: false });
  const headers = signatureOf(what);
  const instead = strike('drop', 'status');
  if (instead?.does.kind === 'status') {
    return { headers, outcome: { kind: 'answered', status: instead.does.status }, answer: '' };
  }
  if (instead === undefined) return posting(what);
  return { headers, outcome: { kind: 'failed', reason: `a fault lost it (${instead.fault})` }, answer: '' };
}

/** By which the application tells who sent it. */
function signatureOf({ application, body, now, isForged = false }: Post): Attempt['headers'] {
  const timestamp = String(Math.floor(now / 1000));
  const signed = isForged ? `${timestamp} ${body}` : `${timestamp}${body}`;
  const signature = sign(null, Buffer.from(signed), signingKeyOf(application)).toString('hex');
  return { 'X-Signature-Ed25519': signature, 'X-Signature-Timestamp': timestamp };
}

async function posting(what: Post): Promise<Posted> {
  const { url, body, reads } = what;
  const { url: address, host } = readTarget(url);
  const headers = signatureOf(what);
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
