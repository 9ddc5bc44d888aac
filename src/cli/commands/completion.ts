import { defineCommand } from '../command.ts';
import { ExitCode } from '../exit-codes.ts';

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
    const [{ commandTable }, { completedPlaces }, { bashCompletion }, { zshCompletion }] = await Promise.all([
      import('../table.ts'),
      import('../completion/places.ts'),
      import('../completion/bash.ts'),
      import('../completion/zsh.ts'),
    ]);
    const places = completedPlaces(commandTable);
    io.out(shell === 'zsh' ? zshCompletion(places) : bashCompletion(places));
    return ExitCode.OK;
  },
});
