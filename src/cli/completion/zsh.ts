import { type CompletionContext, LIVE_COMMAND, type Values } from './contexts.ts';

/** Script for zsh with its own completion system, to be sourced or saved in a folder of `fpath` as `_footbridge`. */
export function zshCompletion(contexts: readonly CompletionContext[]): string {
  return `#compdef footbridge
# Completion of footbridge for zsh. Load it with: source <(footbridge completion zsh)
_footbridge_at() {
  found=() flags=() valued=()
  case "$1" in
${contexts.map(contextCase).join('\n')}
  esac
}

_footbridge_values() {
  values=() files='' live=''
  case "$1" in
${contexts.flatMap(valueCases).join('\n')}
  esac
}

_footbridge() {
  local at='' files='' live='' current=\${words[CURRENT]} previous=\${words[CURRENT-1]}
  local -i index=2 position=1
  local -a found flags valued values
  _footbridge_at ''
  while (( index < CURRENT )) && (( \${found[(I)\${(b)words[index]}:*]} )); do
    at="\${at:+$at }\${words[index]}"
    _footbridge_at "$at"
    (( index += 1 ))
  done
  for (( ; index < CURRENT; index += 1 )); do
    case \${words[index]} in
      --) ;;
      -*) (( \${valued[(Ie)\${words[index]}]} )) && (( index += 1 )) ;;
      *) (( position += 1 )) ;;
    esac
  done
  if (( \${valued[(Ie)$previous]} )); then
    _footbridge_values "$at $previous"
    found=() flags=()
  else
    _footbridge_values "$at $position"
    [[ -n $values$files$live ]] || _footbridge_values "$at *"
    (( position == 1 )) || found=()
  fi
  [[ -n $live ]] && values=(\${\${(f)"$(${LIVE_COMMAND} $live 2>/dev/null)"}%%$'\\t'*})
  [[ -n $files ]] && _files
  (( \${#values} )) && compadd -a values
  (( \${#found} )) && _describe 'command' found
  [[ $current == -* ]] && _describe -o 'option' flags
  return 0
}

if [[ \${funcstack[1]} == _footbridge ]]; then
  _footbridge "$@"
elif (( \${+functions[compdef]} )); then
  compdef _footbridge footbridge
fi
`;
}

function contextCase({ path, words, options }: CompletionContext): string {
  const found = words.map(({ word, help }) => quoted(`${word}:${help}`));
  const flags = options.flatMap((option) => option.flags.map((flag) => quoted(`${flag}:${option.help}`)));
  const valued = options.filter(({ values }) => values !== undefined).flatMap((option) => option.flags);
  return `    '${path}')
      found=(${found.join(' ')})
      flags=(${flags.join(' ')})
      valued=(${valued.map(quoted).join(' ')}) ;;`;
}

function valueCases({ path, options, positionals, repeats }: CompletionContext): string[] {
  const line = (key: string, { words, files, live }: Values): string[] => {
    const set = [
      ...(words.length === 0 ? [] : [`values=(${words.map(quoted).join(' ')})`]),
      ...(files ? ['files=1'] : []),
      ...(live === undefined ? [] : [`live=${live}`]),
    ];
    return set.length === 0 ? [] : [`    ${key}) ${set.join(' ')} ;;`];
  };
  return [
    ...options.flatMap(({ flags, values }) =>
      values === undefined ? [] : line(flags.map((flag) => quoted(`${path} ${flag}`)).join(' | '), values),
    ),
    ...positionals.flatMap((values, index) => {
      const isLast = index === positionals.length - 1;
      return line(quoted(`${path} ${repeats && isLast ? '*' : index + 1}`), values);
    }),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
