import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { check, type Schema } from '../../../src/conformance/schema.ts';
import { readConversations } from '../../../src/conformance/vectors/conversation.ts';
import { FrameReader } from '../../../src/conformance/wire/frame.ts';
import { CloseError } from '../../../src/wire/close-error.ts';
import { FrameDecoder, framesOf } from '../../../src/wire/decoder.ts';

const folder = new URL('../../../src/conformance/vectors/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const documents = readdirSync(folder).filter(
  (name) => name.endsWith('.json') && !name.endsWith('.schema.json'),
);

interface DecoderVector {
  readonly name: string;
  readonly limit?: number;
  readonly chunks: readonly string[];
  readonly frames: readonly { readonly opcode: number; readonly body: string }[];
  readonly error?: 'length' | 'opcode';
  readonly pending?: number;
}

interface ReadyVector {
  readonly name: string;
  readonly handshake: unknown;
  readonly ready?: unknown;
  readonly close?: readonly number[];
  readonly wrong?: string;
}

describe('the vector file', () => {
  const withSchema = documents.filter((name) => name !== 'shapes.json');

  it('list has nine files or more', () => {
    expect(withSchema.length).toBeGreaterThanOrEqual(9);
  });

  it.each(withSchema)('%s follows its schema, by our validator and by another', (name) => {
    const document = read(name) as { $schema: string };
    const schema = read(document.$schema);
    expect(check(schema as Schema, document)).toBeUndefined();
    expect(z.fromJSONSchema(schema as never).safeParse(document).error).toBeUndefined();
  });

  it.each(withSchema)('%s is rejected with an unknown key', (name) => {
    const document = read(name) as { $schema: string; vectors: object[] };
    const schema = read(document.$schema);
    const [first, ...rest] = document.vectors;
    const broken = { ...document, vectors: [{ ...first, surprise: 1 }, ...rest] };
    expect(check(schema as Schema, broken)?.path).toBe('/vectors/0/surprise');
    expect(z.fromJSONSchema(schema as never).safeParse(broken).success).toBe(false);
  });

  it.each(withSchema.filter((name) => (read(name) as { section?: string }).section !== undefined))(
    '%s parses as conversations',
    (name) => {
      expect(readConversations(readFileSync(new URL(name, folder), 'utf8'), name).length).toBeGreaterThan(5);
    },
  );
});

describe('decoder.json', () => {
  const { vectors } = read('decoder.json') as { vectors: DecoderVector[] };

  it.each(vectors)('$name, in the decoder of the daemon', ({ chunks, frames, error, limit, pending }) => {
    const decoder = new FrameDecoder(limit ?? 3 * 1024 * 1024);
    const found: unknown[] = [];
    const feed = () => {
      for (const chunk of chunks) {
        for (const { opcode, body } of framesOf(decoder, Buffer.from(chunk, 'hex'))) {
          found.push({ opcode, body: Buffer.from(body).toString('hex') });
        }
      }
    };
    if (error === undefined) {
      feed();
      expect(decoder.pendingBytes).toBe(pending ?? 0);
    } else {
      expect(feed).toThrow(CloseError);
    }
    expect(found).toEqual(frames);
  });

  const lawful = vectors.filter((one) => one.error === undefined);
  it.each(lawful)('$name, in the reader of the suite', ({ chunks, frames, pending }) => {
    const reader = new FrameReader();
    const found = chunks.flatMap((chunk) => reader.push(Buffer.from(chunk, 'hex')));
    expect(found.map(({ opcode, body }) => ({ opcode, body: body.toString('hex') }))).toEqual(frames);
    expect(reader.leftover.byteLength).toBe(pending ?? 0);
  });
});

describe('ready.json', () => {
  const { vectors } = read('ready.json') as { vectors: ReadyVector[] };
  const shapes = read('shapes.json') as Schema;

  it.each(vectors)('$name', ({ ready, close, wrong }) => {
    expect((ready === undefined) !== (close === undefined)).toBe(true);
    if (ready === undefined) return;
    expect(check({ $ref: '#/$defs/ready' }, ready, shapes)?.path).toBe(wrong);
  });
});
