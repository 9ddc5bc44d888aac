import { describe, expect, it } from 'vitest';
import {
  integrityName,
  ownIntegrity,
  type ProgramRunner,
  pipeServers,
} from '../../../platform/process/integrity.ts';

const env = { SystemRoot: 'D:\\Win' };
const ME = 'S-1-5-21-1-2-3-1001';

/** A runner whose only program prints `stdout`; `calls` records every command line. */
function printing(stdout: string, end: number | 'killed' = 0) {
  const calls: (readonly string[])[] = [];
  const run: ProgramRunner = async (argv) => {
    calls.push(argv);
    return { code: end === 'killed' ? undefined : end, stdout };
  };
  return { run, calls };
}

const GROUPS = (label: string, rid: number): string =>
  `"Jeder","Bekannte Gruppe","S-1-1-0","Verbindliche Gruppe"\r\n"${label}","Bezeichnung","S-1-16-${rid}",""\r\n`;

describe('the own integrity level', () => {
  it.each([
    ['Verbindliche Beschriftung\\Mittlere Verbindlichkeitsstufe', 8192, 'medium'],
    ['Mandatory Label\\Medium Plus Mandatory Level', 8448, 'medium'],
    ['Mandatory Label\\High Mandatory Level', 12_288, 'high'],
    ['Mandatory Label\\System Mandatory Level', 16_384, 'system'],
    ['Mandatory Label\\Low Mandatory Level', 4096, 'low'],
    ['Mandatory Label\\Untrusted Mandatory Level', 0, 'untrusted'],
  ])('is read from the SID of whoami /groups, in any language: %s', async (label, rid, name) => {
    const { run, calls } = printing(GROUPS(label, rid));
    const level = await ownIntegrity(run, env);
    expect(level).toBe(rid);
    expect(integrityName(level ?? -1)).toBe(name);
    expect(calls).toEqual([['D:\\Win\\System32\\whoami.exe', '/groups', '/fo', 'csv', '/nh']]);
  });

  it.each([
    ['whoami fails', printing(GROUPS('x', 8192), 1).run],
    ['whoami is killed at its time limit', printing(GROUPS('x', 8192), 'killed').run],
    ['whoami ignores its options, as in Wine', printing('VM\\root\r\n').run],
    ['whoami is missing', () => Promise.reject(new Error('ENOENT'))],
  ])('is unknown when %s', async (_why, run: ProgramRunner) => {
    expect(await ownIntegrity(run, env)).toBeUndefined();
  });
});

describe('the servers of pipes', () => {
  const names = ['discord-ipc-0', 'discord-ipc-1', 'discord-ipc-2', 'discord-ipc-3'];

  it('are rated by the integrity level, and by the owner of the pipe where the level is not shown', async () => {
    const { run, calls } = printing(
      [
        `pipe discord-ipc-0 S-1-5-32-544 ${ME} 71 S-1-16-12288`,
        `pipe discord-ipc-1 S-1-5-32-544 ${ME} 72 `,
        `pipe discord-ipc-2 ${ME} ${ME} 73 S-1-16-8192`,
        `pipe discord-ipc-3 S-1-5-21-1-2-3-1002 ${ME}  `,
        `pipe discord-ipc-9 S-1-5-32-544 ${ME} 1 S-1-16-12288`,
        'pipe discord-ipc-0 nonsense',
        '',
      ].join('\r\n'),
    );
    expect(await pipeServers(run, env, names)).toEqual([
      { name: 'discord-ipc-0', pid: 71, integrity: 12_288, rights: 'elevated' },
      { name: 'discord-ipc-1', pid: 72, rights: 'elevated' },
      { name: 'discord-ipc-2', pid: 73, integrity: 8192, rights: 'same user' },
      { name: 'discord-ipc-3', rights: 'another owner' },
    ]);
    const [[program, ...args] = []] = calls;
    expect(program).toBe('D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
    expect(script).toContain(
      "foreach($n in 'discord-ipc-0','discord-ipc-1','discord-ipc-2','discord-ipc-3')",
    );
    // Windows takes no longer command line.
    expect([program, ...args].join(' ').length).toBeLessThan(32_767);
  });

  it('does not call a program of this user elevated because its pipe has an owner of its own', async () => {
    const { run } = printing(`pipe discord-ipc-0 S-1-5-32-544 ${ME} 71 S-1-16-8192\n`);
    expect(await pipeServers(run, env, names)).toMatchObject([{ rights: 'another owner', integrity: 8192 }]);
  });

  it('are unknown when PowerShell fails or is missing', async () => {
    expect(await pipeServers(printing('', 1).run, env, names)).toEqual([]);
    expect(await pipeServers(() => Promise.reject(new Error('ENOENT')), env, names)).toEqual([]);
  });
});
