import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { activatedSocket } from '../../../platform/endpoint/activation.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const HEAD = 'Num       RefCount Protocol Flags    Type St Inode Path\n';

/** A process of which descriptor 3 is a link to `target`, and a table with that one row. */
function proc(row: string, target = 'socket:[77]'): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'fd'));
  mkdirSync(join(folder, 'net'));
  symlinkSync(target, join(folder, 'fd', '3'));
  writeFileSync(join(folder, 'net', 'unix'), `${HEAD}${row}\n`);
  return folder;
}

const good = '000000004d: 00000002 00000000 00010000 0001 01    77 /run/user/1000/a b.sock';
const env = { LISTEN_FDS: '1', LISTEN_PID: '5', LISTEN_FDNAMES: 'discord-ipc' };

describe('a socket from the service manager [T12]', () => {
  it('is used with the path that it is bound to', () => {
    expect(activatedSocket(env, { pid: 5, proc: proc(good) })).toEqual({
      fd: 3,
      path: '/run/user/1000/a b.sock',
    });
    const { LISTEN_FDNAMES: _, ...unnamed } = env;
    expect(activatedSocket(unnamed, { pid: 5, proc: proc(good) })?.fd).toBe(3);
  });
  it.each<[string, object]>([
    ['none at all', {}],
    ['those of another process', { ...env, LISTEN_PID: '6' }],
    ['no process', { LISTEN_FDS: '1' }],
    ['a process with leading zeros', { ...env, LISTEN_PID: '05' }],
    ['no count', { LISTEN_PID: '5' }],
    ['a count of 0', { LISTEN_PID: '5', LISTEN_FDS: '0' }],
  ])('is ignored with the variables of %s', (_, variables) => {
    expect(activatedSocket({ ...variables }, { pid: 5, proc: '/nowhere' })).toBeUndefined();
  });
  it.each(['2', '-1', 'x', '1 ', '99999999999999999999'])('is refused when LISTEN_FDS is %j', (count) => {
    expect(() => activatedSocket({ ...env, LISTEN_FDS: count }, { pid: 5, proc: proc(good) })).toThrow(
      'LISTEN_FDS',
    );
  });
  it.each(['', 'other', 'discord-ipc:discord-ipc'])('is refused under the name %j', (name) => {
    const named = { ...env, LISTEN_FDNAMES: name };
    expect(() => activatedSocket(named, { pid: 5, proc: proc(good) })).toThrow('LISTEN_FDNAMES');
  });
  it.each<[string, string?, string?]>([
    ['is not there'],
    ['is a file', good, '/etc/passwd'],
    ['is a pipe', good, 'pipe:[77]'],
    ['is a TCP socket', good.replace(' 77 ', ' 78 ')],
    ['is connected', good.replace('00010000 0001 01', '00000000 0001 03')],
    ['takes datagrams', good.replace('00010000 0001', '00000000 0002')],
    ['takes packets', good.replace('0001 01', '0005 01')],
    ['has an abstract name', good.replace('/run/user', '@run/user')],
    ['has no name', good.replace(/ \/run.*/, '')],
  ])('is refused when descriptor 3 %s', (_, row, target) => {
    expect(() =>
      activatedSocket(env, { pid: 5, proc: row === undefined ? '/nowhere' : proc(row, target) }),
    ).toThrow(expect.objectContaining({ code: 'FOOTBRIDGE_ACTIVATION' }));
  });
});
