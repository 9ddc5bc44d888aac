import { platform } from 'node:os';

/** A command as the shell gets it, and who is told to end. */
export interface ShellCommand {
  readonly text: string;
  /** `process`: the shell became the command. `group`: it waits for the command, and would keep a signal to itself. */
  readonly signals: 'process' | 'group';
}

/** First words with which `exec` means something else, or nothing. */
const NO_PROGRAM =
  /^(?:!|\{|\[\[|\.|:|alias|break|builtin|case|cd|command|continue|eval|exit|export|for|function|hash|if|read|readonly|return|set|shift|source|time|times|trap|type|typeset|ulimit|umask|unalias|unset|until|wait|while)$/;

/**
 * A command that is one program and its arguments is put in the place of the shell: some shells would otherwise stand
 * between it and its signals. One with operators, or with variables set before it, runs as it is written.
 */
export function shellCommand(command: string, prefix = ''): ShellCommand {
  const text = command.trim();
  if (platform() === 'win32') return { text: `${prefix}${text}`, signals: 'process' };
  if (hasOperators(text)) return { text: `${prefix}${text}`, signals: 'group' };
  const [first = ''] = text.split(/\s/, 1);
  if (first === 'exec') return { text: `${prefix}${text}`, signals: 'process' };
  if (first === '' || NO_PROGRAM.test(first) || /^\w+\+?=/.test(first)) {
    return { text: `${prefix}${text}`, signals: 'group' };
  }
  return { text: `${prefix}exec ${text}`, signals: 'process' };
}

/** Whether the shell has more to do than to run one program; what stands in quotes is an argument. */
function hasOperators(text: string): boolean {
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (/[;&|()<>`\n]/.test(sign)) return true;
  }
  return false;
}
