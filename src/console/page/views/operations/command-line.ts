import type { ArgumentSyntax, CommandForm } from '../../../../base/operator-command.ts';
import { shellWord } from '../../../../base/shell-word.ts';

type Args = Readonly<Record<string, unknown>>;
type Words = readonly (string | false | undefined)[];

/** Operation whose command is not declared with it. */
interface OwnCommand {
  /** Arguments that the command can name. */
  readonly args: readonly string[];
  readonly words: (args: Readonly<Record<string, string>>) => Words;
}

const without = (...words: readonly string[]): OwnCommand => ({ args: [], words: () => words });
const withOne = (arg: string, ...words: readonly string[]): OwnCommand => ({
  args: [arg],
  words: (args) => [...words, args[arg]],
});

/** Commands outside `footbridge emulator …`, by operation. */
export const OWN_COMMANDS: Readonly<Record<string, OwnCommand>> = {
  'requests.list': without('requests'),
  'requests.approve': {
    args: ['id', 'always'],
    words: ({ id, always }) => ['approve', id, always === 'true' && '--always'],
  },
  'requests.deny': withOne('id', 'deny'),
  'grants.list': without('grants'),
  'grants.revoke': withOne('id', 'revoke'),
  'origins.list': without('origins'),
  'origins.add': {
    args: ['preset', 'clientId', 'origin'],
    words: ({ preset, clientId, origin }) => ['origins', 'add', preset ?? clientId, origin],
  },
  'origins.remove': {
    args: ['preset', 'clientId', 'origin'],
    words: ({ preset, clientId, origin }) => ['origins', 'remove', preset ?? clientId, origin],
  },
  'attach.list': without('attached'),
  'attach.pair': withOne('name', 'attach'),
  'attach.remove': withOne('name', 'detach'),
  'endpoints.list': without('endpoints'),
  'presence.list': without('presence'),
  'presence.resume': without('presence', 'resume'),
  'emulator.show': without('emulator', 'show'),
  'fault.list': without('emulator', 'fault', 'list'),
  'fault.remove': {
    args: ['id'],
    words: ({ id }) => ['emulator', 'fault', 'remove', id ?? '--all'],
  },
  'webhooks.list': without('emulator', 'webhooks'),
};

/**
 * Command line that calls an operation with these arguments: its command, or a request to the control socket where no
 * command can name them.
 */
export function commandLine(name: string, command: CommandForm | null, args: Args): string {
  const words = command === null ? ownWords(name, args) : formWords(command, args);
  return words === undefined ? requestLine(name, args) : ['footbridge', ...words.map(shellWord)].join(' ');
}

function ownWords(name: string, args: Args): readonly string[] | undefined {
  const own = Object.hasOwn(OWN_COMMANDS, name) ? OWN_COMMANDS[name] : undefined;
  if (own === undefined || Object.keys(args).some((arg) => !own.args.includes(arg))) return undefined;
  const texts = Object.fromEntries(Object.entries(args).map(([arg, value]) => [arg, String(value)]));
  return own.words(texts).filter((word): word is string => typeof word === 'string');
}

function formWords({ name, syntax }: CommandForm, args: Args): readonly string[] | undefined {
  if (Object.keys(args).some((arg) => !Object.hasOwn(syntax, arg))) return undefined;
  const all = Object.entries(syntax).filter(([arg]) => args[arg] !== undefined);
  const words = all.flatMap(([arg, one]) => (one.option === undefined ? wordsOf(one, args[arg]) : []));
  const options = all.flatMap(([arg, one]) => (one.option === undefined ? [] : optionOf(one, args[arg])));
  const mark = words.some((word) => word.startsWith('-')) ? ['--'] : [];
  return ['emulator', ...name.split(' '), ...options, ...mark, ...words];
}

function wordsOf(syntax: ArgumentSyntax, value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [wordOf(syntax, value)];
  return value.length === 0 && syntax.none === true ? ['none'] : value.map((one) => wordOf(syntax, one));
}

function optionOf(syntax: ArgumentSyntax, value: unknown): readonly string[] {
  const name = `--${syntax.option}`;
  if (syntax.type === 'flag') return value === true ? [name] : [];
  return [name, Array.isArray(value) ? value.join(',') : wordOf(syntax, value)];
}

/** Word for a value; a choice may have another word than its value. */
function wordOf({ choices }: ArgumentSyntax, value: unknown): string {
  const word =
    choices === undefined || Array.isArray(choices)
      ? undefined
      : Object.entries(choices).find(([, meant]) => meant === value)?.[0];
  return word ?? (typeof value === 'string' ? value : JSON.stringify(value));
}

/** Path of the control socket in a shell of Linux. */
const SOCKET = '"$XDG_RUNTIME_DIR/footbridge-$(id -u)/control.sock"';

function requestLine(name: string, args: Args): string {
  return `curl -s --unix-socket ${SOCKET} -d ${shellWord(JSON.stringify(args))} http://footbridge/v1/operations/${name}`;
}
