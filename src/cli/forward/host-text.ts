import { printable } from '../../base/text.ts';
import { type CommandEndpoint, publicText } from '../../forward/endpoint.ts';
import { hostIn } from '../../forward/name.ts';

/** Maximum length of the text (characters). */
const MAX_LENGTH = 64;

/**
 * The machine, container or user that a command leads to, behind its program, such as `ssh … build.example`. A long text
 * loses its start, because the program's own name and the machine are at its end.
 */
export function hostText({ command, words }: CommandEndpoint): string {
  const program = publicText(`exec:${command}`).slice('exec:'.length);
  const text = printable(`${program} ${hostIn(words) ?? ''}`).trim();
  return text.length > MAX_LENGTH ? `…${text.slice(1 - MAX_LENGTH)}` : text;
}
