import { exitCodeMeanings } from '../daemon/exit-codes.ts';
import { columns, type Style } from '../daemon/style.ts';
import type { CliCommand, CliPositional } from './command.ts';
import { optionsOf } from './parse.ts';

/** The page of one command. */
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
  ];
  return sections.filter((section) => section !== '').join('\n');
}

/** `footbridge emulator voice set [OPTIONS] KEY VALUE`. */
export function usageLine(command: CliCommand): string {
  const words = (command.positionals ?? []).map(positionalWord);
  // A tool with a command line of its own: what follows its word is read there.
  if (command.raw) return ['footbridge', command.name, ...words, '[OPTIONS]'].join(' ');
  // A repeated word is somebody else's command line, which must not be read for our options.
  const separator = command.positionals?.some(({ arity }) => arity === 'many') ? ['--'] : [];
  return ['footbridge', command.name, '[OPTIONS]', ...separator, ...words].join(' ');
}

function positionalWord({ name, arity }: CliPositional): string {
  switch (arity) {
    case 'one':
      return name;
    case 'optional':
      return `[${name}]`;
    case 'many':
      return `${name}…`;
  }
}

/** The list of commands, all or those of one group such as `emulator`. */
export function overview(table: readonly CliCommand[], prefix: string, style: Style): string {
  const shown = prefix === '' ? table : table.filter(({ name }) => name.startsWith(`${prefix} `));
  const rows = shown.map((command) => {
    const words = (command.positionals ?? []).map(positionalWord);
    return [`  ${[command.name, ...words].join(' ')}`, command.summary];
  });
  const sections = [
    'Footbridge: a local RPC bridge.\n',
    `${style.strong('Usage')}\n  footbridge ${prefix === '' ? '' : `${prefix} `}COMMAND [OPTIONS]\n`,
    `${style.strong('Commands')}\n${columns(rows)}`,
  ];
  if (prefix === '') {
    const codes = exitCodeMeanings.map(([code, meaning]) => [`  ${code}`, meaning]);
    sections.push(`${style.strong('Exit codes')}\n${columns(codes)}`);
  }
  sections.push(
    'footbridge COMMAND --help shows the options of a command; footbridge --version the version.\n',
  );
  return sections.join('\n');
}
