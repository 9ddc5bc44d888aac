import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ReadyBridge } from '../../src/testing/testing.ts';
import { runAction } from '../helpers/action.ts';

describe('the action for GitHub', () => {
  it('runs commands that find the bridge, and writes the transcript', () => {
    const run = `test -S "$XDG_RUNTIME_DIR/discord-ipc-0"\necho "tokens: $FOOTBRIDGE_API, run: \${INPUT_RUN-none}"`;
    const { status, stdout, folder } = runAction({ run, transcript: 'talk.jsonl' });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^tokens: http:\/\/127\.0\.0\.1:\d+\/api, run: none\n$/),
    });
    const lines = readFileSync(join(folder, 'talk.jsonl'), 'utf8').trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end: { entries: lines.length - 2 } });
  });

  it('exits with the code of the first command that fails', () => {
    expect(runAction({ run: '(exit 7)\necho on' })).toMatchObject({ status: 7, stdout: '' });
  });

  it('passes quotes and dollar signs unchanged', () => {
    const { status, stdout } = runAction({ run: `x="it's \\"fine\\""; echo "$x" '\${{ secrets }}'` });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `it's "fine" \${{ secrets }}\n` });
  });

  it('reports a wrong input', () => {
    const wrong = runAction({ run: 'true', consent: 'maybe' });
    expect(wrong).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('--consent: "maybe" is not one of'),
    });
    const missing = runAction({ run: 'true', fixture: 'no.toml' });
    expect(missing).toMatchObject({
      status: 78,
      stderr: expect.stringContaining('no.toml: cannot be read: there is no such file'),
    });
  });

  it('without commands serves the steps that follow, by variables, a path and a file of addresses', async () => {
    const { status, stdout, left } = runAction({ transcript: 'talk.jsonl' });
    const [output = ''] = left('GITHUB_OUTPUT');
    const ready = JSON.parse(readFileSync(output.replace('ready=', ''), 'utf8')) as ReadyBridge;
    onTestFinished(() => void process.kill(ready.pid, 'SIGTERM'));
    expect(left('GITHUB_ENV')).toEqual(Object.entries(ready.env).map(([name, value]) => `${name}=${value}`));
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: ready.bots.map(({ token }) => `::add-mask::${token}\n`).join(''),
    });
    const PATH = `${left('GITHUB_PATH').join(':')}:${process.env['PATH']}`;
    const step = spawnSync('bash', ['-c', 'footbridge call GET_GUILDS --scopes rpc'], {
      env: { ...ready.env, PATH },
      encoding: 'utf8',
    });
    expect(step).toMatchObject({ status: 0, stdout: expect.stringContaining('"River Bank"') });
  });

  it('without commands fails with the reason when the bridge cannot start', () => {
    expect(runAction({ fixture: 'no.toml' })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('no.toml: cannot be read: there is no such file'),
    });
  });
});
