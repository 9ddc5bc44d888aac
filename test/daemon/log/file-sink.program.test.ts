import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { footbridge, footbridgeCommand, temporaryPlace } from '../../cli/spawn.ts';

const isLinux = process.platform === 'linux';

const read = (path: string): string => readFileSync(path, 'utf8');

describe('footbridge run --log-files', () => {
  const logOf = (place: { readonly env: Readonly<Record<string, string>> }): string =>
    join(place.env['XDG_STATE_HOME'] ?? '', 'footbridge', 'footbridge.log');
  const withState = () => {
    const place = temporaryPlace();
    return { ...place, env: { ...place.env, XDG_STATE_HOME: join(place.folder, 'state') } };
  };
  const linux = it.skipIf(!isLinux);

  linux('logs to the log file, and writes nothing elsewhere (Linux only)', async () => {
    const place = withState();
    const [program, ...args] = footbridgeCommand(
      'run',
      '--log-files',
      '--log-level',
      'info',
      '--ws-port',
      'off',
    );
    const child = spawn(program, args, { env: { ...place.env }, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
    const ended = new Promise((resolve) => child.once('close', resolve));
    await expect
      .poll(() => (existsSync(logOf(place)) ? read(logOf(place)) : ''), { timeout: 20_000 })
      .toContain('"msg":"listening"');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(said).toBe('');
    const lines = read(logOf(place)).trimEnd().split('\n');
    expect(lines.map((text) => (JSON.parse(text) as { msg: string }).msg)).toContain('stopping');
  });

  linux('logs why it did not start (Linux only)', async () => {
    const place = withState();
    const { code } = await footbridge(place, 'run', '--log-files', '--config', '/nowhere.toml');
    expect(code).toBe(78);
    expect(JSON.parse(read(logOf(place)))).toMatchObject({
      level: 'error',
      reason:
        '/nowhere.toml: cannot be read: there is no such file or folder (ENOENT). Give a file that is there and that you may read.',
      msg: 'the bridge did not start',
    });
  });
});
