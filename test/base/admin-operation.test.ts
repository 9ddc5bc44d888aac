import { expect, it } from 'vitest';
import * as z from 'zod';
import { adminOperationsFor, boundOperations } from '../../src/base/admin-operation.ts';

it('makes the schema of arguments once for many calls, also of several worlds', () => {
  let made = 0;
  const operation = adminOperationsFor<{ readonly world: string }>();
  const declaration = operation({
    name: 'harbour.open',
    summary: 'Open the harbour',
    args: () => {
      made += 1;
      return z.object({ berths: z.int() });
    },
    result: () => z.string(),
    run: ({ world }) => world,
  });
  const worlds = ['lake', 'sea'].map((world) => boundOperations([declaration], { world })['harbour.open']);
  const read = [...worlds, ...worlds].map((one) => one?.args().safeParse({ berths: 2 }).success);
  expect([read, made]).toEqual([[true, true, true, true], 1]);
});
