import { ExitCode } from '../../daemon/exit-codes.ts';
import { defineCommand } from '../command.ts';
import { bashCompletion } from '../completion/bash.ts';
import { completedPlaces } from '../completion/places.ts';
import { zshCompletion } from '../completion/zsh.ts';

/** `footbridge completion bash|zsh`. */
export const completion = defineCommand({
  name: 'completion',
  summary: 'Print a script that completes commands and options in your shell',
  positionals: [{ name: 'bash|zsh', help: 'the shell', arity: 'one', choices: ['bash', 'zsh'] }],
  details: [
    'bash: put this into ~/.bashrc   source <(footbridge completion bash)',
    'zsh:  put this into ~/.zshrc, after compinit   source <(footbridge completion zsh)',
  ],
  async run({ positionals: [shell] }, io) {
    // The table holds this command: it cannot be imported above.
    const { commandTable } = await import('../command-line.ts');
    const places = completedPlaces(commandTable);
    io.out(shell === 'zsh' ? zshCompletion(places) : bashCompletion(places));
    return ExitCode.OK;
  },
});
