import { describe, expect, it } from 'vitest';
import { describe as described, wholeOf } from '../../src/journal/describe.ts';
import { ENTRY_KINDS, type JournalEntry } from '../../src/journal/entry.ts';
import { problemOf } from '../../src/journal/entry-shape.ts';
import { Exchanges } from '../../src/journal/exchanges.ts';
import { harOf } from '../../src/journal/har.ts';
import { plainEntry } from '../../src/journal/plain-entry.ts';
import { RecordReader } from '../../src/journal/record-reader.ts';

/** The least of each kind that a file may have. */
const LEAST: Readonly<Record<JournalEntry['kind'], object>> = {
  connect: { session: 's', over: 'ipc' },
  frame: { session: 's', direction: 'in', opcode: 1, text: '{}' },
  close: { session: 's', code: 1000, message: 'bye' },
  broken: { session: 's', message: 'x' },
  warning: { session: 's', message: 'x' },
  refused: { over: 'websocket', why: 'origin', remedy: 'x' },
  end: { session: 's' },
  http: {
    method: 'GET',
    path: '/',
    status: 200,
    request: { headers: {}, bytes: 0 },
    response: { headers: {}, bytes: 0 },
  },
  gateway: { session: 'g1', direction: 'out', text: '{"op":10}' },
  webhook: { application: '1', type: 'PING', url: 'http://127.0.0.1/' },
  fault: { fault: 'f1', what: 'x' },
  missing: { what: 'x', times: 1 },
  violation: { rule: 'no-answer', what: 'x', where: 'y' },
  clock: { from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:00:01.000Z', frozen: false },
};

const entryOf = (kind: JournalEntry['kind'], more: object = {}): JournalEntry =>
  ({ kind, ...LEAST[kind], seq: 1, at: 1, ...more }) as JournalEntry;

describe('an entry of a file', () => {
  it.each(ENTRY_KINDS)('of the kind %s has all that readers of entries take', (kind) => {
    const entry = entryOf(kind);
    expect(problemOf({ ...entry })).toBeUndefined();
    const plain = plainEntry(entry);
    expect(plain).toMatchObject(entry);
    // Each reader of the page takes it.
    expect(described(plain).text).not.toBe('');
    expect(JSON.stringify(wholeOf(plain))).toContain(kind);
    expect(new Exchanges().add(plain).row.bytes).toBeGreaterThanOrEqual(0);
    expect(() => harOf([plain], '1')).not.toThrow();
  });

  it.each(ENTRY_KINDS)('of the kind %s has no member that is not known', (kind) => {
    const plain = plainEntry(
      entryOf(kind, { more: { deep: true }, ms: 'x', bytes: {}, pid: [], byHand: 'yes' }),
    );
    expect(JSON.stringify(plain)).not.toMatch(/deep|yes|"ms":"x"|"bytes":\{|pid/);
  });

  it.each([
    ['frame', { application: '7' }, undefined],
    ['http', { application: '7' }, '7'],
    ['gateway', { application: '7' }, '7'],
    ['http', { application: 7 }, undefined],
  ] as const)('of the kind %s with %j has the application %s', (kind, more, application) => {
    expect(Reflect.get(plainEntry(entryOf(kind, more)), 'application')).toBe(application);
  });

  it('has the mark of what was sent by hand', () => {
    expect(plainEntry(entryOf('frame', { byHand: true }))).toMatchObject({ byHand: true });
  });

  it('has no secret that somebody wrote into it', () => {
    const secret = '{"access_token":"kept0secret"}';
    const entries = [
      entryOf('frame', { text: secret }),
      entryOf('gateway', { text: secret }),
      entryOf('webhook', { text: secret }),
      entryOf('http', {
        request: { headers: {}, body: secret, bytes: 1 },
        response: { headers: {}, body: secret, bytes: 1 },
      }),
    ];
    expect(JSON.stringify(entries.map(plainEntry))).not.toContain('kept0secret');
  });

  it('keeps the notes of the journal in place of bodies', () => {
    const response = { headers: {}, body: '(image/png)', bytes: 1 };
    expect(plainEntry(entryOf('http', { response }))).toMatchObject({ response });
  });

  it('has texts of bounded length and depth', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const plain = plainEntry(entryOf('frame', { text: deep }));
    expect(JSON.stringify(plain).length).toBeLessThan(500);
    expect(JSON.stringify(plainEntry(entryOf('broken', { message: 'x'.repeat(1e6) }))).length).toBeLessThan(
      5000,
    );
  });
});

describe('a reader of records', () => {
  it('takes parts of lines', () => {
    const reader = new RecordReader('talk.ndjson');
    const text = `${JSON.stringify(entryOf('end'))}\n${JSON.stringify(entryOf('broken', { seq: 2 }))}\n`;
    for (let at = 0; at < text.length; at += 7) reader.write(text.slice(at, at + 7));
    expect(reader.end().entries.map(({ kind }) => kind)).toEqual(['end', 'broken']);
  });

  it.each([
    ['more entries than it may', [entryOf('end'), entryOf('end')], 'talk.ndjson: has more than 1 entries.'],
    [
      'a time that no calendar has',
      [{ ...entryOf('end'), at: 1e300 }],
      'talk.ndjson:1: the line has a wrong at: must be a time.',
    ],
    [
      'a request that is a list',
      [{ ...entryOf('http'), request: [] }],
      'talk.ndjson:1: the line has a wrong request: must be an object.',
    ],
    [
      'a header that is a number',
      [{ ...entryOf('http'), request: { headers: { a: 1 }, bytes: 0 } }],
      'talk.ndjson:1: the line has a wrong request.headers.a: must be a text.',
    ],
    [
      'headers of an inherited name',
      [{ ...entryOf('http'), request: { bytes: 0 } }],
      'talk.ndjson:1: the line has no request.headers.',
    ],
  ])('refuses %s', (_, entries, message) => {
    const reader = new RecordReader('talk.ndjson', 1);
    const read = (): unknown => {
      reader.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      return reader.end();
    };
    expect(read).toThrow(expect.objectContaining({ code: 'FOOTBRIDGE_RECORD', message }) as Error);
  });
});
