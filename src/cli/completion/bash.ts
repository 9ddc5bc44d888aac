import { type CompletionContext, LIVE_COMMAND, type Values } from './contexts.ts';

/** Script for bash 3.2 and newer. */
export function bashCompletion(contexts: readonly CompletionContext[]): string {
  return `# Completion of footbridge for bash. Load it with: source <(footbridge completion bash)
_footbridge_at() {
  words='' options='' valued=' '
  case "$1" in
${contexts.map(contextCase).join('\n')}
  esac
}

_footbridge_values() {
  values='' files='' live=''
  case "$1" in
${contexts.flatMap(valueCases).join('\n')}
  esac
}

_footbridge() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local path='' index=1 position=1 name='' words options valued values files live line
  COMPREPLY=()
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  _footbridge_at ''
  while (( index < COMP_CWORD )) && [[ " $words " == *" \${COMP_WORDS[index]} "* ]]; do
    path="\${path:+$path }\${COMP_WORDS[index]}"
    _footbridge_at "$path"
    (( index += 1 ))
  done
  for (( ; index < COMP_CWORD; index += 1 )); do
    case \${COMP_WORDS[index]} in
      --) ;;
      -*) if [[ $valued == *" \${COMP_WORDS[index]} "* ]]; then (( index += 1 )); [[ \${COMP_WORDS[index]} == '=' ]] && (( index += 1 )); fi ;;
      *) (( position += 1 )) ;;
    esac
  done
  if [[ $valued == *" $prev "* ]]; then
    _footbridge_values "$path $prev"
    words='' options=''
  else
    _footbridge_values "$path $position"
    [[ -n $values$files$live ]] || _footbridge_values "$path *"
    (( position == 1 )) || words=''
  fi
  [[ -n $live ]] && values=$(${LIVE_COMMAND} "$live" 2>/dev/null | cut -f 1 | tr '\\n' ' ')
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
  fi
  [[ $cur == -* ]] || options=''
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$words $values $options" -- "$cur")
}

complete -F _footbridge footbridge
`;
}

function contextCase({ path, words, options }: CompletionContext): string {
  const flags = options.flatMap((option) => option.flags);
  const valued = options.filter(({ values }) => values !== undefined).flatMap((option) => option.flags);
  const list = words.map(({ word }) => word).join(' ');
  return `    '${path}') words='${list}' options='${flags.join(' ')}' valued=' ${valued.join(' ')} ' ;;`;
}

function valueCases({ path, options, positionals, repeats }: CompletionContext): string[] {
  const line = (key: string, { words, files, live }: Values): string[] => {
    const set = [
      ...(words.length === 0 ? [] : [`values='${words.join(' ')}'`]),
      ...(files ? ['files=1'] : []),
      ...(live === undefined ? [] : [`live=${live}`]),
    ];
    return set.length === 0 ? [] : [`    ${key}) ${set.join(' ')} ;;`];
  };
  return [
    ...options.flatMap(({ flags, values }) =>
      values === undefined ? [] : line(flags.map((flag) => `'${path} ${flag}'`).join(' | '), values),
    ),
    ...positionals.flatMap((values, index) => {
      const isLast = index === positionals.length - 1;
      return line(repeats && isLast ? `'${path} *'` : `'${path} ${index + 1}'`, values);
    }),
  ];
}
