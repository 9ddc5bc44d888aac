import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { clientCases, runClientCases } from '../../src/conformance/client/suite.ts';
import { quickSettings } from '../conformance/broken/server/host.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { compiled, isThere, missing, POSIX, WARNINGS } from './compiled.ts';

const SWITCHES = [
  [],
  ['-DFB_PRESENCE_ONLY'],
  ['-DFB_NO_AUTH'],
  ['-DFB_STATIC', '-DFB_NO_STDIO', '-DFB_NO_MALLOC'],
];

/** Compilers, the language that each gets, and what its language lacks. */
const COMPILERS = [
  ['gcc', 'c', '-std=c99', POSIX],
  ['gcc', 'c', '-std=c11', POSIX],
  ['clang', 'c', '-std=c99', POSIX],
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
});
