import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeProcessFolder } from '../../platform/files/process-folder.ts';
import { runConformance } from '../../src/conformance/run.ts';
import { FileStore } from '../../src/emulator/files/store.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { footbridge, temporaryPlace } from '../cli/spawn.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const FACTS = ['is not there', 'is a file', 'takes no files'] as const;

/** A TMPDIR that is no use, and the text of every failure to make a folder in it. */
function useless(fact: (typeof FACTS)[number]): { readonly TMPDIR: string; readonly text: string } {
  const TMPDIR = fact === 'takes no files' ? '/proc/self' : join(temporaryFolder(), 'place');
  if (fact === 'is a file') writeFileSync(TMPDIR, '');
  const why = {
    'is not there': 'there is no such file or folder (ENOENT)',
    'is a file': 'what is above it is no folder (ENOTDIR)',
    'takes no files': 'there is no such file or folder (ENOENT)',
  }[fact];
  const text = `${TMPDIR}: no temporary folder can be made there: ${why}. Set TMPDIR to a folder that you may write to.`;
  return { TMPDIR, text };
}

describe.skipIf(process.platform !== 'linux')('a TMPDIR (Linux only)', () => {
  it.each(FACTS)('that %s makes startEmulator reject with its name and the remedy', async (fact) => {
    const { TMPDIR, text } = useless(fact);
    vi.stubEnv('TMPDIR', TMPDIR);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(startEmulator()).rejects.toMatchObject({ code: 'FOOTBRIDGE_CONFIG', message: text });
    expect(() => makeProcessFolder('files')).toThrow(text);
  });

  it.each(FACTS)('that %s makes an upload fail with 503 and the same text', async (fact) => {
    const { TMPDIR, text } = useless(fact);
    vi.stubEnv('TMPDIR', TMPDIR);
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = new FileStore(() => true, { info: () => {}, warn: () => {} });
    await expect(store.hold(Buffer.from('tide'))).rejects.toMatchObject({ status: 503, message: text });
  });

  it.each(FACTS)('that %s ends each command that needs it with one line', async (fact) => {
    const { TMPDIR, text } = useless(fact);
    const place = temporaryPlace();
    const record = join(place.folder, 'session.jsonl');
    expect(await footbridge(place, 'record', record, '--', 'true')).toMatchObject({ code: 0 });
    const env = { ...place.env, TMPDIR };
    for (const argv of [
      ['replay', record, '--as', 'server', '--', 'true'],
      ['record', `${record}.new`, '--', 'true'],
      ['emulate', '--', 'true'],
    ]) {
      const ended = await footbridge({ ...place, env }, ...argv);
      expect(ended, argv.join(' ')).toMatchObject({ stdout: '', stderr: `footbridge: ${text}\n` });
      expect(ended.code, argv.join(' ')).not.toBe(0);
    }
  });

  it.each(FACTS)('that %s ends the conformance suite with one line', async (fact) => {
    const { TMPDIR, text } = useless(fact);
    vi.stubEnv('TMPDIR', TMPDIR);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const argv of [
      ['server', '--start', 'true'],
      ['client', '--command', 'true'],
    ]) {
      let err = '';
      const code = await runConformance(argv, {
        out: () => {},
        err: (part) => {
          err += part;
        },
        isTerminal: false,
        color: false,
        env: process.env,
      });
      expect([code, err]).toEqual([64, `conformance: ${text}\n`]);
    }
  });
});
