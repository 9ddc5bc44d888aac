import { describe, expect, it } from 'vitest';
import { programOf } from '../../../platform/process/program.ts';
import type { LogFields } from '../../../src/core/core.ts';
import { pickFields } from '../../../src/daemon/log/fields.ts';
import { withoutFloods } from '../../../src/daemon/log/flood.ts';
import { droppedLine, humanLogger, journalLogger, jsonLogger } from '../../../src/daemon/log/logger.ts';

function lines() {
  const written: string[] = [];
  return { written, write: (line: string) => void written.push(line) };
}

describe('pickFields', () => {
  it('returns the listed fields and nothing else', () => {
    const fields = {
      session: 's',
      clientId: '1',
      cmd: 'AUTHENTICATE',
      evt: 'READY',
      code: 4009,
      pid: 7,
      program: 'node app.mjs',
      path: '/p',
      count: 1,
      bytes: 2,
      ms: 3,
      reason: 'r',
    };
    const hostile = { ...fields, token: 'canary', args: { access_token: 'canary' }, access_token: 'canary' };
    expect(pickFields(hostile)).toEqual(fields);
  });

  it('drops a value of the wrong type and truncates a long one', () => {
    const long = 'x'.repeat(1000);
    const fields = { code: 'canary', cmd: { access_token: 'canary' }, evt: long, reason: long };
    expect(pickFields(fields as unknown as LogFields)).toEqual({
      evt: 'x'.repeat(200),
      reason: 'x'.repeat(600),
    });
  });

  it('ignores inherited fields', () => {
    expect(pickFields(Object.create({ reason: 1 }) as LogFields)).toEqual({});
  });
});

it.skipIf(process.platform !== 'linux')('a line with a pid names the program as the lists do', () => {
  const out = lines();
  jsonLogger('info', out).warn({ pid: process.pid }, 'it floods');
  jsonLogger('info', out).warn({ pid: 0 }, 'nobody known');
  const [known, unknown] = out.written.map((line) => JSON.parse(line) as LogFields);
  expect(known?.program).toBe(programOf(process.pid)?.name);
  expect(known?.program).toMatch(/^node\b/);
  expect(unknown).not.toHaveProperty('program');
});

describe('jsonLogger', () => {
  it('writes one JSON object a line, with level, time and the allowed fields', async () => {
    const out = lines();
    const logger = jsonLogger('info', out);
    logger.warn({ cmd: 'A\nB', token: 'canary' } as LogFields, 'said\nthis');
    expect(out.written).toHaveLength(1);
    const [line = ''] = out.written;
    expect(line.trimEnd()).not.toContain('\n');
    expect(line).not.toContain('canary');
    expect(JSON.parse(line)).toEqual({
      level: 'warn',
      time: expect.any(Number),
      cmd: 'A\nB',
      msg: 'said\nthis',
    });
  });

  it('escapes characters that could control a terminal, and preserves the values', async () => {
    const out = lines();
    const logger = jsonLogger('info', out);
    const hostile = 'http://a\u009b31m\u0085\u007f\u202e\u2028\u{e0001}.test';
    logger.warn({ reason: hostile, path: hostile, clientId: hostile }, `refused ${hostile}`);
    const [line = ''] = out.written;
    expect(line.trimEnd()).toMatch(/^[\u0020-\u007e]+$/);
    expect(JSON.parse(line)).toMatchObject({ reason: hostile, path: hostile, clientId: hostile });
  });

  it.each([
    ['debug', 4],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
    ['silent', 0],
  ] as const)('writes, at level %s, %i of four messages, as humanLogger does', async (level, count) => {
    const json = lines();
    const human = lines();
    for (const logger of [jsonLogger(level, json), humanLogger(level, human, false)]) {
      logger.debug({}, 'd');
      logger.info({}, 'i');
      logger.warn({}, 'w');
      logger.error({}, 'e');
    }
    expect(json.written).toHaveLength(count);
    expect(human.written).toHaveLength(count);
  });
});

