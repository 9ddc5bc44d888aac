import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { RpcError } from '../../src/protocol/errors.ts';
import { readHandshake } from '../../src/protocol/handshake.ts';
import { encodePayload, readRequest } from '../../src/protocol/payload.ts';
import { CloseError } from '../../src/wire/close-error.ts';

const RUNS = 3000;
const name = fc.oneof(
  fc.string(),
  fc.constantFrom('GET_GUILDS', 'SUBSCRIBE', '__proto__', 'constructor', ''),
);
const value = fc.jsonValue({ maxDepth: 4 });
/** JSON that looks like a request, like a handshake, or like nothing; and text that is no JSON at all. */
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200, size: 'max' }),
  value.map(json),
  fc.record({ cmd: fc.oneof(name, value), nonce: fc.oneof(name, value), evt: value, args: value }).map(json),
  fc.record({ v: fc.oneof(fc.constant(1), value), client_id: fc.oneof(name, value) }).map(json),
);

function json(data: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(data));
}

/** What `read` gives, or one of the two errors that a peer may cause. */
function outcome<T>(read: () => T): T | CloseError | RpcError {
  try {
    return read();
  } catch (error) {
    if (error instanceof CloseError || error instanceof RpcError) return error;
    throw error;
  }
}

it('a request with any body is read, answered with an error, or closes the connection [T26]', () => {
  fc.assert(
    fc.property(body, (bytes) => {
      const request = outcome(() => readRequest(bytes));
      if (request instanceof Error || 'error' in request) return;
      expect([typeof request.cmd, typeof request.nonce]).toEqual(['string', 'string']);
    }),
    { numRuns: RUNS },
  );
});

it('a handshake with any body is read or closes the connection [T25]', () => {
  fc.assert(
    fc.property(body, (bytes) => {
      const handshake = outcome(() => readHandshake(bytes));
      if (handshake instanceof RpcError) throw handshake;
      if (!(handshake instanceof CloseError)) expect(handshake.clientId).toMatch(/^\d{1,20}$/);
    }),
    { numRuns: RUNS },
  );
});

it('an encoded payload has the four keys and decodes to the same values', () => {
  fc.assert(
    fc.property(
      fc.string(),
      value,
      fc.option(fc.string()),
      fc.option(fc.string()),
      (cmd, data, evt, nonce) => {
        const frame = encodePayload({ cmd, data, evt, nonce });
        const text = new TextDecoder('utf-8', { fatal: true }).decode(frame.body);
        expect(text).toBe(JSON.stringify({ cmd, data, evt, nonce }));
      },
    ),
    { numRuns: RUNS },
  );
});
