import { type CompletionContext, LIVE_COMMAND, type Values } from './contexts.ts';

/** Script for fish 3 and newer, to be sourced or saved in `~/.config/fish/completions` as `footbridge.fish`. */
export function fishCompletion(contexts: readonly CompletionContext[]): string {
  return `# Completion of footbridge for fish. Load it with: footbridge completion fish | source
function __footbridge_words
    switch $argv[1]
${contexts
  .map(({ path, words }) =>
    printed(
      path,
      words.map(({ word, help }) => described(word, help)),
    ),
  )
  .join('')}    end
end

function __footbridge_flags
    switch $argv[1]
${contexts.map(({ path, options }) => printed(path, flagsOf(options))).join('')}    end
end

function __footbridge_valued
    switch $argv[1]
${contexts.map(({ path, options }) => printed(path, valuedOf(options))).join('')}    end
end

# Prints what may be typed, and fails where nothing is known.
function __footbridge_values
    switch $argv[1]
${contexts.flatMap(valueCases).join('')}        case '*'
            return 1
    end
end

function __footbridge
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l path ''
    set -l index 2
    set -l position 1
    while test $index -le (count $typed)
        __footbridge_words "$path" | string replace -r '\\t.*' '' | string match -q -- $typed[$index]; or break
        set path (string trim -- "$path $typed[$index]")
        set index (math $index + 1)
    end
    set -l begins $index
    while test $index -le (count $typed)
        if string match -q -- '--' $typed[$index]
        else if string match -q -- '-*' $typed[$index]
            __footbridge_valued "$path" | string match -q -- $typed[$index]; and set index (math $index + 1)
        else
            set position (math $position + 1)
        end
        set index (math $index + 1)
    end
    if test (count $typed) -ge $begins; and __footbridge_valued "$path" | string match -q -- $typed[-1]
        __footbridge_values "$path $typed[-1]"
        return 0
    end
    test $position -eq 1; and __footbridge_words "$path"
    __footbridge_values "$path $position"; or __footbridge_values "$path *"
    string match -q -- '-*' $current; and __footbridge_flags "$path"
    return 0
end

complete -c footbridge -f -a '(__footbridge)'
`;
}

function valueCases({ path, options, positionals, repeats }: CompletionContext): string[] {
  return [
    ...options.flatMap(({ flags, values }) =>
      values === undefined
        ? []
        : valueCase(
            flags.map((flag) => `${path} ${flag}`),
            values,
          ),
    ),
    ...positionals.flatMap((values, index) => {
      const isLast = index === positionals.length - 1;
      return valueCase([`${path} ${repeats && isLast ? '*' : index + 1}`], values);
    }),
  ];
}

function valueCase(keys: readonly string[], { words, files, live }: Values): string[] {
  const lines = [
    ...(words.length === 0 ? [] : [`printf '%s\\n' ${words.map(quoted).join(' ')}`]),
    ...(files ? ['__fish_complete_path (commandline -ct)'] : []),
    ...(live === undefined ? [] : [`type -q footbridge; and ${LIVE_COMMAND} ${live} 2>/dev/null`, 'true']),
  ];
  if (lines.length === 0) return [];
  const body = lines.map((line) => `            ${line}\n`).join('');
  return [`        case ${keys.map((key) => quoted(key.replaceAll('*', '\\*'))).join(' ')}\n${body}`];
}

function flagsOf(options: CompletionContext['options']): string[] {
  return options.flatMap(({ flags, help }) => flags.map((flag) => described(flag, help)));
}

function valuedOf(options: CompletionContext['options']): string[] {
  return options.flatMap(({ flags, values }) => (values === undefined ? [] : flags));
}

function printed(path: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `        case ${quoted(path)}\n            printf '%s\\n' ${lines.map(quoted).join(' ')}\n`;
}

function described(word: string, help: string): string {
  return `${word}\t${help}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
