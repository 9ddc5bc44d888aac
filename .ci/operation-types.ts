// Writes the types of the operations, for typed calls in tests, console and command line: plain TypeScript, without
// zod.
import type * as z from 'zod';
import { adminDeclarations } from '../src/daemon/operations.ts';
import {
  answerMessage,
  INTERACTION_RESULT_TEXT,
  interactionResult,
} from '../src/emulator/interactions/player/operations.ts';
import { type NamedShapes, schemaOf, TypeWriter } from '../src/protocol/type-writer.ts';

const HEADER = `// Generated from the declarations of the operations: \`npm run gen\` writes it. Do not edit.
// biome-ignore-all format: one line an operation is easier to search
import type { JournalEntry } from '../journal/entry.ts';

/** Arguments of an operation without any. */
export type NoArgs = Readonly<Record<never, never>>;
`;

const TAIL = `
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

/** Returns the writer for the types of the operations, and the declarations of the named types. */
export function operationWriter(): { readonly writer: TypeWriter; readonly named: string } {
  const writer = new TypeWriter(NAMED, { keysBesides: true });
  return { writer, named: [...writer.named()].join('\n') };
}

/** The types of the arguments and the result of an operation. */
export function typesOf(
  { args, result }: Pick<(typeof adminDeclarations)[number], 'args' | 'result'>,
  writer: TypeWriter,
): { readonly args: string; readonly result: string } {
  return {
    args: writer.write(schemaOf(args() as z.ZodType, 'input'), 'input'),
    result: writer.write(schemaOf(result() as z.ZodType, 'output'), 'output'),
  };
}

/** Returns an interface with one member per operation. */
export function operationTypes(): string {
  const { writer, named } = operationWriter();
  const members = adminDeclarations.map((declaration) => {
    const { name, summary, about } = declaration;
    const text = about === undefined ? `${summary}.` : `${summary}. ${about}`;
    const { args, result } = typesOf(declaration, writer);
    return `  /** ${text} */\n  '${name}': { args: ${args}; result: ${result} };`;
  });
  return [
    HEADER,
    named,
    '/** Arguments and result of every operation, as `footbridge emulator …` and the console call them. */',
    'export interface Operations {',
    ...members,
    '}',
    TAIL,
  ].join('\n');
}
