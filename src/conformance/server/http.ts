import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Failure } from '../failure.ts';
import type { Trace } from '../trace/trace.ts';

/** Response of the token endpoint. */
export interface HttpAnswer {
  readonly status: number;
  /** JSON body, or undefined for a body that is not JSON. */
  readonly body: unknown;
}

const MAX_BODY = 64 * 1024;

/** POSTs a form. Throws {@link Failure} without a response within `ms`. */
export function postForm(
  address: string,
  fields: Readonly<Record<string, string>>,
  ms: number,
  trace?: Trace,
): Promise<HttpAnswer> {
  const url = new URL(address);
  // The trace contains only the names of the fields, because most values are secrets.
  trace?.note(`POST ${address} ${Object.keys(fields).join(', ')}`);
  const text = new URLSearchParams(fields).toString();
  return new Promise((resolve, reject) => {
    const fail = (actual: string) => {
      request.destroy();
      trace?.note(actual);
      reject(
        new Failure(`an answer of the token endpoint ${url.origin}${url.pathname}`, actual, 'prerequisite'),
      );
    };
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': text.length },
        timeout: ms,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.byteLength;
          if (size > MAX_BODY) fail(`more than ${MAX_BODY} bytes`);
          else chunks.push(chunk);
        });
        response.on('error', () => fail('a broken answer'));
        response.on('end', () => {
          let body: unknown;
          try {
            body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
          } catch {
            body = undefined;
          }
          const status = response.statusCode ?? 0;
          trace?.note(`status ${status} ${Object.keys(Object(body) as object).join(', ')}`);
          resolve({ status, body });
        });
      },
    );
    request.on('timeout', () => fail(`nothing within ${ms} ms`));
    request.on('error', (error) => fail(error.message));
    request.end(text);
  });
}
