import { printable } from '../../base/text.ts';
import { type CommandEndpoint, publicText } from '../../forward/endpoint.ts';
import { hostIn } from '../../forward/name.ts';

/** Maximum length of the text (characters). */
const MAX_LENGTH = 64;

/** The machine, container or user that a command leads to, behind its program, such as `ssh … build.example`. */
export function hostText({ command, words }: CommandEndpoint): string {
  const program = publicText(`exec:${command}`).slice('exec:'.length);
  return printable(`${program} ${hostIn(words) ?? ''}`)
    .slice(0, MAX_LENGTH)
    .trim();
}
