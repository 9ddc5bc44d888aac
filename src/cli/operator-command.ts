import type { AdminDeclaration } from '../base/admin-operation.ts';
import type { ArgumentSyntax, OperatorCommand } from '../base/operator-command.ts';
import { columns } from '../base/style.ts';
import { printable } from '../base/text.ts';
import type { CliCommand, CliOption, CliPositional, Invocation } from './command.ts';
import { daemonClient, printJson } from './daemon-client.ts';
import { usage } from './parse.ts';
import { storedExitCode } from './unstored.ts';

/** First word of the commands for operator operations. */
const PREFIX = 'emulator';

/** Commands that operations declare; an operation without a command is called in other ways. */
export function operatorCommands(declarations: readonly AdminDeclaration<never>[]): readonly CliCommand[] {
  return declarations.flatMap((declaration) =>
    declaration.command === undefined ? [] : [commandOf(declaration, declaration.command)],
  );
}

function commandOf(declaration: AdminDeclaration<never>, command: OperatorCommand): CliCommand {
  const all = Object.entries((command.syntax ?? {}) as Readonly<Record<string, ArgumentSyntax>>);
  const positionals = all.filter(([, { option }]) => option === undefined);
  const options = all.filter(([, { option }]) => option !== undefined);
  const name = `${PREFIX} ${command.name}`;
  return {
    name,
    summary: command.summary ?? declaration.summary,
    group: 'emulator',
    positionals: positionals.map(([, syntax]) => positionalOf(syntax)),
    options: Object.fromEntries(options.map(([name, syntax]) => [syntax.option ?? name, optionOf(syntax)])),
    json: true,
    ...(command.details && { details: command.details }),
    examples: command.examples.map(([line, use]) => [`footbridge ${PREFIX} ${line}`, use]),
    async run(invocation, io) {
      const args = {
        ...positionalArgs(positionals, invocation.positionals, name),
        ...optionArgs(options, invocation, name),
      };
      const result = await daemonClient(io).call(declaration.name, args);
      if (invocation.json) printJson(io, result);
      else io.out(resultLines(command.resultText(result as never, args as never)));
      return storedExitCode(io, result);
    },
  };
}

function resultLines(text: ReturnType<OperatorCommand['resultText']>): string {
  if (typeof text === 'string') return `${printable(text)}\n`;
  // The lines of a message stand in one row.
  return columns(text.map((row) => row.map((cell) => printable(cell.replace(/\s+/g, ' ')))));
}

function positionalOf({
  name = '',
  help,
  arity,
  choices,
  completes,
  mayBeEmpty,
}: ArgumentSyntax): CliPositional {
  return {
    name,
    help,
    arity: arity ?? 'one',
    ...(choices && { choices: choiceNames(choices) }),
    ...(completes && { completes }),
    ...(mayBeEmpty && { mayBeEmpty }),
  };
}

function optionOf({ name, help, type, choices, completes }: ArgumentSyntax): CliOption {
  if (type === 'flag') return { type: 'boolean', help };
  return {
    type: 'string',
    help,
    ...(name === undefined ? {} : { value: name }),
    // The parser compares a whole value with the choices, but in a list each word must be a choice, so a list only
    // completes them.
    ...(choices &&
      (type === 'list' ? { completes: choiceNames(choices) } : { choices: choiceNames(choices) })),
    ...(completes && { completes }),
  };
}

function choiceNames(choices: NonNullable<ArgumentSyntax['choices']>): readonly string[] {
  return isList(choices) ? choices : Object.keys(choices);
}

function isList(choices: NonNullable<ArgumentSyntax['choices']>): choices is readonly string[] {
  return Array.isArray(choices);
}

type Arguments = readonly (readonly [name: string, syntax: ArgumentSyntax])[];

/** Positional arguments; the last may be absent or repeated. */
function positionalArgs(
  args: Arguments,
  typed: readonly string[],
  command: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    args.flatMap(([name, syntax], index) => {
      if (syntax.arity === 'many') {
        const all = typed.slice(index);
        return [[name, syntax.none && all.length === 1 && all[0] === 'none' ? [] : all]];
      }
      const one = typed[index];
      return one === undefined ? [] : [[name, typedValue(syntax, one, command)]];
    }),
  );
}

/** Value of a word; a word of a choice may map to another value. */
function chosen({ choices }: ArgumentSyntax, word: string): unknown {
  return choices === undefined || isList(choices) ? word : choices[word];
}

function optionArgs(
  args: Arguments,
  { values }: Invocation,
  command: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    args.flatMap(([name, syntax]) => {
      const typed = values[syntax.option ?? name];
      return typed === undefined ? [] : [[name, typedValue(syntax, typed, command)]];
    }),
  );
}

/**
 * Converts the text of an argument to its type. Throws `LocalError` FOOTBRIDGE_USAGE for a text that is not of the type.
 */
function typedValue(syntax: ArgumentSyntax, typed: string | boolean, command: string): unknown {
  if (typeof typed === 'boolean') return typed;
  const label = syntax.option === undefined ? (syntax.name ?? '') : `--${syntax.option}`;
  const wrong = (problem: string) =>
    usage(`${label}: ${printable(JSON.stringify(typed.slice(0, 60)))} ${problem}.`, {
      name: command,
    });
  switch (syntax.type) {
    case 'number':
      if (!/^\d{1,10}(?:\.\d{1,10})?$/.test(typed)) throw wrong('is not a number');
      return Number(typed);
    case 'whole':
      if (!/^\d{1,10}$/.test(typed)) throw wrong('is no whole number');
      return Number(typed);
    case 'list': {
      const list = typed.split(',').filter((one) => one !== '');
      const known = syntax.choices && choiceNames(syntax.choices);
      const unknown = known && list.find((one) => !known.includes(one));
      if (unknown !== undefined) {
        throw usage(`${label}: ${JSON.stringify(unknown)} is not one of ${known?.join(', ')}.`, {
          name: command,
        });
      }
      return list;
    }
    default:
      return chosen(syntax, typed);
  }
}
