import { parseArgs } from 'node:util';
import { isLocalError, LocalError, messageOf } from '../base/local-error.ts';
import { closest, didYouMean, nearest } from '../base/nearest.ts';
import type { CliCommand, CliOption, CliOptions, CliPositional, Invocation } from './command.ts';

/** Parsed request of a command line. `help` without a command lists the commands whose name begins with `prefix`. */
export type Request =
  | { readonly kind: 'run'; readonly command: CliCommand; readonly invocation: Invocation }
  | { readonly kind: 'help'; readonly command?: CliCommand; readonly prefix: string }
  | { readonly kind: 'version' };

/** Sentences for words that other programs have for what is called otherwise here. */
const CALLED_OTHERWISE: ReadonlyMap<string, string> = new Map([
  ...Object.entries({
    '--version': ['version'],
    run: ['serve', 'server', 'daemon', 'up', 'listen'],
    status: ['ls', 'list', 'ps', 'info', 'apps', 'sessions', 'clients'],
    stop: ['kill', 'down', 'quit', 'end'],
    approve: ['allow', 'accept'],
    deny: ['refuse', 'reject'],
    grants: ['permissions'],
    console: ['ui', 'web', 'gui', 'dashboard', 'open'],
    doctor: ['check', 'diagnose'],
    'emulator show': ['emulator ls', 'emulator list', 'emulator get', 'emulator status'],
  }).flatMap(([meant, words]) => words.map((word) => [word, `Did you mean "${meant}"?`] as const)),
  ...['set', 'get', 'edit'].map(
    (word) =>
      [
        `config ${word}`,
        'Did you mean "config show"? It names the file in which a setting is changed, and every setting.',
      ] as const,
  ),
]);

/** What the file of an option is, where that is more than a file. */
const FILE_NOUNS: { readonly [option: string]: string } = {
  config: 'configuration file',
  fixture: 'fixture file',
};

/** Words for a list, which a command without arguments needs not. */
const LISTING = ['list', 'ls', 'show', 'get'];

const helpOption: CliOption = { type: 'boolean', short: 'h', help: 'show this help' };
const jsonOption: CliOption = { type: 'boolean', help: 'print one JSON value on stdout' };

/** Every option of a command: its own and the common ones. */
export function optionsOf(command: CliCommand): CliOptions {
  return {
    ...command.options,
    ...(command.json === true ? { json: jsonOption } : {}),
    help: helpOption,
  };
}

/** Parses a command line without the program's name. Throws `LocalError` FOOTBRIDGE_USAGE. */
export function parseCommandLine(argv: readonly string[], table: readonly CliCommand[]): Request {
  const [first] = argv;
  if (first === '--version' || first === '-V') return { kind: 'version' };
  // Before the name of a command, `help` means `--help` of that command. Before the name of a guide, or alone, it is a
  // command itself.
  if (first === 'help' && (isCommandWord(argv[1], table) || !isCommandWord(first, table)))
    return parseCommandLine([...argv.slice(1), '--help'], table);

  const leading = leadingWords(argv);
  const command = longestMatch(leading, table);
  if (command === undefined) return withoutCommand(argv, leading, table);
  return parseFor(command, argv.slice(command.name.split(' ').length), table);
}

/** Whether a command's name begins with the word. */
function isCommandWord(word: string | undefined, table: readonly CliCommand[]): boolean {
  return word !== undefined && table.some(({ name }) => name.split(' ', 1)[0] === word);
}

function leadingWords(argv: readonly string[]): string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return argv.slice(0, end === -1 ? argv.length : end);
}

