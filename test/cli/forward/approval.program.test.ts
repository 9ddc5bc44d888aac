import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { echoBridge } from '../../forward/forwards.ts';
import { atTerminal, footbridgeCommand, type Place, temporaryPlace } from '../spawn.ts';

/** A forward with full rights over a command, at a terminal. */
function start(place: Place) {
  const far = footbridgeCommand(
    'forward',
    '--from',
    'stdio:',
    '--rights',
    'full',
    '--to',
    join(place.folder, 'bridge'),
  );
  const to = `exec:env -- ${far.map((word) => `'${word}'`).join(' ')}`;
  return atTerminal(place, ['forward', '--from', join(place.folder, 'apps'), '--to', to, '--rights', 'full']);
}

describe.skipIf(process.platform !== 'linux')('forward --rights full at a terminal (Linux only)', () => {
  it('asks once, names the host, and starts after a yes', async () => {
    const place = temporaryPlace();
    await echoBridge(join(place.folder, 'bridge'));
    const first = start(place);
    const question = await first.stdoutWith('[y/N]');
    expect(question).toContain('Apps of this forward get all rights');
    expect(question).toMatch(/Allow "env …" all rights, now and later\? \[y\/N\]/);
    expect(existsSync(join(place.folder, 'apps'))).toBe(false);
    first.child.stdin?.write('y\n');
    await first.stdoutWith('Forwarding');
    first.child.stdin?.write('\u0003');
    await first.ended;
    const second = start(place);
    expect(await second.stdoutWith('Forwarding')).not.toContain('[y/N]');
  });

  it.each(['n', '', 'yess'])('forwards nothing after %j, and asks again the next time', async (answer) => {
    const place = temporaryPlace();
    for (let round = 0; round < 2; round += 1) {
      const running = start(place);
      await running.stdoutWith('[y/N]');
      running.child.stdin?.write(`${answer}\n`);
      const { code, stdout } = await running.ended;
      expect(code).toBe(1);
      expect(stdout).toContain('was not allowed all rights, so nothing is forwarded.');
      expect(existsSync(join(place.folder, 'apps'))).toBe(false);
    }
  });
});
