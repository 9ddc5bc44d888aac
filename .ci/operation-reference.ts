// Writes the reference of the operations, which the control API, `footbridge emulator`, the console and
// `footbridge/testing` use.
import { fileURLToPath } from 'node:url';
import { operatorCommands } from '../src/cli/operator-command.ts';
import { adminDeclarations } from '../src/daemon/operations.ts';
import { operationWriter, typesOf } from './operation-types.ts';

export const OPERATIONS_REFERENCE = fileURLToPath(new URL('../src/control/OPERATIONS.md', import.meta.url));

const HEAD = `# Operations

What an operator can have a bridge do. Generated from the declarations: \`npm run gen\` writes it.

An operation is called over the control API (\`POST /v1/operations/NAME\`, see [README](README.md)), from the console, in tests with
\`bridge.operations.call(NAME, ARGUMENTS)\` of \`footbridge/testing\`, and where a command line stands here, from a shell. The operations of the
bridge itself (\`fault.\`, \`journal.\`, \`origins.\`, \`console.\`) are there with every client core; the others are those of the emulator.
`;

/** Returns the page: one section per operation, in the order of their names. */
export function operationReference(): string {
  const { writer, named } = operationWriter();
  const sections = [...adminDeclarations]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((declaration) => {
      const { name, summary, about } = declaration;
      const [command] = operatorCommands([declaration]);
      const { args, result } = typesOf(declaration, writer);
      return [
        `## ${name}\n`,
        `${summary}.${about === undefined ? '' : ` ${about}`}\n`,
        ...(command === undefined ? [] : [`\`${command.examples[0]?.[0]}\`\n`]),
        '```ts',
        `type Arguments = ${args};`,
        `type Result = ${result};`,
        '```\n',
      ].join('\n');
    });
  return [HEAD, ...sections, '## Types\n', '```ts', named.trimEnd(), '```', ''].join('\n');
}
