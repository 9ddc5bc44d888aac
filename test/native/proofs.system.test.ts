import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { compiled, frame, isThere, missing } from './compiled.ts';

const CHECKED = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
/** A minute each time; a whole campaign with another number. */
const FUZZ_SECONDS = process.env['FUZZ_SECONDS'] ?? '60';

async function emulator(): Promise<TestEmulator> {
  const started = await startEmulator();
  onTestFinished(() => started.close());
  return started;
}

/** Runs a program of the folder against a bridge, and returns what it prints. It prints each claim that does not hold. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  const [code] = (await once(child, 'close')) as [number];
  return `${text}exit code ${code}`;
}

const HOLDS = 'all holds, 14 answers, 0 without data\nexit code 0';

describe('footbridge.h', () => {
  it.skipIf(!isThere('gcc'))(
    `keeps to its results with every wrong call and a failing allocator${missing('gcc')}`,
    async () => {
      const { endpoint } = await emulator();
      expect(await run(compiled('misuse.c', 'gcc', ...CHECKED), [endpoint])).toBe(HOLDS);
    },
  );

  it.skipIf(!isThere('valgrind'))(
    `does the same under valgrind, and leaks nothing${missing('valgrind')}`,
    async () => {
      const { endpoint } = await emulator();
      const args = [
        '-q',
        '--leak-check=full',
        '--error-exitcode=9',
        compiled('misuse.c', 'gcc', '-g'),
        endpoint,
      ];
      expect(await run('valgrind', args)).toBe(HOLDS);
    },
  );

  it.skipIf(!isThere('gcc')).each([
    ['at servers that do not read, do not answer or answer wrongly', 'corners.c'],
    ['with odd folders, paths, descriptors, signals and owners', 'surroundings.c'],
  ])(`holds %s${missing('gcc')}`, async (_, source) => {
    const program = compiled(source, 'gcc', ...CHECKED);
    expect(await run(program, [temporaryFolder()])).toBe('all holds\nexit code 0');
  });

  const big = isThere('s390x-linux-gnu-gcc') ? 'qemu-s390x' : 's390x-linux-gnu-gcc';
  it.skipIf(!isThere(big))(`does the same on a big-endian machine${missing(big)}`, async () => {
    const { endpoint } = await emulator();
    const program = compiled('misuse.c', 's390x-linux-gnu-gcc', '-static');
    expect(await run('qemu-s390x', [program, endpoint])).toBe(HOLDS);
  });

  it.skipIf(!isThere('gcc'))(`passes the static analysis of gcc${missing('gcc')}`, () => {
    const source = `#define FB_IMPLEMENTATION\n#include "${join(root, 'src/native/footbridge.h')}"\n`;
    const args = ['-std=gnu99', '-O2', '-fanalyzer', '-Werror', '-x', 'c', '-c', '-', '-o', '/dev/null'];
    execFileSync('gcc', args, { input: source });
  });

  it.skipIf(!isThere('gcc'))(
    `shows its presence and subscribes again after each of 50 restarts of the server${missing('gcc')}`,
    async () => {
      const bridge = await emulator();
      const env = {
        ...process.env,
        ...bridge.env,
        CONFORMANCE_CLIENT_ID: '300000000000000001',
        CONFORMANCE_TASK: 'presence',
        CONFORMANCE_DETAILS: 'At sea',
        ALSO_SUBSCRIBED: 'ACTIVITY_JOIN',
        FOOTBRIDGE_ENDPOINT: bridge.endpoint,
      };
      const child = spawn(compiled('visitor.c', 'gcc', ...CHECKED), {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill());
      createInterface(child.stdout).resume();
      for (let times = 0; times <= 50; times += 1) {
        await expect.poll(() => bridge.presence('300000000000000001')).toMatchObject({ details: 'At sea' });
        await expect.poll(() => subscriptions(bridge)).toBe(times + 1);
        if (times < 50) await bridge.restart();
      }
    },
    180_000,
  );

  it.skipIf(!isThere('clang'))(
    `reads what a fuzzer makes of frames and JSON for ${FUZZ_SECONDS} s${missing('clang')}`,
    () => {
      const folder = temporaryFolder();
      const corpus = join(folder, 'corpus');
      mkdirSync(corpus);
      for (const [name, bytes] of Object.entries(SEEDS)) writeFileSync(join(corpus, name), bytes);
      const program = compiled('fuzz.c', 'clang', '-O1', '-g', '-fsanitize=fuzzer,address,undefined');
      const dictionary = `-dict=${join(root, 'test/native/fuzz.dict')}`;
      execFileSync(program, [dictionary, `-max_total_time=${FUZZ_SECONDS}`, '-max_len=4096', corpus], {
        cwd: folder,
        stdio: 'ignore',
      });
    },
    Number(FUZZ_SECONDS) * 1000 + 120_000,
  );
});

/** Number of requests to subscribe that the bridge has received. */
function subscriptions(bridge: TestEmulator): number {
  const frames = bridge.journal({ kinds: ['frame'] });
  return frames.filter(
    (one) => one.kind === 'frame' && one.direction === 'in' && one.text.includes('"SUBSCRIBE"'),
  ).length;
}

const READY = {
  cmd: 'DISPATCH',
  data: { v: 1, config: { api_endpoint: '//x' }, footbridge: { stream_ping: 'footbridge reads streams' } },
  evt: 'READY',
  nonce: null,
};
/** The first byte chooses the reader, see `fuzz.c`. */
const SEEDS = {
  ready: Buffer.concat([
    Buffer.from([1]),
    frame(1, READY),
    frame(1, { cmd: 'GET_GUILDS', nonce: '1', data: [1, 'a'] }),
  ]),
  close: Buffer.concat([Buffer.from([3]), frame(3, 'x'), frame(2, { code: 4000, message: 'Invalid' })]),
  json: Buffer.from(`\0{"a":[1,-2.5e3,"x\\u00e9",true,null,{}],"input":{"volume":1}}`),
};
