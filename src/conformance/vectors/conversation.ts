import { UsageError } from '../failure.ts';
import { parseLocated } from '../json-lines.ts';
import { check, type Schema } from '../schema.ts';
import type { Profile } from '../tables.ts';
import conversationSchema from './conversation.schema.json' with { type: 'json' };

/** Action of an app: bytes to write, a pause, or the end. See `conversation.schema.json`. */
export interface Step {
  readonly opcode?: number;
  readonly body?: string;
  readonly hex?: string;
  readonly together?: readonly Step[];
  readonly cut?: 'every byte' | readonly number[];
  readonly pause?: number;
  readonly end?: true;
  readonly destroy?: true;
}

/** Expected answer to a request. */
export interface ReplyOutcome {
  readonly nonce: unknown;
  readonly error?: readonly number[];
  readonly data?: Schema;
  readonly message?: Schema;
}

/** Expected action of a server. */
export interface Outcome {
  readonly ready?: true;
  readonly frame?: { readonly opcode: number; readonly body?: string; readonly shape?: Schema };
  readonly reply?: ReplyOutcome;
  readonly close?: readonly number[];
  readonly message?: string;
  readonly end?: true;
  readonly usable?: true;
}

/** Conversation on a new connection: the steps of the app, and the allowed sequences of outcomes. */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  readonly judges: readonly string[];
  readonly profile?: Profile;
  readonly transports?: readonly ('ipc' | 'websocket')[];
  readonly alone?: boolean;
  readonly alive?: boolean;
  readonly after: 'connect' | 'ready';
  readonly send: readonly Step[];
  readonly expect: readonly (readonly Outcome[])[];
}

const stepKeys = ['opcode', 'hex', 'together', 'pause', 'end', 'destroy'];
const outcomeKeys = ['ready', 'frame', 'reply', 'close', 'end', 'usable'];

/** Parses a file of conversations. Throws {@link UsageError} with file and line. */
export function readConversations(text: string, file: string): readonly Conversation[] {
  const { value, lineOf } = parseLocated(text, file);
  const violation = check(conversationSchema as Schema, value);
  if (violation !== undefined) {
    const { path, expected, actual } = violation;
    throw new UsageError(`${file}:${lineOf(path)}: ${path}: expected ${expected}, found ${actual}`);
  }
  const { section, vectors } = value as { section: string; vectors: Conversation[] };
  const seen = new Set<string>();
  for (const [index, vector] of vectors.entries()) {
    const fail = (path: string, reason: string): never => {
      throw new UsageError(`${file}:${lineOf(`/vectors/${index}${path}`)}: ${vector.id}: ${reason}`);
    };
    if (!vector.id.startsWith(`${section}/`)) fail('/id', `its section is not "${section}"`);
    if (seen.has(vector.id)) fail('/id', 'the id is duplicated');
    seen.add(vector.id);
    for (const [at, step] of vector.send.entries()) {
      if (countOf(step, stepKeys) !== 1) fail(`/send/${at}`, `needs exactly one of ${stepKeys.join(', ')}`);
    }
    for (const [at, outcomes] of vector.expect.entries()) {
      for (const [position, outcome] of outcomes.entries()) {
        if (countOf(outcome, outcomeKeys) === 1) continue;
        fail(`/expect/${at}/${position}`, `needs exactly one of ${outcomeKeys.join(', ')}`);
      }
    }
  }
  return vectors;
}

function countOf(value: object, keys: readonly string[]): number {
  return keys.filter((key) => Object.hasOwn(value, key)).length;
}
