import type { Place, Values } from './places.ts';

const FILES = '<files>';

/** A script for zsh with its own completion system, to be sourced or put into a folder of `fpath` as `_footbridge`. */
export function zshCompletion(places: readonly Place[]): string {
  return `#compdef footbridge
# Completion of footbridge for zsh. Load it with: source <(footbridge completion zsh)
_footbridge_at() {
  found=() flags=() valued=()
  case "$1" in
${places.map(placeCase).join('\n')}
  esac
}

_footbridge_values() {
  values=()
  case "$1" in
${places.flatMap(valueCases).join('\n')}
  esac
}

_footbridge() {
  local at='' current=\${words[CURRENT]} previous=\${words[CURRENT-1]}
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
    (( \${#values} )) || _footbridge_values "$at *"
    (( position == 1 )) || found=()
  fi
  if [[ \${values[1]} == '${FILES}' ]]; then
    _files
  elif (( \${#values} )); then
    compadd -a values
  fi
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

function placeCase({ path, words, options }: Place): string {
  const found = words.map(({ word, help }) => quoted(`${word}:${help}`));
  const flags = options.flatMap((option) => option.flags.map((flag) => quoted(`${flag}:${option.help}`)));
  const valued = options.filter(({ values }) => values !== undefined).flatMap((option) => option.flags);
  return `    '${path}')
      found=(${found.join(' ')})
      flags=(${flags.join(' ')})
      valued=(${valued.map(quoted).join(' ')}) ;;`;
}

function valueCases({ path, options, positionals, repeats }: Place): string[] {
  const line = (key: string, values: Values): string[] =>
    values === 'anything'
      ? []
      : [`    ${key}) values=(${values === 'files' ? quoted(FILES) : values.map(quoted).join(' ')}) ;;`];
  return [
    ...options.flatMap(({ flags, values = 'anything' }) =>
      line(flags.map((flag) => quoted(`${path} ${flag}`)).join(' | '), values),
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
