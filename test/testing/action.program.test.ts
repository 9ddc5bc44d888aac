import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
});