function longestMatch(words: readonly string[], table: readonly CliCommand[]): CliCommand | undefined {
  return table
    .filter(({ name }) => name === words.slice(0, name.split(' ').length).join(' '))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

/** Request for an unknown command: the help of a group, or an error with a suggestion. */
function withoutCommand(
  argv: readonly string[],
  words: readonly string[],
  table: readonly CliCommand[],
): Request {
  const rest = argv.slice(words.length);
  const prefix = words.join(' ');
  const isGroup = words.length === 0 || table.some(({ name }) => name.startsWith(`${prefix} `));
  if (isGroup && (rest.length === 0 || rest[0] === '--help' || rest[0] === '-h'))
    return { kind: 'help', prefix };
  if (words.length === 0) {
    const [option = ''] = rest;
    const meant = option === '-v' ? '--version' : option;
    throw usage(`Unknown option ${quote(option)}.${didYouMean(meant, ['--version', '--help'])}`);
  }
  if (isGroup) throw usage(`A command is missing after ${quote(`footbridge ${prefix}`)}.`, { name: prefix });
  const group = groupOf(words, table);
  throw usage(noSuchCommand(words, table), group === '' ? undefined : { name: group });
}

/** Longest prefix of the words that names a group of commands, such as `emulator`; empty when no prefix does. */
function groupOf(words: readonly string[], table: readonly CliCommand[]): string {
  const starts = words.map((_, index) => words.slice(0, words.length - index).join(' '));
  return starts.find((start) => table.some(({ name }) => name.startsWith(`${start} `))) ?? '';
}

/**
 * Error text for an unknown command. Arguments may follow the slip, so the text names the prefix that comes closest to
 * a command.
 */
function noSuchCommand(words: readonly string[], table: readonly CliCommand[]): string {
  const starts = words.map((_, index) => words.slice(0, words.length - index));
  const group = groupOf(words, table);
  const otherwise = starts.map((start) => start.join(' ')).find((start) => CALLED_OTHERWISE.has(start));
  if (otherwise !== undefined)
    return `There is no command ${quote(otherwise)}. ${CALLED_OTHERWISE.get(otherwise)}`;
  const [slip] = starts
    .map((start) => {
      const [typed, known] = [start.join(' '), namesLike(start, table)];
      // A correct group name is no sign of a similar command, so only the words after it are compared.
      const isNear =
        didYouMean(
          behind(group, typed),
          known.map((name) => behind(group, name)),
        ) !== '';
      const hint = isNear && !known.includes(typed) ? didYouMean(typed, known) : '';
      return { typed, hint, away: closest(typed, known)?.away ?? 0 };
    })
    .filter(({ hint }) => hint !== '')
    .sort((one, other) => one.away - other.away);
  if (slip !== undefined) return `There is no command ${quote(slip.typed)}.${slip.hint}`;
  const inGroup =
    starts.map((start) => nameInGroup(start, table)).find((name) => name !== undefined) ??
    nameElsewhere(words, table);
  const unknown = starts.findLast(
    (start) => !table.some(({ name }) => `${name} `.startsWith(`${start.join(' ')} `)),
  );
  const hint = inGroup === undefined ? '' : ` Did you mean ${quote(inGroup)}?`;
  return `There is no command ${quote((unknown ?? words).join(' '))}.${hint}`;
}

/** Full name of a command that was typed without its group, such as `emulator fault` for `fault`. */
function nameInGroup(words: readonly string[], table: readonly CliCommand[]): string | undefined {
  const names = new Map(
    table.flatMap(({ name }) => {
      const [group = '', ...rest] = name.split(' ');
      const cut = rest.slice(0, words.length).join(' ');
      return cut === '' ? [] : [[cut, `${group} ${cut}`] as const];
    }),
  );
  const meant = nearest(words.join(' '), [...names.keys()]);
  return meant === undefined ? undefined : names.get(meant);
}

/** The only command that ends with one of the words after their group, such as `emulator ban` for `emulator user ban`. */
function nameElsewhere(
  [group = '', ...rest]: readonly string[],
  table: readonly CliCommand[],
): string | undefined {
  const named = rest.map((word) =>
    table.filter(({ name }) => name.startsWith(`${group} `) && name.endsWith(` ${word}`)),
  );
  return named.find(({ length }) => length === 1)?.[0]?.name;
}

/** Part of a command's name after its group; the complete name if the command belongs to another group. */
function behind(group: string, name: string): string {
  return name.startsWith(`${group} `) ? name.slice(group.length + 1) : name;
}

/** Names cut to the number of typed words, so that `emulator voce` finds `emulator voice`. */
function namesLike(words: readonly string[], table: readonly CliCommand[]): string[] {
  return [...new Set(table.flatMap(({ name }) => [name, name.split(' ').slice(0, words.length).join(' ')]))];
}

function parseFor(command: CliCommand, args: readonly string[], table: readonly CliCommand[]): Request {
  if (command.raw && args[0] !== '--help' && args[0] !== '-h') {
    checkPositionals(command, args.slice(0, 1), table);
    return { kind: 'run', command, invocation: { values: {}, positionals: args, json: false } };
  }
  const options = optionsOf(command);
  const parsed = parseWith(command, options, args);
  const { values } = parsed;
  // Several files and a command line can only be told apart by the dashes between them.
  const isApart =
    command.positionals?.some(({ arity }, index, all) => arity === 'many' && index < all.length - 1) === true;
  const behind = isApart ? parsed.positionals.slice(parsed.positionals.length - parsed.behind) : undefined;
  const positionals = isApart
    ? parsed.positionals.slice(0, parsed.positionals.length - parsed.behind)
    : parsed.positionals;
  if (values['help'] === true) return { kind: 'help', command, prefix: command.name };
  const words = checkPositionals(command, positionals, table);
  const checked = Object.entries(values).map(([name, value]) => {
    const { choices, value: placeholder } = options[name] ?? {};
    // An empty path would be the folder in which the program runs.
    if (value === '' && placeholder === 'FILE')
      throw usage(`--${name}: "" is not the path of a ${FILE_NOUNS[name] ?? 'file'}.`, command);
    const isWord = choices !== undefined && typeof value === 'string';
    return [name, isWord ? chosen(`--${name}`, value, choices, command) : value] as const;
  });
  const { json, ...own } = Object.fromEntries(checked);
  return {
    kind: 'run',
    command,
    invocation: { values: own, positionals: words, ...(behind && { behind }), json: json === true },
  };
}

function parseWith(command: CliCommand, options: CliOptions, args: readonly string[]) {
  const shapes = Object.entries(options).map(([name, { type, short }]) => [
    name,
    { type, ...(short === undefined ? {} : { short }) },
  ]);
  try {
    const { values, positionals, tokens } = parseArgs({
      args: args.map((word) => (/^-\d/.test(word) ? MARK + word : word)),
      options: Object.fromEntries(shapes) as Record<string, { type: 'string' | 'boolean'; short?: string }>,
      strict: true,
      allowPositionals: true,
      tokens: true,
    });
    checkOnce(
      command,
      options,
      tokens.flatMap((token) => (token.kind === 'option' ? token.name : [])),
    );
    const entries = Object.entries(values).map(([name, value]) => [name, unmarked(value as string | true)]);
    return {
      values: Object.fromEntries(entries) as { readonly [name: string]: string | true | undefined },
      positionals: positionals.map((word) => unmarked(word) as string),
      behind: behindDashes(tokens),
    };
  } catch (error) {
    throw isLocalError(error) ? error : optionError(command, options, error);
  }
}

/** Number of the words behind `--`. */
function behindDashes(tokens: readonly { readonly kind: string; readonly index: number }[]): number {
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? Number.POSITIVE_INFINITY;
  return tokens.filter(({ kind, index }) => kind === 'positional' && index > end).length;
}

/** Throws if an option with a value is repeated: otherwise one of its two values would be dropped silently. */
function checkOnce(command: CliCommand, options: CliOptions, names: readonly string[]): void {
  const twice = names.find((name, index) => options[name]?.type === 'string' && names.indexOf(name) < index);
  if (twice !== undefined) throw usage(`--${twice} is given more than once.`, command);
}

/**
 * Prefix that hides the dash of a negative number from Node's parser, because the number is a value and not an option.
 * It cannot collide: no argument can contain a zero byte.
 */
const MARK = '\u0000';

function unmarked(value: string | true): string | true {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(1) : value;
}

/** Replaces Node's own texts, which explain escaping with `--`; the user needs the option and a pointer to the help. */
function optionError(command: CliCommand, options: CliOptions, error: unknown): LocalError {
  const text = messageOf(error);
  const unknown = /^Unknown option '-*([^']*)'/.exec(text)?.[1];
  const [, typed = ''] = /^Unknown option '(--?[\w-]+)'/.exec(text) ?? [];
  if (unknown === undefined) return usage(misuse(text, options), command);
  const meant = didYouMean(
    `--${unknown}`,
    Object.keys(options).map((name) => `--${name}`),
  );
  const runsCommand = command.positionals?.some(({ isCommandLine }) => isCommandLine) === true;
  const behind = runsCommand
    ? ` What belongs to the command that is run goes behind --: footbridge ${command.name} -- COMMAND${typed === '' ? '' : ` ${typed}`}.`
    : '';
  return usage(`"footbridge ${command.name}" has no option ${quote(unknown)}.${meant}${behind}`, command);
}

