import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runner } from '../../../service/manager.ts';
import { elevation } from '../../../src/cli/doctor/checks/elevation.ts';
import { listenOn, temporaryFolder } from '../../helpers/sockets.ts';
import { ended } from '../../service/fakes/bench.ts';
import { running, scene } from './scene.ts';

const ME = 'S-1-5-21-1-2-3-1001';

/** A Windows whose programs print these: the level of this program, and a line for each pipe. */
const windows =
  (own: number, lines: readonly string[] = []): Runner =>
  async ([program]) =>
    program.endsWith('whoami.exe')
      ? ended(0, `"x","y","S-1-16-${own}",""\r\n`)
      : ended(0, lines.join('\r\n'));

/** A pipe that exists: on this system, the names of Windows are those of sockets in the working directory. */
async function machine(run: Runner, pid = 0) {
  const before = process.cwd();
  const folder = temporaryFolder();
  process.chdir(folder);
  try {
    // A path with backslashes alone is a name without a folder.
    const server = await listenOn({ path: join(folder, '\\\\p\\discord-ipc-0') });
    server.on('connection', (socket) => socket.destroy());
    const endpoints = { kind: 'known', folder: '\\\\p', source: 'default' } as const;
    const bridge = pid === 0 ? {} : { bridge: running({ pid }) };
    return await elevation.inspect(await scene({ os: 'win32', uid: undefined, run, endpoints, ...bridge }));
  } finally {
    process.chdir(before);
  }
}

describe('the elevation check', () => {
  it('is not applicable on other systems, and where the level cannot be measured', async () => {
    expect((await elevation.inspect(await scene())).verdict).toBe('not applicable');
    expect(await machine(async () => ended(0, 'VM\\root'))).toMatchObject({
      verdict: 'not applicable',
      evidence: ['whoami /groups did not give the integrity level'],
    });
  });

  it('warns of a server that runs as administrator while this program does not', async () => {
    const line = `pipe discord-ipc-0 S-1-5-32-544 ${ME} 71 S-1-16-12288`;
    expect(await machine(windows(8192, [line]))).toEqual({
      verdict: 'warning',
      evidence: [
        'this program has the integrity level medium',
        'discord-ipc-0: the program with pid 71 runs as administrator, integrity level high',
        'an app with the level medium is refused there: EPERM, or "access is denied"',
      ],
      fix: 'end the program with pid 71, and start it without "Run as administrator"',
    });
    expect((await machine(windows(8192, [line]), 71)).fix).toContain('end the bridge (pid 71)');
  });

  it.each([
    ['both have the same level', 8192, `pipe discord-ipc-0 ${ME} ${ME} 71 S-1-16-8192`],
    ['both run as administrator', 12_288, `pipe discord-ipc-0 S-1-5-32-544 ${ME} 71 S-1-16-12288`],
    ["the server is another user's", 8192, `pipe discord-ipc-0 S-1-5-21-9-9-9-1 ${ME} 71`],
    ['the server cannot be measured', 8192, ''],
  ])('does not warn when %s', async (_why, own, line) => {
    expect(await machine(windows(own, [line]))).toMatchObject({ verdict: 'ok', fix: null });
  });
});
