import type { AdminDeclaration } from '../base/admin-operation.ts';
import type { ArgumentWords, OperatorCommand } from '../base/operator-command.ts';
import { printable } from '../base/text.ts';
import { ExitCode } from '../daemon/exit-codes.ts';
import { askDaemon, printJson } from './ask-daemon.ts';
import type { CliCommand, CliOption, CliPositional, Invocation } from './command.ts';
import { usage } from './parse.ts';

/** The group of commands that the operations for the operator are. */
const PREFIX = 'emulator';

/** The commands that some operations declare; those that declare none are called in other ways. */
export function operatorCommands(declarations: readonly AdminDeclaration<never>[]): readonly CliCommand[] {
  return declarations.flatMap((declaration) =>
    declaration.command === undefined ? [] : [commandOf(declaration, declaration.command)],
  );
}

function commandOf(declaration: AdminDeclaration<never>, command: OperatorCommand): CliCommand {
  const words = Object.entries((command.words ?? {}) as Readonly<Record<string, ArgumentWords>>);
  const positionals = words.filter(([, { option }]) => option === undefined);
  const options = words.filter(([, { option }]) => option !== undefined);
  const name = `${PREFIX} ${command.name}`;
  return {
    name,
    summary: command.summary ?? declaration.summary,
    group: 'emulator',
    positionals: positionals.map(([, word]) => positionalOf(word)),
    options: Object.fromEntries(options.map(([argument, word]) => [word.option ?? argument, optionOf(word)])),
    json: true,
    ...(command.details && { details: command.details }),
    examples: command.examples.map(([line, use]) => [`footbridge ${PREFIX} ${line}`, use]),
    async run(invocation, io) {
      const args = {
        ...positionalArgs(positionals, invocation.positionals),
        ...optionArgs(options, invocation, name),
      };
      const result = await askDaemon(io).call(declaration.name, args);
      if (invocation.json) printJson(io, result);
      else io.out(`${printable(command.say(result as never, args as never))}\n`);
      return ExitCode.OK;
    },
  };
}

function positionalOf({
  name = '',
  help,
  arity,
  choices,
  completes,
  mayBeEmpty,
}: ArgumentWords): CliPositional {
  return {
    name,
    help,
    arity: arity ?? 'one',
    ...(choices && { choices: choiceWords(choices) }),
    ...(completes && { completes }),
    ...(mayBeEmpty && { mayBeEmpty }),
  };
}

function optionOf({ name, help, type, choices, completes }: ArgumentWords): CliOption {
  if (type === 'flag') return { type: 'boolean', help };
  return {
    type: 'string',
    help,
    ...(name === undefined ? {} : { value: name }),
    // Of a list each word is one of them, which the list as a whole is not.
    ...(choices &&
      (type === 'list' ? { completes: choiceWords(choices) } : { choices: choiceWords(choices) })),
    ...(completes && { completes }),
  };
}

function choiceWords(choices: NonNullable<ArgumentWords['choices']>): readonly string[] {
  return isWords(choices) ? choices : Object.keys(choices);
}

function isWords(choices: NonNullable<ArgumentWords['choices']>): choices is readonly string[] {
  return Array.isArray(choices);
}

type Words = readonly (readonly [argument: string, word: ArgumentWords])[];

/** The arguments that stand behind the command; the last may be missing, or be several. */
function positionalArgs(words: Words, typed: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    words.flatMap(([argument, word], index) => {
      if (word.arity === 'many') {
        const all = typed.slice(index);
        return [[argument, word.none && all.length === 1 && all[0] === 'none' ? [] : all]];
      }
      const one = typed[index];
      return one === undefined ? [] : [[argument, chosen(word, one)]];
    }),
  );
}

/** What a word stands for, where it is one of a choice. */
function chosen({ choices }: ArgumentWords, word: string): unknown {
  return choices === undefined || isWords(choices) ? word : choices[word];
}

function optionArgs(
  words: Words,
  { values }: Invocation,
  command: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    words.flatMap(([argument, word]) => {
      const typed = values[word.option ?? argument];
      return typed === undefined ? [] : [[argument, optionValue(word, typed, command)]];
    }),
  );
}

/** Throws `LocalError` FOOTBRIDGE_USAGE for a text that is not of the type. */
function optionValue(word: ArgumentWords, typed: string | boolean, command: string): unknown {
  if (typeof typed === 'boolean') return typed;
  const wrong = (problem: string) =>
    usage(`--${word.option}: ${printable(JSON.stringify(typed.slice(0, 60)))} ${problem}.`, {
      name: command,
    });
  switch (word.type) {
    case 'number':
      if (!/^\d{1,10}(?:\.\d{1,10})?$/.test(typed)) throw wrong('is not a number');
      return Number(typed);
    case 'whole':
      if (!/^\d{1,10}$/.test(typed)) throw wrong('is no whole number');
      return Number(typed);
    case 'list': {
      const list = typed.split(',').filter((one) => one !== '');
      const known = word.choices && choiceWords(word.choices);
      const unknown = known && list.find((one) => !known.includes(one));
      if (unknown !== undefined) {
        throw usage(`--${word.option}: ${JSON.stringify(unknown)} is not one of ${known?.join(', ')}.`, {
          name: command,
        });
      }
      return list;
    }
    default:
      return chosen(word, typed);
  }
}