describe('humanLogger', () => {
  it('writes a line without control characters', () => {
    const out = lines();
    humanLogger('info', out, false).info({ reason: 'a\u001b[2J\nb', token: 'canary' } as LogFields, 'said');
    expect(out.written[0]).toMatch(/^\d\d:\d\d:\d\d info {2}said reason=a\?\[2J\?b\n$/);
  });
});

it.each([
  ['debug', '<7>', '\u001b[2mdebug\u001b[22m'],
  ['info', '<6>', '\u001b[2minfo \u001b[22m'],
  ['warn', '<4>', '\u001b[33mwarn \u001b[39m'],
  ['error', '<3>', '\u001b[31merror\u001b[39m'],
] as const)(
  'a line of the level %s has its priority in the journal, and its colour',
  (level, priority, label) => {
    const [journal, human] = [lines(), lines()];
    journalLogger('debug', journal)[level]({ path: '/a\u001b', count: 2 }, 'said');
    humanLogger('debug', human, true)[level]({ count: 2 }, 'said');
    expect(journal.written).toEqual([`${priority}said path=/a? count=2\n`]);
    const [time = '', ...rest] = (human.written[0] ?? '').split(' ');
    expect([time.replace(/\d\d:\d\d:\d\d/, 'TIME'), rest.join(' ')]).toEqual([
      '\u001b[2mTIME\u001b[22m',
      `${label} said count=2\n`,
    ]);
  },
);

it('reports lost lines in the format of the log', () => {
  const message = 'log lines dropped: nobody took them in time';
  const json = droppedLine('json')(3);
  expect(JSON.parse(json)).toEqual({ level: 'warn', time: expect.any(Number), count: 3, msg: message });
  expect(json).toMatch(/^[^\n]+\n$/);
  expect(droppedLine('human')(3)).toBe(`${message}: 3\n`);
  expect(droppedLine('journal')(3)).toBe(`<4>${message}: 3\n`);
});

describe('withoutFloods', () => {
  function flooded() {
    const out: [string, LogFields, string][] = [];
    let now = 0;
    const at = (level: string) => (fields: LogFields, message: string) =>
      void out.push([level, fields, message]);
    const base = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
    const logger = withoutFloods(base, () => now);
    return { out, logger, later: (ms: number) => (now += ms) };
  }

  it('writes a cause once in 10 s, and then the number of omitted lines', () => {
    const { out, logger, later } = flooded();
    for (let count = 0; count < 1000; count++) logger.warn({ clientId: '1', reason: 'bad' }, 'refused');
    expect(out).toEqual([['warn', { clientId: '1', reason: 'bad' }, 'refused']]);
    later(9_999);
    logger.warn({ clientId: '1', reason: 'bad' }, 'refused');
    expect(out).toHaveLength(1);
    later(1);
    logger.warn({ clientId: '1', reason: 'bad' }, 'refused');
    expect(out.slice(1)).toEqual([
      ['warn', { count: 1000 }, 'log lines left out: repeated, or too many at once'],
      ['warn', { clientId: '1', reason: 'bad' }, 'refused'],
    ]);
    // Nothing was left out since.
    later(10_000);
    logger.warn({ clientId: '1', reason: 'bad' }, 'refused');
    expect(out).toHaveLength(4);
  });

  it('treats different causes and different clients separately', () => {
    const { out, logger } = flooded();
    logger.warn({ clientId: '1', code: 1 }, 'a');
    logger.warn({ clientId: '2', code: 1 }, 'a');
    logger.warn({ clientId: '1', code: 2 }, 'a');
    logger.error({ clientId: '1', code: 1 }, 'a');
    logger.warn({ clientId: '1', code: 1 }, 'b');
    logger.warn({ clientId: '1', code: 1, reason: 'r' }, 'b');
    // The session is no part of the cause.
    logger.warn({ clientId: '1', code: 1, reason: 'r', session: 's' }, 'b');
    expect(out).toHaveLength(6);
  });

  it('writes 200 causes in 10 s at the most', () => {
    const { out, logger, later } = flooded();
    for (let count = 0; count < 250; count++) logger.error({ clientId: String(count) }, 'a');
    expect(out).toHaveLength(200);
    later(10_000);
    logger.error({ clientId: '0' }, 'a');
    expect(out.slice(200)).toEqual([
      ['warn', { count: 50 }, 'log lines left out: repeated, or too many at once'],
      ['error', { clientId: '0' }, 'a'],
    ]);
  });

  it('limits the lines about 100,000 frames of as many clients to 64 KiB', async () => {
    const out = lines();
    let now = 0;
    const logger = withoutFloods(jsonLogger('warn', out), () => now);
    for (let count = 0; count < 100_000; count++) {
      now += 0.1;
      logger.warn(
        { session: `s${count}`, clientId: String(count), reason: 'Unknown opcode 7' },
        'peer broke the protocol',
      );
    }
    expect(out.written.join('').length).toBeLessThan(64 * 1024);
    expect(out.written.length).toBeGreaterThan(100);
  });

  it('does not limit debug and info', () => {
    const { out, logger } = flooded();
    for (let count = 0; count < 500; count++) {
      logger.debug({}, 'a');
      logger.info({}, 'a');
    }
    expect(out).toHaveLength(1000);
  });
});
