import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { shellCommand } from '../../../src/conformance/target/shell.ts';

describe.skipIf(process.platform === 'win32')('a command (not on Windows: cmd.exe has no exec)', () => {
  it.each([
    'my-server',
    'my-server --port 5 --name "a; b" \'c && d\'',
    "'/opt/my server/run' --flag",
    '"$HOME/bin/server" a\\;b',
    './server --folder $CONFORMANCE_FOLDER',
    '  node server.js  ',
  ])('%s replaces the shell', (command) => {
    expect(shellCommand(command)).toEqual({ text: `exec ${command.trim()}`, signals: 'process' });
    expect(shellCommand(command, 'umask 0; ').text).toBe(`umask 0; exec ${command.trim()}`);
  });

  it('exec my-server runs unchanged', () => {
    expect(shellCommand('exec my-server')).toEqual({ text: 'exec my-server', signals: 'process' });
  });

  it.each([
    'cd /srv && my-server',
    'my-server; true',
    'my-server | cat',
    'my-server &',
    '(my-server)',
    'my-server > log 2>&1',
    'my-server $(cat args)',
    'PORT=5 my-server',
    'A+=1 my-server',
    'eval my-server',
    '. ./start.sh',
    'exit 3',
    'if true',
    '! my-server',
    'a\nb',
    '',
  ])('%j runs as it is written, and its process group receives the signals', (command) => {
    expect(shellCommand(command, 'umask 0; ')).toEqual({ text: `umask 0; ${command}`, signals: 'group' });
  });

  it('behaves the same with exec as without', () => {
    const command = `printf '%s|' "a; b" 'c && d' e\\ f "$((1 + 1))"`;
    const simple = `printf '%s|' "a; b" 'c && d' e\\ f "$HOME"`;
    expect(shellCommand(command).signals).toBe('process');
    for (const text of [command, simple]) {
      const run = (line: string) => execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
      expect(run(shellCommand(text).text)).toBe(run(text));
    }
  });
});
