import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startChromium } from '../../src/picture/chromium.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

/** A program in place of the browser. */
function fake(script: string): string {
  const path = join(temporaryFolder(), 'browser');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const profiles = (): readonly string[] =>
  readdirSync(tmpdir()).filter(
    (name) => name.startsWith('footbridge-picture-') && name.includes(`${process.pid}-`),
  );

describe('a browser that does not start', () => {
  it.each([
    ['exit 1', 'the browser has ended'],
    ['echo first >&2; echo "cannot open display" >&2; exit 1', 'cannot open display'],
  ])('after %j is named with the reason, and leaves no profile', async (script, reason) => {
    const path = fake(script);
    const env = { PATH: process.env['PATH'] ?? '', FOOTBRIDGE_CHROMIUM: path };
    await expect(startChromium('linux', env)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_PICTURE',
      message: `A picture: ${path} does not start: ${reason}. Name another browser in FOOTBRIDGE_CHROMIUM.`,
    });
    expect(profiles()).toEqual([]);
  });

  it('because it writes something else than the protocol is named', async () => {
    const path = fake('printf "garbage\\0" >&4; sleep 20');
    await expect(startChromium('linux', { FOOTBRIDGE_CHROMIUM: path })).rejects.toThrow(
      `A picture: ${path} does not start: the browser does not speak the DevTools protocol.`,
    );
  });

  it('for want of a sandbox is explained', async () => {
    const path = fake('echo "FATAL: No usable sandbox! …" >&2; exit 1');
    await expect(startChromium('linux', { FOOTBRIDGE_CHROMIUM: path })).rejects.toThrow(
      `A picture: ${path} finds no sandbox, which this system forbids to this user. Permit user namespaces`,
    );
  });
});

it('the browser gets a profile and a home of its own, and no variable of the caller but PATH', async () => {
  const seen = join(temporaryFolder(), 'seen');
  const path = fake(
    `(env; echo "$@"; echo "in $(pwd)") > '${seen}'; printf '{"id":1,"result":{"product":"Fake/1"}}\\0' >&4; cat <&3`,
  );
  const env = {
    PATH: process.env['PATH'] ?? '',
    FOOTBRIDGE_CHROMIUM: path,
    XDG_RUNTIME_DIR: '/run',
    http_proxy: 'x',
  };
  const chromium = await startChromium('linux', env);
  const [profile = ''] = profiles();
  await chromium.end();
  const text = readFileSync(seen, 'utf8');
  expect(chromium.product).toBe('Fake/1');
  expect(text).toContain(`HOME=${join(tmpdir(), profile)}\n`);
  // Relative: a browser does not start where the path of its socket is longer than about 100 bytes.
  expect(text).toContain('TMPDIR=.\n');
  expect(text).toContain(`in ${join(tmpdir(), profile)}\n`);
  expect(text).toContain(`--user-data-dir=${join(tmpdir(), profile)}`);
  expect(text).toContain('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
  expect(text).not.toMatch(/XDG_RUNTIME_DIR|http_proxy|FOOTBRIDGE/);
  expect(text.includes('--no-sandbox')).toBe(process.getuid?.() === 0);
  expect(chromium.isSandboxed).toBe(process.getuid?.() !== 0);
  expect(existsSync(join(tmpdir(), profile))).toBe(false);
});

it('what left the group of a browser that does not start keeps no pipe of this process open', async () => {
  const folder = temporaryFolder();
  const path = fake(
    `setsid sh -c 'echo $$ > ${folder}/pid; printf "garbage\\0" >&4; exec sleep 60' & exec cat <&3`,
  );
  const pipes = (): number => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
  const before = pipes();
  const env = { FOOTBRIDGE_CHROMIUM: path, PATH: process.env['PATH'] ?? '' };
  await expect(startChromium('linux', env)).rejects.toThrow('does not start');
  onTestFinished(() => void process.kill(Number(readFileSync(`${folder}/pid`, 'utf8')), 'SIGKILL'));
  await expect.poll(pipes).toBe(before);
});
