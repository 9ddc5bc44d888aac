import { columns, type Style } from '../base/style.ts';
import { type CliCommand, type CliPositional, groupTitles } from './command.ts';
import { optionsOf } from './parse.ts';

/** Help page of one command, with the subcommands that `table` has for it. */
export function commandHelp(command: CliCommand, style: Style, table: readonly CliCommand[] = []): string {
  const positionals = command.positionals ?? [];
  const options = Object.entries(optionsOf(command)).map(([name, option]) => [
    `  ${option.short === undefined ? '    ' : `-${option.short}, `}--${name}${option.value === undefined ? '' : ` ${option.value}`}`,
    option.help,
  ]);
  const subcommands = table.filter(({ name }) => name.startsWith(`${command.name} `));
  const sections = [
    `${command.summary}\n`,
    `${style.strong('Usage')}\n  ${usageLine(command)}\n`,
    positionals.length === 0 ? '' : columns(positionals.map(({ name, help }) => [`  ${name}`, help])),
    `${style.strong('Options')}\n${columns(options)}`,
    subcommands.length === 0
      ? ''
      : `${style.strong('Subcommands')}\n${columns(subcommands.map(overviewRow))}`,
    (command.details ?? []).map((line) => `${line}\n`).join(''),
    examplesText(command, style),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function examplesText({ examples }: CliCommand, style: Style): string {
  const lines = examples.map(([line, use]) => `  ${style.faint(`# ${use}`)}\n  ${line}\n`);
  return lines.length === 0 ? '' : `${style.strong('Examples')}\n${lines.join('')}`;
}

/** Usage line, such as `footbridge emulator voice set [OPTIONS] KEY VALUE`. */
export function usageLine(command: CliCommand): string {
  const { positionals = [] } = command;
  const placeholders = positionals.map(positionalWord);
  // A `raw` command parses its own arguments, so its options are not described here.
  if (command.raw) return ['footbridge', command.name, ...placeholders, '[OPTIONS]'].join(' ');
  // The `--` separates our words from the other command line.
  const at = positionals.findIndex(({ isCommandLine }) => isCommandLine === true);
  if (at !== -1) placeholders.splice(at, 0, '--');
  return ['footbridge', command.name, '[OPTIONS]', ...placeholders].join(' ');
}

function positionalWord({ name, arity }: CliPositional): string {
  switch (arity) {
    case 'one':
      return name;
    case 'optional':
      return `[${name}]`;
    case 'many':
      return `${name}…`;
    case 'any':
      return `[${name}…]`;
  }
}

/** A command in a list. */
type Listed = Pick<CliCommand, 'name' | 'positionals' | 'summary' | 'group'>;

/** Stands for the commands of the emulator, which have a list of their own. */
const EMULATOR: Listed = {
  name: 'emulator',
  summary: 'Read and change what the emulator holds; emulator --help lists the commands',
  group: 'emulator',
  positionals: [{ name: 'COMMAND', help: '', arity: 'one' }],
};

/** List of commands by group: all, or those whose name begins with `prefix`, such as `emulator`. */
export function overview(table: readonly CliCommand[], prefix: string, style: Style): string {
  const names = new Set(table.map(({ name }) => name));
  const isListed = ({ name }: Listed): boolean => {
    if (prefix !== '') return name.startsWith(`${prefix} `);
    // A subcommand is listed on the page of its command.
    return !name.startsWith('emulator ') && !names.has(name.slice(0, Math.max(0, name.lastIndexOf(' '))));
  };
  const listed = [...table.filter(isListed), ...(prefix === '' ? [EMULATOR] : [])];
  const groups = groupsOf(listed, style).join('');
  const usage = `Usage: footbridge ${prefix === '' ? '' : `${prefix} `}COMMAND [OPTIONS]\n`;
  const footer = [
    'footbridge COMMAND --help shows options and examples of a command; footbridge --version the version.\n',
  ];
  if (prefix.startsWith('emulator')) {
    footer.push(
      '--world NAME, or the variable FOOTBRIDGE_WORLD, lets a command concern a world of the emulator.\n',
    );
  }
  if (prefix === '') {
    footer.push(
      'footbridge help TOPIC shows a guide, such as test-an-app; footbridge help troubleshooting lists exit codes.\n',
    );
  }
  return `${usage}${groups}\n${footer.join('')}`;
}

/** One section per group; the summaries of all groups are aligned. */
function groupsOf(commands: readonly Listed[], style: Style): string[] {
  const groups = Object.keys(groupTitles) as (keyof typeof groupTitles)[];
  const ordered = groups.flatMap((group) => commands.filter((command) => command.group === group));
  const lines = columns(ordered.map(overviewRow)).split('\n');
  return groups.flatMap((group) => {
    const own = lines.filter((_line, index) => ordered[index]?.group === group);
    return own.length === 0 ? [] : `${style.strong(groupTitles[group])}\n${own.join('\n')}\n`;
  });
}

/** The command with its placeholders, and its summary. */
function overviewRow(command: Listed): [usage: string, summary: string] {
  const placeholders = (command.positionals ?? []).map(positionalWord);
  return [`  ${[command.name, ...placeholders].join(' ')}`, command.summary];
}
