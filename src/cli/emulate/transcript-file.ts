import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import type { Server } from 'node:http';
import { LocalError } from '../../../platform/local-error.ts';
import { inSystemWords } from '../../../platform/system-words.ts';
import type { Transport } from '../../transport/transport.ts';
import { Opcode } from '../../wire/codes.ts';
import type { TransportKind } from '../../wire/connection.ts';
import { bodyOf, type Passage, watch } from './watch.ts';
import { pathWithoutSecrets, withoutSecrets } from './without-secrets.ts';

/** As far as it is written down. */
interface Doubt {
  readonly clientId: string;
  readonly field: string;
  readonly reason: string;
}

/** Writes what passes as JSON, one object a line, without tokens, codes and secrets. */
export interface TranscriptFile {
  /** The same transport, whose requests, answers and events are written down. */
  watch(transport: Transport): Transport;
  /** Writes down the requests of an HTTP server, without their bodies. */
  watchHttp(server: Server): void;
  /** Writes down what speaks against an activity, after the request that it is about. */
  doubt(doubt: Doubt): void;
  /** Nothing is written after this. Returns why something could not be written, if so. */
  close(): string | undefined;
}

/**
 * Opens the file, mode 0600, in the place of what it held. Throws `LocalError` FOOTBRIDGE_CONFIG where it cannot be
 * written, and for a pipe that nobody reads.
 */
export function openTranscriptFile(path: string): TranscriptFile {
  const fd = open(path);
  const started = performance.now();
  let failure: string | undefined;
  let isOpen = true;
  let connections = 0;
  const write = (record: Readonly<Record<string, unknown>>): void => {
    if (!isOpen || failure !== undefined) return;
    const ms = Math.round(performance.now() - started);
    try {
      writeSync(fd, `${JSON.stringify({ ms, ...record })}\n`);
    } catch (error) {
      // The command under test does not suffer for it.
      failure = inSystemWords(error);
    }
  };
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
        if (record !== undefined) write({ connection: numbers.get(number), ...record });
        if (passage.kind === 'ended') numbers.delete(number);
      });
    },
    watchHttp(server) {
      server.on('request', ({ method, url = '' }, response) => {
        response.once('close', () => {
          write({ kind: 'http', method, path: pathWithoutSecrets(url), status: response.statusCode });
        });
      });
    },
    doubt({ clientId, field, reason }) {
      write({ kind: 'doubt', application: clientId, field, reason });
    },
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
      return failure;
    },
  };
}

function open(path: string): number {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK } = constants;
  try {
    const fd = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, 0o600);
    if (fstatSync(fd).isFile()) return fd;
    // A pipe with a reader: to be written to without losing what it has no room for.
    closeSync(fd);
    return openSync(path, 'w');
  } catch (error) {
    throw new LocalError(
      'FOOTBRIDGE_CONFIG',
      `--transcript: ${path} cannot be written: ${inSystemWords(error)}. Give a file in a folder of yours.`,
      { cause: error },
    );
  }
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
