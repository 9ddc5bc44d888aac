import { describe, expect, it } from 'vitest';
import { Detectables } from '../../src/presence/detectables.ts';

const app = (id: string, ...executables: readonly (string | object)[]) => ({
  id,
  name: `Game ${id}`,
  executables: executables.map((one) => (typeof one === 'string' ? { os: 'win32', name: one } : one)),
});
const find = (list: readonly unknown[], path: string, args = ''): string | undefined =>
  new Detectables(list).match({ paths: [path], arguments: args })?.id;

describe('a program and the executable of a list', () => {
  it.each([
    // The end of a path, at the border of its parts.
    ['/home/u/games/hon.exe', 'hon.exe', true],
    ['/usr/bin/python.exe', 'hon.exe', false],
    ['/srv/Half-Life/hl.exe', 'half-life/hl.exe', true],
    ['/srv/other/hl.exe', 'half-life/hl.exe', false],
    ['Z:\\games\\Half-Life\\HL.exe', 'half-life/hl.exe', true],
    ['/srv/half-life/hl.exe', 'Half-Life\\hl.exe', true],
    ['hl.exe', 'hl.exe', true],
    ['/srv/hl.exe/', 'hl.exe', true],
    ['', 'hl.exe', false],
    // Variants of 64-bit programs.
    ['/g/game64.exe', 'game.exe', true],
    ['/g/game_64.exe', 'game.exe', true],
    ['/g/gamex64.exe', 'game.exe', true],
    ['/g/game.x64', 'game', true],
    ['/g/bin64/game.exe', 'bin/game.exe', true],
    ['/g/game.exe', 'game64.exe', false],
    // A whole file name.
    ['/usr/bin/java', '>java', true],
    ['/usr/bin/java64', '>java', false],
    ['/usr/bin/ajava', '>java', false],
    ['/usr/bin/java', '>bin/java', false],
  ])('%s, %s: %s', (path, executable, isFound) => {
    expect(find([app('1', executable)], path)).toBe(isFound ? '1' : undefined);
  });

  it('a launcher is no game', () => {
    expect(find([app('1', { name: 'steam', is_launcher: true })], '/usr/bin/steam')).toBeUndefined();
    expect(find([app('1', { name: 'steam', is_launcher: false })], '/usr/bin/steam')).toBe('1');
  });

  it('a whole file name needs its arguments', () => {
    const list = [app('1', { name: '>java', arguments: 'net.minecraft.client.main.Main' })];
    expect(find(list, '/usr/bin/java', '-Xmx2G net.minecraft.client.main.Main --demo')).toBe('1');
    expect(find(list, '/usr/bin/java', '-jar other.jar')).toBeUndefined();
  });

  it('of games that share a program, the one whose arguments match is found', () => {
    const list = [
      app('1', { name: 'hl2.exe', arguments: '-game tf' }),
      app('2', { name: 'hl2.exe', arguments: '-game cstrike' }),
      app('3', 'hl2.exe'),
    ];
    expect(find(list, '/g/hl2.exe', '-steam -game cstrike')).toBe('2');
    expect(find(list, '/g/hl2.exe', '-game portal')).toBe('3');
    expect(find(list.slice(0, 2), '/g/hl2.exe')).toBe('1');
  });

  it('the longest name is found, then the first of the list', () => {
    expect(find([app('1', 'game'), app('2', 'two/game'), app('3', 'two/game')], '/one/two/game')).toBe('2');
    expect(find([app('1', 'game'), app('2', 'two/game')], '/one/other/game')).toBe('1');
  });

  it('each path of a program is compared', () => {
    const list = new Detectables([app('1', 'factorio')]);
    expect(list.match({ paths: ['./run', '/opt/factorio'], arguments: '' })).toEqual({
      id: '1',
      name: 'Game 1',
    });
    expect(list.match({ paths: [], arguments: '' })).toBeUndefined();
  });
});

describe('entries of a list', () => {
  const executables = [{ name: 'game' }];
  it.each([
    ['null', null],
    ['a number', 7],
    ['a list', []],
    ['no id', { name: 'Game', executables }],
    ['an id that is a number', { id: 1, name: 'Game', executables }],
    ['an id with letters', { id: '12a', name: 'Game', executables }],
    ['no name', { id: '1', executables }],
    ['an empty name', { id: '1', name: ' ', executables }],
    ['no executables', { id: '1', name: 'Game' }],
    ['executables that are a text', { id: '1', name: 'Game', executables: 'game' }],
    ['an executable that is null', { id: '1', name: 'Game', executables: [null] }],
    ['an executable that is a text', { id: '1', name: 'Game', executables: ['game'] }],
    ['an executable without a name', { id: '1', name: 'Game', executables: [{}, { name: 7 }] }],
    ['an empty executable', { id: '1', name: 'Game', executables: [{ name: '' }, { name: '>' }] }],
    ['an endless executable', { id: '1', name: 'Game', executables: [{ name: 'x'.repeat(10_000) }] }],
  ])('%s is left out', (_, entry) => {
    const list = new Detectables([entry, app('2', 'game')]);
    expect([list.size, list.match({ paths: ['/game'], arguments: '' })?.id]).toEqual([1, '2']);
  });

  it('a hostile name is one short printable line', () => {
    const name = (text: string) =>
      new Detectables([{ id: '1', name: text, executables }]).match({ paths: ['/game'], arguments: '' })
        ?.name;
    expect(name('a\u001b[2Jb\nc\u202ed')).toBe('a?[2Jb?c?d');
    expect(name('x'.repeat(10_000))).toBe('x'.repeat(128));
    expect(name(`${'x'.repeat(127)}😀`)).toBe(`${'x'.repeat(127)}?`);
  });

  it('names of prototypes are names like others', () => {
    const list = [
      app('1', '__proto__'),
      JSON.parse(
        '{"id":"2","name":"constructor","executables":[{"name":"constructor"}],"__proto__":{"x":1}}',
      ),
    ];
    expect(find(list, '/bin/__proto__')).toBe('1');
    expect(find(list, '/bin/constructor')).toBe('2');
    expect(find(list, '/bin/toString')).toBeUndefined();
    expect(find(list, '/bin/hasOwnProperty')).toBeUndefined();
  });

  it('20,000 applications are looked up by name', () => {
    const list = new Detectables(
      Array.from({ length: 20_000 }, (_, index) => app(`${index}`, `g${index}/game.exe`)),
    );
    expect(list.size).toBe(20_000);
    expect(list.match({ paths: ['/x/g19999/game.exe'], arguments: '' })?.id).toBe('19999');
  });
});
