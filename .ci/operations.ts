// The operations that the control API, `footbridge emulator`, the console and `footbridge/testing` use: their types,
// which are plain TypeScript without zod, and their reference.
import type * as z from 'zod';
import { operatorCommands } from '../src/cli/operator-command.ts';
import { adminDeclarations } from '../src/daemon/operations.ts';
import {
  answerMessage,
  INTERACTION_RESULT_TEXT,
  interactionResult,
} from '../src/emulator/interactions/player/interaction-result.ts';
import { type NamedShapes, schemaOf, TypeWriter } from '../src/protocol/type-writer.ts';

const TYPES_HEAD = `// Generated from the declarations of the operations: \`npm run gen\` writes it. Do not edit.
// biome-ignore-all format: one line an operation is easier to search
import type { JournalEntry } from '../journal/entry.ts';

/** Arguments of an operation without any. */
export type NoArgs = Readonly<Record<never, never>>;
`;

const TYPES_TAIL = `
/** The arguments of an operation, which are optional where all of them are. */
export type ArgumentsOf<Name extends keyof Operations> = NoArgs extends Operations[Name]['args']
  ? readonly [args?: Operations[Name]['args']]
  : readonly [args: Operations[Name]['args']];

/** Result of an operation. */
export type AnswerOf<Name extends keyof Operations> = Operations[Name]['result'];
`;

const NAMED: NamedShapes = {
  PlayedMessage: [
    answerMessage,
    'output',
    'A message that an application answered with, as whoever used it sees it: `ephemeral` where nobody else does.',
  ],
  PlayedInteraction: [interactionResult, 'output', INTERACTION_RESULT_TEXT],
};

const writer = new TypeWriter(NAMED, { keysBesides: true });
const named = [...writer.named()].join('\n');
const typeOf = (schema: unknown, io: 'input' | 'output'): string =>
  writer.write(schemaOf(schema as z.ZodType, io), io);
const operations = adminDeclarations.map((declaration) => ({
  name: declaration.name,
  text: `${declaration.summary}.${declaration.about === undefined ? '' : ` ${declaration.about}`}`,
  example: operatorCommands([declaration])[0]?.examples[0]?.[0],
  args: typeOf(declaration.args(), 'input'),
  result: typeOf(declaration.result(), 'output'),
}));

/** Returns an interface with one member per operation. */
export function operationTypes(): string {
  const members = operations.map(
    ({ name, text, args, result }) => `  /** ${text} */\n  '${name}': { args: ${args}; result: ${result} };`,
  );
  return [
    TYPES_HEAD,
    named,
    '/** Arguments and result of every operation, as `footbridge emulator …` and the console call them. */',
    'export interface Operations {',
    ...members,
    '}',
    TYPES_TAIL,
  ].join('\n');
}

/** Returns one section per operation, in the order of their names. */
export function operationReference(): string {
  const sections = [...operations]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, text, example, args, result }) => [
      `## ${name}\n`,
      `${text}\n`,
      ...(example === undefined ? [] : [`\`${example}\`\n`]),
      `\`\`\`ts\ntype Arguments = ${args};\ntype Result = ${result};\n\`\`\`\n`,
    ]);
  return [...sections, `## Types\n\n\`\`\`ts\n${named.trimEnd()}\n\`\`\`\n`].join('\n');
}
