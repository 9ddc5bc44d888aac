import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { guidePath } from '../../src/cli/guides.ts';
import { connect } from '../../src/client/index.ts';
import { authorize } from '../../src/client/oauth2.ts';
import { clientCases, runClientCases } from '../../src/conformance/client/suite.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { quickSettings } from '../conformance/broken/server/host.ts';
import { blockOf } from '../helpers/page-sessions.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { compiled, isThere, missing, POSIX, WARNINGS } from './compiled.ts';

const SWITCHES = [
  [],
  ['-DFB_PRESENCE_ONLY'],
  ['-DFB_NO_AUTH'],
  ['-DFB_STATIC', '-DFB_NO_STDIO', '-DFB_NO_MALLOC'],
];

/** Compilers, the language that each gets, and its version. */
const COMPILERS = [
  ['gcc', 'c', '-std=c99'],
  ['gcc', 'c', '-std=c11'],
  ['clang', 'c', '-std=c99'],
  ['g++', 'c++', '-std=c++11'],
  ['g++', 'c++', '-std=c++20'],
  ['clang++', 'c++', '-std=c++11'],
  ['x86_64-w64-mingw32-gcc', 'c', '-std=c99'],
  ['x86_64-w64-mingw32-g++', 'c++', '-std=c++11'],
  ['s390x-linux-gnu-gcc', 'c', '-std=gnu99'],
] as const;

/** Longer than the ten seconds that the header waits for READY. */
const PATIENT = {
  answerMs: 5000,
  quietMs: 60,
  deadlineMs: 30_000,
  startMs: 15_000,
  stopMs: 5000,
  caseMs: 60_000,
};

const SOURCE = `#define FB_IMPLEMENTATION\n#include "${join(root, 'src/native/footbridge.h')}"\n`;

describe('footbridge.h', () => {
  for (const [compiler, language, ...flags] of COMPILERS) {
    const name = `is compiled without a warning by ${[compiler, ...flags].join(' ')}`;
    it.skipIf(!isThere(compiler))(`${name}${missing(compiler)}`, () => {
      for (const switches of SWITCHES) {
        const args = [
          ...flags,
          ...WARNINGS,
          ...switches,
          '-Os',
          '-x',
          language,
          '-c',
          '-',
          '-o',
          '/dev/null',
        ];
        const { status, stderr } = spawnSync(compiler, args, { input: SOURCE, encoding: 'utf8' });
        expect({ status, stderr }, args.join(' ')).toEqual({ status: 0, stderr: '' });
      }
    });
  }

  it.skipIf(!isThere('gcc'))(`has no data that changes${missing('gcc')}`, () => {
    const object = join(temporaryFolder(), 'header.o');
    execFileSync('gcc', ['-std=gnu99', '-Os', '-x', 'c', '-c', '-', '-o', object], { input: SOURCE });
    const symbols = execFileSync('nm', [object], { encoding: 'utf8' }).split('\n');
    expect(symbols.filter((line) => / [bBCD] /.test(line))).toEqual([]);
  });

  it.skipIf(!isThere('gcc'))(
    `passes every case of the conformance suite${missing('gcc')}`,
    async () => {
      const program = compiled('visitor.c', 'gcc', POSIX, ...WARNINGS, '-g', '-fsanitize=address,undefined');
      const settings = { ...quickSettings, env: process.env, timeouts: PATIENT };
      const results = await runClientCases(clientCases, program, settings, () => undefined);
      expect(results.filter(({ verdict }) => verdict.kind !== 'passed')).toEqual([]);
    },
    300_000,
  );

  it.skipIf(!isThere('gcc'))(
    `has examples, and one in the guide, that show a presence and mute${missing('gcc')}`,
    async () => {
      const bridge = await startEmulator();
      onTestFinished(() => bridge.close());
      const app = '300000000000000001';
      const guide = join(temporaryFolder(), 'guide.c');
      writeFileSync(guide, blockOf(guidePath('native-apps'), 'c', '#define FB_IMPLEMENTATION'));
      const start = (name: string, ...args: readonly string[]) => {
        const source = name === 'guide' ? guide : `../../src/native/examples/${name}.c`;
        const program = compiled(source, 'gcc', POSIX, ...WARNINGS, '-I', join(root, 'src/native'));
        const child = spawn(program, [app, ...args], { env: { ...process.env, ...bridge.env } });
        onTestFinished(() => void child.kill());
        return child;
      };
      for (const name of ['guide', 'presence']) {
        const child = start(name);
        await expect.poll(() => bridge.presence(app)).toMatchObject({ details: 'By the river' });
        child.kill();
        await expect.poll(() => bridge.presence(app)).toBe(null);
      }
      await expect(textOf(start('mute').stdout)).resolves.toMatch(/^verifier [\w-]{43}\ncode \w+\n$/);
      await expect(textOf(start('mute', 'wrong').stdout)).resolves.toBe(
        'AUTHENTICATE failed: 4009 the access token is unknown\n',
      );
      const scopes = ['rpc', 'rpc.voice.read', 'rpc.voice.write'];
      const client = await connect({ clientId: app, paths: [bridge.endpoint] });
      const { accessToken: token } = await authorize(client, { api: bridge.api, clientId: app, scopes });
      await client.close();
      await expect(textOf(start('mute', token).stdout)).resolves.toBe('muted\n');
      await expect(textOf(start('mute', token).stdout)).resolves.toBe('live\n');
    },
  );
});
