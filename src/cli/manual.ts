// Manual page footbridge(1), generated from the command table like the help and the completions.

import { exitCodeMeanings } from '../daemon/exit-codes.ts';
import type { CliCommand, CliExample } from './command.ts';
import { usageLine } from './help.ts';
import { optionsOf } from './parse.ts';

/** Files of the bridge; further details are in the README. */
const FILES: readonly (readonly [name: string, text: string])[] = [
  [
    '$XDG_RUNTIME_DIR/discord-ipc-0',
    'the endpoint that apps connect to; without the variable TMPDIR, TMP, TEMP or /tmp count',
  ],
  [
    '~/.config/footbridge/footbridge.toml',
    'the configuration; "footbridge config show" prints every key and where its value comes from',
  ],
  ['~/.local/share/footbridge', 'grants and tokens, readable by their owner only'],
];
const VARIABLES: readonly (readonly [name: string, text: string])[] = [
  [
    'FOOTBRIDGE_…',
    'a setting, such as FOOTBRIDGE_CORE or FOOTBRIDGE_LIMITS_CONNECTIONS; an option wins over it, and it over the file',
  ],
  ['NO_COLOR', 'no colours, when it is set to anything'],
];

/** The page as roff for the man macros, in UTF-8. `time` is its date, in seconds since 1970. */
export function manualPage(table: readonly CliCommand[], version: string, time: number): string {
  const date = new Date(time * 1000).toISOString().slice(0, 10);
  return [
    `.TH FOOTBRIDGE 1 "${date}" "footbridge ${version}" "User Commands"`,
    '.SH NAME',
    'footbridge \\- local RPC bridge that owns the discord-ipc endpoint',
    '.SH SYNOPSIS',
    '.B footbridge',
    '.I COMMAND',
    '[OPTIONS]',
    '.SH DESCRIPTION',
    'Footbridge answers the games, overlays and editors that talk to a chat client on the same machine: from an offline',
    'emulator, or in front of a real chat client. It asks you before an app may act for you.',
    '.SH COMMANDS',
    ...table.flatMap(commandSection),
    '.SH EXIT STATUS',
    ...exitCodeMeanings.flatMap(([code, meaning]) => item(bold(String(code)), meaning)),
    '.SH FILES',
    ...FILES.flatMap(([name, text]) => item(italic(name), text)),
    '.SH ENVIRONMENT',
    ...VARIABLES.flatMap(([name, text]) => item(bold(name), text)),
    '',
  ].join('\n');
}

function commandSection(command: CliCommand): string[] {
  const positionals = command.positionals ?? [];
  return [
    `.SS ${quoted(command.name)}`,
    `${escaped(command.summary)}.`,
    '.PP',
    bold(usageLine(command)),
    ...positionals.flatMap(({ name, help }) => item(italic(name), help)),
    ...Object.entries(optionsOf(command)).flatMap(([name, { short, value, help }]) => {
      const names = [...(short === undefined ? [] : [bold(`-${short}`)]), bold(`--${name}`)].join(', ');
      return item(value === undefined ? names : `${names} ${italic(value)}`, help);
    }),
    ...paragraphs(command.details ?? []).flatMap((text) => ['.PP', escaped(text)]),
    ...command.examples.flatMap(exampleItem),
  ];
}

/** Joins lines to paragraphs; an empty line separates two. */
function paragraphs(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : lines.join(' ').split(/ {2,}/);
}

/** Purpose of an example, then the line itself. */
function exampleItem([line, use]: CliExample): string[] {
  return ['.PP', '.nf', `# ${escaped(use)}`, escaped(line), '.fi'];
}

function item(tag: string, text: string): string[] {
  return ['.TP', tag, escaped(text)];
}

function bold(text: string): string {
  return `\\fB${escaped(text)}\\fR`;
}

function italic(text: string): string {
  return `\\fI${escaped(text)}\\fR`;
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '""')}"`;
}

/**
 * Escapes a text for roff: it contains no escape sequence, no minus that breaks when copied, and no request at the
 * start of a line.
 */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
