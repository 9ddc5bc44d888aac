import { expect, it } from 'vitest';
import { scriptOf } from '../../../platform/process/script.ts';

/** Executable, arguments behind its own name, and what is shown of them. */
const NODE = 'node';
it.each<[exe: string, args: readonly string[], script: string | undefined]>([
  [NODE, ['app.mjs'], 'app.mjs'],
  [NODE, ['/opt/app/server', '--token', 'secret'], 'server'],
  [NODE, ['--import', 'tsx', 'app.ts'], 'app.ts'],
  [NODE, ['--import=tsx', '-r', './setup.cjs', '-C', 'dev', 'app', 'secret'], 'app'],
  [NODE, ['--require', '/a/preflight.cjs', '--import', 'file:///a/loader.mjs', './main.ts'], 'main.ts'],
  [NODE, ['/home/me/.npm/_npx/1a/node_modules/.bin/deck', 'secret'], 'deck'],
  ['nodejs', ['--inspect', 'app.js'], 'app.js'],
  ['node24', ['--', 'app'], 'app'],
  // An option that is not known may have a value.
  [NODE, ['--pass', 'secret', 'app.js'], undefined],
  [NODE, ['--pass', 'secret'], undefined],
  [NODE, ['--pass=secret', 'app'], 'app'],
  [NODE, ['-e', 'secret()', 'secret'], '-e'],
  [NODE, ['-pe', 'secret()', 'secret'], '-e'],
  [NODE, ['--eval=secret()', 'secret'], '--eval'],
  [NODE, ['--print', 'secret()'], '--print'],
  [NODE, ['-', 'secret.js'], undefined],
  [NODE, ['.'], undefined],
  [NODE, ['dist/'], 'dist'],
  [NODE, ['', 'secret'], undefined],
  [NODE, [], undefined],
  ['python3.13', ['deck.py', 'secret'], 'deck.py'],
  ['python3', ['-u', '-W', 'error', '-X', 'dev', '/a/deck.py'], 'deck.py'],
  ['python3', ['-m', 'pkg.main', 'secret'], '-m pkg.main'],
  ['python3', ['-um', 'pkg'], '-m pkg'],
  ['python3', ['-m', 'not a module'], undefined],
  ['python3', ['-m'], undefined],
  ['python3', ['-c', 'secret', 'secret.py'], '-c'],
  ['python3', ['-uc', 'secret'], '-c'],
  ['python3', ['-csecret', 'secret.py'], '-c'],
  ['pypy3.10', ['deck'], 'deck'],
  ['bash', ['deck.sh', 'secret'], 'deck.sh'],
  ['bash', ['-lc', 'secret'], '-c'],
  ['dash', ['-e', '/usr/bin/deck'], undefined],
  ['bash', ['-o', 'pipefail', 'deck'], 'deck'],
  ['perl', ['-esecret', 'secret.pl'], '-e'],
  ['ruby', ['deck.rb'], 'deck.rb'],
  ['php8.2', ['-r', 'secret'], '-r'],
  ['java', ['-Dkey=secret', '-jar', '/opt/deck.jar', 'secret'], 'deck.jar'],
  ['java', ['-cp', 'a:b', 'org.example.Deck', 'secret'], 'org.example.Deck'],
  ['bun', ['run', 'deck.ts', 'secret'], 'deck.ts'],
  ['deno', ['run', '-A', 'main.ts'], 'main.ts'],
  ['deno', ['eval', 'secret'], 'eval'],
  ['dotnet', ['exec', 'deck.dll'], 'deck.dll'],
  ['dotnet', ['run', 'secret'], 'run'],
  // Electron applications have an executable of their own.
  ['slack', ['--type=renderer', 'secret.js'], undefined],
  ['obs', ['secret'], undefined],
])('of %s %j only the script %j is shown', (exe, args, script) => {
  expect(scriptOf(exe, () => [`/usr/bin/${exe}`, ...args])).toBe(script);
});

it.each<[words: readonly string[], script: string | undefined]>([
  [['C:\\Games\\Tug Boats\\game.exe', '-token', 'secret.exe'], 'game.exe'],
  [['/usr/lib/wine/wine64', 'Z:\\home\\me\\Game.EXE', 'secret'], 'Game.EXE'],
  [['/usr/lib/wine/wine64-preloader', '/usr/lib/wine/wine64', '/home/me/game.exe'], 'game.exe'],
  [['C:\\game.exe --token secret.exe'], 'game.exe'],
  [['wine64', 'secret'], undefined],
  [[], undefined],
])('of a Windows program %j the name is %j', (words, script) => {
  for (const exe of ['wine64-preloader', 'wine-preloader', 'wine', 'wine64'])
    expect(scriptOf(exe, () => words)).toBe(script);
});

it('reads no argument of a program that is no interpreter', () => {
  expect(
    scriptOf('game', () => {
      throw new Error('read');
    }),
  ).toBeUndefined();
});
