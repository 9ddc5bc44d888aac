import { platform } from 'node:os';

/** Command in the form for the shell, and the processes that receive its signals. */
export interface ShellCommand {
  readonly text: string;
  /**
   * `process`: the shell became the command. `group`: the shell waits for the command, and would not forward a signal.
   */
  readonly signals: 'process' | 'group';
}

/** First words of a command that `exec` cannot run as a program, or that mean something else after `exec`. */
const NO_PROGRAM =
  /^(?:!|\{|\[\[|\.|:|alias|break|builtin|case|cd|command|continue|eval|exit|export|for|function|hash|if|read|readonly|return|set|shift|source|time|times|trap|type|typeset|ulimit|umask|unalias|unset|until|wait|while)$/;

/**
 * Prepares a command for the shell. A single program with arguments replaces the shell, because some shells do not
 * forward signals to it. A command with operators or leading assignments runs unchanged.
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

/** Whether the shell has to do more than run one program; quoted text is an argument. */
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
