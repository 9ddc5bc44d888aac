import { columns, type Style } from '../base/style.ts';
import { exitCodeMeanings } from '../daemon/exit-codes.ts';
import { type CliCommand, type CliPositional, groupTitles } from './command.ts';
import { optionsOf } from './parse.ts';

/** Help page of one command. */
export function commandHelp(command: CliCommand, style: Style): string {
  const positionals = command.positionals ?? [];
  const options = Object.entries(optionsOf(command)).map(([name, option]) => [
    `  ${option.short === undefined ? '    ' : `-${option.short}, `}--${name}${option.value === undefined ? '' : ` ${option.value}`}`,
    option.help,
  ]);
  const sections = [
    `${command.summary}\n`,
    `${style.strong('Usage')}\n  ${usageLine(command)}\n`,
    positionals.length === 0 ? '' : columns(positionals.map(({ name, help }) => [`  ${name}`, help])),
    `${style.strong('Options')}\n${columns(options)}`,
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
  const placeholders = (command.positionals ?? []).map(positionalWord);
  // The tool parses its own arguments.
  if (command.raw) return ['footbridge', command.name, ...placeholders, '[OPTIONS]'].join(' ');
  // The `--` separates our options from those of the other command line.
  const separator = command.positionals?.some(({ isCommandLine }) => isCommandLine) ? ['--'] : [];
  return ['footbridge', command.name, '[OPTIONS]', ...separator, ...placeholders].join(' ');
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

/** List of commands by group: all, or those whose name begins with `prefix`, such as `emulator`. */
export function overview(table: readonly CliCommand[], prefix: string, style: Style): string {
  // The emulator has many commands, and its own list.
  const listed = table.filter(
    ({ name }) => name.startsWith(`${prefix} `) || (prefix === '' && !name.startsWith('emulator ')),
  );
  const sections = [
    'Footbridge: a local RPC bridge.\n',
    `${style.strong('Usage')}\n  footbridge ${prefix === '' ? '' : `${prefix} `}COMMAND [OPTIONS]\n`,
    ...groupsOf(listed, style),
  ];
  if (prefix === '') {
    sections.push('footbridge emulator --help lists the commands that change what the emulator holds.\n');
    const codes = exitCodeMeanings.map(([code, meaning]) => [`  ${code}`, meaning]);
    sections.push(`${style.strong('Exit codes')}\n${columns(codes)}`);
  }
  sections.push(
    'footbridge COMMAND --help shows options and examples of a command; footbridge --version the version.\n',
  );
  return sections.join('\n');
}

/** One section per group; the summaries of all groups are aligned. */
function groupsOf(commands: readonly CliCommand[], style: Style): string[] {
  const groups = Object.keys(groupTitles) as (keyof typeof groupTitles)[];
  const ordered = groups.flatMap((group) => commands.filter((command) => command.group === group));
  const lines = columns(
    ordered.map((command) => {
      const placeholders = (command.positionals ?? []).map(positionalWord);
      return [`  ${[command.name, ...placeholders].join(' ')}`, command.summary];
    }),
  ).split('\n');
  return groups.flatMap((group) => {
    const own = lines.filter((_line, index) => ordered[index]?.group === group);
    return own.length === 0 ? [] : `${style.strong(groupTitles[group])}\n${own.join('\n')}\n`;
  });
}