/** Problem with the value of a known option. */
function misuse(text: string, options: CliOptions): string {
  const [, name = ''] = /--([\w-]+)/.exec(text) ?? [];
  const option = options[name];
  if (option === undefined) return text;
  if (option.type === 'boolean') return `--${name} takes no value.`;
  const { value = 'VALUE' } = option;
  const dash = text.includes('ambiguous') ? ` One that begins with "-" is written --${name}=${value}.` : '';
  return `--${name} needs a value, ${value}: ${option.help}.${dash}`;
}

/** Validates the positionals and returns them, each choice in its declared spelling. */
function checkPositionals(
  command: CliCommand,
  typed: readonly string[],
  table: readonly CliCommand[],
): string[] {
  const wanted = command.positionals ?? [];
  const missing = wanted.slice(typed.length).find(({ arity }) => arity === 'one' || arity === 'many');
  if (missing !== undefined) throw usage(`${missing.name} is missing: ${missing.help}.`, command);
  const below = table
    .filter(({ name }) => name.startsWith(`${command.name} `))
    .map(({ name }) => behind(command.name, name));
  // A word in the place of "list" that is not "list" is a mistyped command: the words behind it belong to that one.
  const [first = ''] = typed;
  const isMistyped = first !== '' && wanted[0]?.choices?.join() === 'list' && first.toLowerCase() !== 'list';
  const extra = isMistyped ? typed[0] : typed[wanted.length];
  if (extra !== undefined && (isMistyped || !wanted.some(repeats))) {
    const lists = LISTING.includes(extra) && (isMistyped || wanted.length === 0);
    const meant = didYouMean(extra, below) || (lists ? ` Did you mean "${command.name}"?` : '');
    throw usage(`One word too many: ${quote(extra)}.${meant}`, command);
  }
  return typed.map((word, index) => {
    const positional = wanted[index];
    // All further positionals belong to the command line of another program.
    if (positional === undefined) return word;
    const { name, help, choices, mayBeEmpty } = positional;
    if (word === '' && mayBeEmpty !== true) throw usage(`${name} is empty: ${help}.`, command);
    return choices === undefined ? word : chosen(name, word, choices, command);
  });
}

/** Whether the last positional takes any number of values. */
export function repeats(last: CliPositional | undefined): boolean {
  return last?.arity === 'many' || last?.arity === 'any';
}

/** Declared spelling of a choice, which may be typed in any case. */
function chosen(name: string, word: string, choices: readonly string[], command: CliCommand): string {
  const choice = choices.find((one) => one === word.toLowerCase());
  if (choice !== undefined) return choice;
  throw usage(`${name}: ${quote(word)} is not one of ${choices.join(', ')}.`, command);
}

/** Usage error that ends with a pointer to the help. */
export function usage(problem: string, command?: { readonly name: string }): LocalError {
  const call = command === undefined ? 'footbridge --help' : `footbridge ${command.name} --help`;
  return new LocalError('FOOTBRIDGE_USAGE', `${problem} Try: ${call}`);
}

/** A word for a message: as JSON, and at most 60 characters of it. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
