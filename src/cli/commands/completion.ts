import type { LiveList } from '../../base/operator-command.ts';
import { controlClient } from '../../control/client.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import { defineCommand } from '../command.ts';
import { bashCompletion } from '../completion/bash.ts';
import { type CompletionContext, completionContexts } from '../completion/contexts.ts';
import { fishCompletion } from '../completion/fish.ts';
import { type LiveWord, liveLists, liveValues } from '../completion/live.ts';
import { powershellCompletion } from '../completion/powershell.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { currentHost, printResult } from '../daemon-client.ts';
import { WORLD_VARIABLE } from '../world-option.ts';

const shells: { readonly [shell: string]: (contexts: readonly CompletionContext[]) => string } = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
};

/** `footbridge completion bash|zsh|fish|powershell`. */
export const completion = defineCommand({
  name: 'completion',
  summary: 'Print a script that completes commands, options and values in your shell',
  group: 'setup',
  positionals: [
    { name: Object.keys(shells).join('|'), help: 'the shell', arity: 'one', choices: Object.keys(shells) },
  ],
  details: [
    'The script knows the names of the protocol, and asks a running bridge for ids. That for PowerShell was never run.',
  ],
  examples: [
    ['source <(footbridge completion bash)', 'In ~/.bashrc'],
    ['source <(footbridge completion zsh)', 'In ~/.zshrc, after compinit'],
    ['footbridge completion fish | source', 'In ~/.config/fish/config.fish'],
    ['footbridge completion powershell | Out-String | Invoke-Expression', 'In $PROFILE of PowerShell'],
  ],
  async run({ positionals: [shell = ''] }, io, table) {
    const { knownValues } = await import('../known-values.ts');
    io.out(shells[shell]?.(completionContexts(table, knownValues())) ?? '');
    return ExitCode.OK;
  },
});

/** Time limit for a live completion, because a user waits after pressing the key (ms). */
const TIMEOUT_MS = 500;

/** `footbridge completion ids WHAT`. */
export const completionIds = defineCommand({
  name: 'completion ids',
  summary: 'Print values from a running bridge, for the completion',
  group: 'setup',
  positionals: [{ name: 'WHAT', help: liveLists.join(', '), arity: 'one', choices: liveLists }],
  json: true,
  details: ['Each on a line, with a tab and its name. Nothing where no bridge answers within half a second.'],
  examples: [['footbridge completion ids users', 'The users of the emulator']],
  async run({ positionals: [list], json }, io) {
    const client = controlClient({
      folder: currentHost(),
      env: io.env,
      world: list === 'worlds' ? undefined : io.env[WORLD_VARIABLE] || undefined,
      timeoutMs: TIMEOUT_MS,
    });
    // Errors are ignored here, because the completed command itself reports them when it runs.
    const values = await liveValues(list as LiveList, (operation) => client.call(operation)).catch(
      (): LiveWord[] => [],
    );
    return printResult(io, json, values, () => values.map(({ word, help }) => `${word}\t${help}\n`).join(''));
  },
});
