import { describe, expect, it } from 'vitest';
import { commandWords } from '../../src/forward/command-words.ts';
import { parseForwardEndpoint, publicText } from '../../src/forward/endpoint.ts';

describe('the words of a command', () => {
  it.each([
    ['ssh host footbridge', ['ssh', 'host', 'footbridge']],
    ["  a  'b c'  \"d 'e'\" ", ['a', 'b c', "d 'e'"]],
    [String.raw`a\ b "c\"d\e" 'f\g'`, ['a b', String.raw`c"d\e`, String.raw`f\g`]],
    ["'' a''b", ['', 'ab']],
    ['', []],
  ])('%s', (text, words) => {
    expect(commandWords(text, 'linux')).toEqual(words);
  });
  it('a backslash is a character of paths on Windows', () => {
    expect(commandWords(String.raw`"C:\Program Files\ssh.exe" host`, 'win32')).toEqual([
      String.raw`C:\Program Files\ssh.exe`,
      'host',
    ]);
  });
  it.each(["'a", '"a', 'a\\'])('%s has no end', (text) => {
    expect(commandWords(text, 'linux')).toBeUndefined();
  });
});

describe('an endpoint', () => {
  it.each([
    ['/run/user/1000/discord-ipc-0', '/run/user/1000/discord-ipc-0'],
    ['stdio:', 'stdio:'],
    ['auto', 'auto'],
    ['exec:true', 'exec:true'],
    ["exec:ssh host 'a b'", 'exec:ssh …'],
    ['exec: sshpass -p hunter2 ssh host', 'exec:sshpass …'],
    [String.raw`exec:"C:\Program Files\ssh.exe" host`, String.raw`exec:C:\Program Files\ssh.exe …`],
    ['exec:TOKEN=hunter2 ssh host', 'exec:…'],
    ['exec:', 'exec:…'],
  ])('%s is shown as %s', (text, shown) => {
    expect(publicText(text)).toBe(shown);
  });
  it.each(["exec:sshpass -p hunter2 ssh 'host", "exec:'' hunter2"])(
    'the error for %s has no argument',
    (text) => {
      expect(() => parseForwardEndpoint('--to', text, 'linux')).toThrow(/^(?!.*hunter2)/);
    },
  );
  it('a pipe is an endpoint on Windows', () => {
    const path = String.raw`\\.\pipe\discord-ipc-0`;
    expect(parseForwardEndpoint('--to', path, 'win32')).toEqual({ kind: 'socket', path });
  });
  it.each([
    ['--to', 'localhost:6463', 'network'],
    ['--from', 'tcp:127.0.0.1:80', 'network'],
    ['--from', '[::1]:80', 'network'],
    ['--to', ':80', 'network'],
    ['--from', String.raw`\\.\pipe\discord-ipc-0`, 'path of Windows, and this is linux'],
    ['--from', String.raw`C:\discord`, 'path of Windows'],
    ['--from', 'discord-ipc-0', 'not an endpoint'],
    ['--from', '/run/', 'not an endpoint'],
    ['--from', 'auto', 'only for the end'],
    ['--to', 'exec:', 'no command'],
    ['--to', "exec:ssh 'host", 'quote'],
    ['--to', `/${'x'.repeat(200)}`, '--to: '],
    ['--to', '\x1b]0;x\x07', 'not an endpoint'],
  ])('%s %s is refused in one line', (option, text, problem) => {
    const parse = () => parseForwardEndpoint(option, text, 'linux');
    expect(parse).toThrow(problem);
    try {
      parse();
    } catch (error) {
      expect((error as Error).message).toMatch(/^--(?:from|to): \P{Cc}+$/u);
    }
  });
});
