import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shells, shellText } from '../../../src/cli/env/shell-text.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const hostile = {
  PLAIN: '/run/user/1000/discord-ipc-0',
  EMPTY: '',
  SPACES: ' a  b\t',
  QUOTES: `it's "so" '' \`id\``,
  SUBSTITUTION: `$(touch /tmp/x) \${HOME} $HOME *? ~ !! #`,
  BACKSLASHES: "a\\b\\\\c\\' \\n \\",
  NEWLINES: 'one\ntwo\n',
  DASH: '-n',
  SIGNS: '; & | < > ( ) [ ] { } = % ^ ,',
  LETTERS: 'é ✓ ‘’‚‛ “”',
};

describe('shellText', () => {
  it.for(['sh', 'bash', 'dash', 'zsh', 'fish'])('is read back unchanged by %s', (program, { skip }) => {
    // A shell may create its own folders there.
    const env = { PATH: process.env['PATH'], HOME: temporaryFolder() };
    if (spawnSync(program, ['-c', 'exit 0'], { env }).status !== 0) skip(`${program} is not here`);
    const text = shellText(program === 'fish' ? 'fish' : 'sh', hostile);
    const print = `${process.execPath} -p 'JSON.stringify(process.env)'`;
    const evaluate = program === 'fish' ? 'printf %s "$TEXT" | source' : 'eval "$TEXT"';
    const { stdout, stderr } = spawnSync(program, ['-c', `${evaluate}; ${print}`], {
      encoding: 'utf8',
      env: { ...env, TEXT: text, LC_ALL: 'C.UTF-8' },
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject(hostile);
  });

  it('doubles every quote that PowerShell knows', () => {
    expect(shellText('powershell', { A: `it's $x ‘a’ ‚b‛ "c" \\ ` })).toBe(
      "$env:A = 'it''s $x ‘‘a’’ ‚‚b‛‛ \"c\" \\ '\n",
    );
  });

  it('prints one statement for each variable', () => {
    const lines = (shell: string) => shellText(shell, { A: '1', B: '/b' });
    expect(shells.map(lines)).toEqual([
      "export A='1'\nexport B='/b'\n",
      "set -gx A '1'\nset -gx B '/b'\n",
      "$env:A = '1'\n$env:B = '/b'\n",
    ]);
  });
});
