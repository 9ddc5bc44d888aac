import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { clientTypes } from '../../src/protocol/client-types.ts';
import { protocolSchema } from '../../src/protocol/reference.ts';

const { commands, events } = protocolSchema();

it('clientTypes matches the generated.ts of the client (npm run gen writes it)', () => {
  const file = readFileSync(new URL('../../src/client/generated.ts', import.meta.url), 'utf8');
  expect(file).toBe(clientTypes());
});

it('clientTypes has every command and every subscribable event, and imports no package', () => {
  const text = clientTypes();
  const [, commandsText = '', eventsText = ''] =
    /interface Commands \{(.*?)^\}.*interface Events \{(.*?)^\}/ms.exec(text) ?? [];
  const entries = (part: string): string[] =>
    [...part.matchAll(/^ {2}\/\*\*.*?\*\/ ([A-Z_\d]+): \{/gm)].map(([, name = '']) => name);
  const asked = Object.keys(commands).filter((name) => name !== 'SUBSCRIBE' && name !== 'UNSUBSCRIBE');
  expect(entries(commandsText)).toEqual(asked);
  expect(entries(eventsText)).toEqual(
    Object.keys(events).filter((name) => events[name]?.kind !== 'unsubscribable'),
  );
  expect(text).not.toMatch(/import|zod|\bany\b/);
});
