import type { Server } from 'node:http';
import { pathWithoutSecrets, withoutSecrets } from '../../journal/without-secrets.ts';
import type { Transport } from '../../transport/transport.ts';
import { Opcode } from '../../wire/codes.ts';
import type { TransportKind } from '../../wire/connection.ts';
import { bodyOf, type Passage, watch } from './watch.ts';

/** What speaks against an activity, as far as it is written down. */
interface Doubt {
  readonly clientId: string;
  readonly field: string;
  readonly reason: string;
}

/** What was asked for and is not offered. */
export interface Missing {
  readonly what: string;
  readonly times: number;
}

/** Makes objects of what passes, without tokens, codes and secrets. */
export interface Recorder {
  /** The same transport, whose requests, answers and events are written down. */
  watch(transport: Transport): Transport;
  /** Writes down the requests of an HTTP server, without their bodies. */
  watchHttp(server: Server): void;
  /** Writes down what speaks against an activity, after the request that it is about. */
  doubt(doubt: Doubt): void;
  /** Writes down what was asked for and is not offered. */
  missing(missing: Missing): void;
}

/** Gives each record with the milliseconds since now to `write`. */
export function recorder(write: (record: Readonly<Record<string, unknown>>) => void): Recorder {
  const started = performance.now();
  const tell = (record: Readonly<Record<string, unknown>>): void =>
    write({ ms: Math.round(performance.now() - started), ...record });
  let connections = 0;
  return {
    watch(transport) {
      // Numbers of different transports must not be the same.
      const numbers = new Map<number, number>();
      return watch(transport, (number, kind, passage) => {
        if (!numbers.has(number)) {
          connections += 1;
          numbers.set(number, connections);
        }
        const record = recordOf(passage, kind);
        if (record !== undefined) tell({ connection: numbers.get(number), ...record });
        if (passage.kind === 'ended') numbers.delete(number);
      });
    },
    watchHttp(server) {
      server.on('request', ({ method, url = '' }, response) => {
        response.once('close', () => {
          tell({ kind: 'http', method, path: pathWithoutSecrets(url), status: response.statusCode });
        });
      });
    },
    doubt({ clientId, field, reason }) {
      tell({ kind: 'doubt', application: clientId, field, reason });
    },
    missing({ what, times }) {
      tell({ kind: 'missing', what, times });
    },
  };
}

/** Undefined for PING and PONG, which are noise. */
function recordOf(passage: Passage, transport: TransportKind): Record<string, unknown> | undefined {
  switch (passage.kind) {
    case 'received':
    case 'sent': {
      const { opcode, body } = passage.frame;
      const from = passage.kind === 'sent' ? 'bridge' : 'app';
      if (opcode === Opcode.PING || opcode === Opcode.PONG) return undefined;
      const payload = withoutSecrets(bodyOf(body)) as Record<string, unknown>;
      const kind =
        opcode === Opcode.FRAME ? kindOf(payload, from) : opcode === Opcode.CLOSE ? 'close' : 'handshake';
      return { from, transport, kind, payload };
    }
    case 'closed': {
      const { code, message } = passage;
      return { from: 'bridge', transport, kind: 'close', payload: { code, message } };
    }
    case 'broken':
      return { from: 'app', transport, kind: 'broken', message: passage.message };
    case 'ended':
      return { from: 'app', transport, kind: 'end' };
  }
}

function kindOf({ cmd, evt, nonce }: Record<string, unknown>, from: 'app' | 'bridge'): string {
  if (from === 'app') return 'request';
  if (cmd === 'DISPATCH' && (nonce === null || nonce === undefined)) return 'event';
  return evt === 'ERROR' ? 'error' : 'answer';
}
