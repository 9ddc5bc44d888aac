import { expect, test } from 'vitest';
import type * as z from 'zod';
import { modalBody } from '../../src/emulator/interactions/modal-body.ts';
import { components } from '../../src/emulator/messages/components.ts';
import { MESSAGE_TYPES } from '../../src/emulator/messages/records.ts';
import { MESSAGE_COMPONENTS, MODAL_FIELDS } from '../../src/message-text/components.ts';
import { isSystemMessage, SYSTEM_TYPES } from '../../src/message-text/system.ts';

interface Definition {
  readonly type?: string;
  readonly values?: readonly unknown[];
  readonly [key: string]: unknown;
}

/** Every type of component that a declaration accepts: the literal `type` of each of its objects that has further fields. */
function acceptedTypes(schema: z.ZodType): number[] {
  const found = new Set<number>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const definition = (value as { readonly _zod?: { readonly def: Definition } })._zod?.def;
    if (definition === undefined) {
      for (const inner of Object.values(value)) visit(inner);
      return;
    }
    const shape = definition['shape'] as Readonly<Record<string, z.ZodType>> | undefined;
    const type = (shape?.['type'] as { _zod: { def: Definition } } | undefined)?._zod.def.values ?? [];
    if (Object.keys(shape ?? {}).length > 1)
      for (const one of type) if (typeof one === 'number') found.add(one);
    for (const inner of Object.values(definition)) visit(inner);
  };
  visit(schema);
  return [...found].sort((a, b) => a - b);
}

test('every type of component that a message may have is drawn', () => {
  const accepted = acceptedTypes(components);
  expect(accepted).toContain(17);
  expect([...MESSAGE_COMPONENTS].sort((a, b) => a - b)).toEqual(accepted);
});

test('every type of field that a modal may have is drawn', () => {
  const LAYOUT = [1, 10, 18];
  const accepted = acceptedTypes(modalBody).filter((type) => !LAYOUT.includes(type));
  expect(accepted).toContain(23);
  expect([...MODAL_FIELDS].sort((a, b) => a - b)).toEqual(accepted);
});

test('every system message that the emulator writes has a sentence', () => {
  const system = Object.values(MESSAGE_TYPES).filter((type) => isSystemMessage({ type }));
  expect(system.length).toBeGreaterThan(5);
  expect(SYSTEM_TYPES).toEqual(expect.arrayContaining(system));
});
