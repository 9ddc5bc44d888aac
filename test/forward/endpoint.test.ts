import { describe, expect, it } from 'vitest';
import { commandWords } from '../../src/forward/command-words.ts';
import { parseForwardEndpoint, publicText } from '../../src/forward/endpoint.ts';

describe('the words of a command', () => {
  it.each([
    ['ssh host footbridge', ['ssh', 'host', 'footbridge']],
    ["  a  'b c'  \"d 'e'\" ", ['a', 'b c', "d 'e'"]],
    [String.raw`a\ b "c\"d\e" 'f\g'`, ['a b', String.raw`c"d\e`, String.raw`f\g`]],
    ["'' a''b", ['', 'ab']],
    ['\\a "" b\tc\n', ['a', '', 'b', 'c']],
    [String.raw`"a\$b\`c\\d\'e" '$'`, ["a$b`c\\d\\'e", '$']],
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
  it.each(["'a", '"a', 'a\\', '"a\\', `"a'`])('%s has no end', (text) => {
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
    ['exec:ssh ', 'exec:ssh'],
    ["exec:'a b'c", 'exec:a b …'],
    ['exec:ssh\nhost', 'exec:ssh …'],
    ['xexec:ssh host', 'xexec:ssh host'],
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
    ['stdio:', { kind: 'stdio' }],
    ['-', { kind: 'stdio' }],
    ['auto', { kind: 'auto' }],
    ['/a\nb', { kind: 'socket', path: '/a\nb' }],
    ["exec: ssh 'a b' ", { kind: 'exec', command: "ssh 'a b'", words: ['ssh', 'a b'] }],
  ])('--to %j is %j', (text, endpoint) => {
    expect(parseForwardEndpoint('--to', text, 'linux')).toEqual(endpoint);
    // As a key of a configuration.
    expect(parseForwardEndpoint('to', text, 'linux')).toEqual(endpoint);
  });

  it.each([String.raw`\\.\pipe\x`, String.raw`\\?\PIPE\x`, '//./pipe/x'])(
    '%s is a pipe of Windows',
    (path) => {
      expect(parseForwardEndpoint('--from', path, 'win32')).toEqual({ kind: 'socket', path });
    },
  );

  const network =
    'is an address of a network, on which a forward never listens or connects. Use exec: with ssh.';
  const linuxForms = 'a path such as /run/user/1000/discord-ipc-0, stdio:, or exec:COMMAND';
  const windowsForms = String.raw`a path such as \\.\pipe\discord-ipc-0, stdio:, or exec:COMMAND`;
  const foreign = (os: string): string => `is a path of Windows, and this is ${os}. Use ${linuxForms}.`;
  const none = `is not an endpoint. Use ${linuxForms}.`;
  it.each([
    ...[
      'localhost:6463',
      'tcp:127.0.0.1:80',
      'UDP:x',
      'ws:x',
      'wss:x',
      'http:x',
      'https:x',
      '[::1]:80',
      ':80',
    ].map((text) => ['linux', '--to', text, network] as const),
    ['linux', '--from', String.raw`\\.\pipe\discord-ipc-0`, foreign('linux')],
    ['darwin', '--from', '//./pipe/x/', foreign('darwin')],
    ['linux', '--from', String.raw`C:\discord`, foreign('linux')],
    ['linux', '--from', 'd:/x', foreign('linux')],
    ['linux', '--from', String.raw`\x`, foreign('linux')],
    ['linux', '--from', 'discord-ipc-0', none],
    ['linux', '--from', '/run/', none],
    ['linux', '--from', '/', none],
    ['linux', '--from', '/a\0b', none],
    ['linux', '--from', '[::1]:8x', none],
    ['linux', '--from', 'x:8y', none],
    ['linux', '--from', 'xtcp:', none],
    ['linux', '--from', 'x-', none],
    ['win32', '--from', '/run/a', `is not an endpoint. Use ${windowsForms}.`],
    ['win32', '--from', '\\\\.\\pipe\\', `is not an endpoint. Use ${windowsForms}.`],
    ['win32', '--from', String.raw`C:\x`, `is not an endpoint. Use ${windowsForms}.`],
    [
      'linux',
      '--from',
      'auto',
      'is only for the end where the bridge is. Name the path of the socket that apps shall find.',
    ],
    [
      'linux',
      'from',
      'auto',
      'is only for the end where the bridge is. Name the path of the socket that apps shall find.',
    ],
    ['linux', '--to', 'exec: ', 'names no command. Write exec:COMMAND with its arguments.'],
    ['linux', '--to', "exec:'' x", 'names no command. Write exec:COMMAND with its arguments.'],
    ['linux', '--to', "exec:ssh 'host", 'has a quote without its end.'],
    ['linux', '--to', '\x1b]0;x\x07', none],
  ] as const)('on %s, %s %j is refused in one line', (os, option, text, problem) => {
    const parse = () => parseForwardEndpoint(option, text, os);
    expect(parse).toThrow(problem);
    expect(parse).toThrow(expect.objectContaining({ code: 'FOOTBRIDGE_USAGE' }));
    expect(parse).toThrow(/^(?:--)?(?:from|to): ".*" \P{Cc}+$/u);
  });

  it('an error quotes the text without its arguments, and at most 120 characters of it', () => {
    const errorOf = (text: string): string => {
      try {
        parseForwardEndpoint('--to', text, 'linux');
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(errorOf("exec:ssh 'hunter2")).toBe('--to: "exec:ssh …" has a quote without its end.');
    expect(errorOf('x'.repeat(121))).toBe(`--to: "${'x'.repeat(120)}" ${none}`);
    expect(errorOf('a\x1b"')).toBe(`--to: "a\\u001b\\"" ${none}`);
    const tooLong = errorOf(`/${'x'.repeat(200)}`);
    expect(tooLong).toMatch(/^--to: \/x.*Use a folder with a shorter name\.$/);
  });
});
