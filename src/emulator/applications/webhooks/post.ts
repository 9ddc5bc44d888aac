import { sign } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type * as z from 'zod';
import { systemErrorText } from '../../../../platform/system-error-text.ts';
import type { FaultEffect, FaultMatch } from '../../../faults/fault.ts';
import type { Faults } from '../../../faults/faults.ts';
import { addressWithoutSecrets } from '../../../journal/addresses.ts';
import { declaredText } from '../../../journal/declared.ts';
import type { Journal } from '../../../journal/journal.ts';
import { schemaNode } from '../../api/schema-node.ts';
import { signingKeyOf } from '../../kernel/application-key.ts';
import { readTarget } from './address.ts';
import type { Attempt } from './records.ts';

/** Timeout of a reply, in real milliseconds, because applications run in real time. */
const ANSWER_MS = 3_000;

/** A request to post. */
export interface Post {
  readonly application: string;
  readonly url: string;
  readonly body: string;
  /** Time of the signature by the emulator's clock, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** True to send an invalid signature, which the application must refuse. */
  readonly isForged?: boolean;
  /** Maximum number of bytes of the reply's body that are read; without it the body is not read. */
  readonly reads?: number;
  /**
   * Description for the journal (`type`), and the declared shape of the body (`shape`). The journal shows only fields
   * of the body that the shape declares.
   */
  readonly type: string;
  /** Id of the delivery, for the journal. */
  readonly delivery?: string;
  /** Present for what the operator sends again by hand: called with the number of the journal's entry. */
  readonly byHand?: ((seq: number) => void) | undefined;
  shape(): z.ZodType | Promise<z.ZodType>;
}

/** Journal and injected faults. */
export interface Observers {
  /** Journal of the traffic; without a journal, nothing is recorded. */
  readonly journal: Journal | undefined;
  readonly faults: Faults;
}

/** The signature headers of a request, and its outcome. */
export interface Posted extends Pick<Attempt, 'headers' | 'outcome'> {
  /** Body of the reply; empty where it was not read. */
  readonly answer: string;
}

/** Posts a signed body and returns the outcome; never rejects. */
export async function post(what: Post, observers: Observers): Promise<Posted> {
  const { application, type, url, body, delivery, byHand } = what;
  const loading = observers.journal?.isOn ? what.shape() : undefined;
  const begun = performance.now();
  const posted = observers.faults.isEmpty ? await posting(what) : await postingWithFaults(what, observers);
  const { outcome } = posted;
  const ms = performance.now() - begun;
  const shape = await loading;
  if (!observers.journal?.isOn || shape === undefined) return posted;
  observers.journal.addUnread({
    kind: 'webhook',
    bytes: url.length + body.length,
    render: () => ({
      kind: 'webhook',
      application,
      ...(delivery === undefined ? {} : { delivery }),
      ...(byHand && { byHand: true }),
      type,
      url: addressWithoutSecrets(url),
      ms,
      text: declaredText(body, schemaNode(shape, 'output')),
      outcome,
    }),
  });
  byHand?.(observers.journal.last);
  return posted;
}

/** Posts the request with the injected faults applied. They may delay it, drop it, or replace its reply. */
async function postingWithFaults(what: Post, { journal, faults }: Observers): Promise<Posted> {
  const apply = (...kinds: readonly FaultEffect['kind'][]): FaultMatch | undefined => {
    const found = faults.match({ on: 'webhook', application: what.application }, kinds);
    if (found)
      journal?.add({
        kind: 'fault',
        fault: found.fault,
        what: `${found.effect.kind}: ${what.type} to a webhook`,
      });
    return found;
  };
  const late = apply('delay');
  if (late?.effect.kind === 'delay') await delay(late.effect.ms, undefined, { ref: false });
  const headers = signatureOf(what);
  const instead = apply('drop', 'status');
  if (instead?.effect.kind === 'status') {
    return { headers, outcome: { kind: 'answered', status: instead.effect.status }, answer: '' };
  }
  if (instead === undefined) return posting(what);
  return { headers, outcome: { kind: 'failed', reason: `a fault lost it (${instead.fault})` }, answer: '' };
}

/** Signature headers by which the application authenticates the sender. */
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
    // Without a listener, Node would close an upgraded connection and emit no event.
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
  return error.name === 'AbortError' ? 'no answer in 3 s' : systemErrorText(error);
}
