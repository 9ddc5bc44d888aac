import { describe, expect, it } from 'vitest';
import type { JournalEntry, Passed } from '../../src/journal/entry.ts';
import { droppedLine, entryLine, TrafficWriter, trafficText } from '../../src/journal/format.ts';
import { Journal } from '../../src/journal/journal.ts';
import { StoredFrames } from '../../src/journal/stored-frames.ts';
import { Opcode } from '../../src/wire/codes.ts';

const end = (session: string): Passed => ({ kind: 'end', session });
const body = (text: string): Uint8Array => Buffer.from(text);

describe('a journal that is turned off', () => {
  it('removes its entries, stores nothing, and begins again with number 1', () => {
    const journal = new Journal();
    const switches: boolean[] = [];
    const stop = journal.onSwitch(() => switches.push(journal.isOn));
    journal.turn('on');
    const { begun } = journal;
    journal.add(end('a'));
    journal.addFrame('a', 'in', { opcode: Opcode.FRAME, body: body('{}') });
    journal.turn('off');
    expect([journal.size, journal.bytes, journal.last, journal.isOn]).toEqual([0, 0, 0, false]);
    expect(journal.read().entries).toEqual([]);
    const seen: unknown[] = [];
    journal.follow((entry) => seen.push(entry));
    journal.add(end('a'));
    journal.addUnread({ kind: 'end', session: 'a', bytes: 0, render: () => end('a') });
    journal.addFrame('a', 'in', { opcode: Opcode.FRAME, body: body('{}') });
    expect([journal.last, seen, journal.begun]).toEqual([0, [], begun]);
    journal.turn('on');
    expect(journal.begun).toBeGreaterThan(begun);
    journal.addFrame('b', 'in', { opcode: Opcode.FRAME, body: body('{"b":1}') });
    expect(journal.read().entries).toMatchObject([{ seq: 1, session: 'b', text: '{"b":1}' }]);
    stop();
    journal.turn('off');
    expect(switches).toEqual([false, true]);
  });
});

it('a full journal that is turned off has no entries and no bytes', () => {
  const journal = new Journal({ entries: 2 });
  for (const session of ['a', 'b', 'c']) journal.add(end(session));
  journal.turn('off');
  expect([journal.size, journal.bytes]).toEqual([0, 0]);
});

describe('the size of an entry', () => {
  const part = (text?: string) => ({
    headers: { ab: 'cde' },
    bytes: 0,
    ...(text === undefined ? {} : { body: text }),
  });
  const refused = {
    over: 'http',
    why: 'host',
    clientId: null,
    application: null,
    remedy: '12345',
    count: 1,
  } as const;
  const [method, status, ms] = ['GET', 200, 1];
  it.each<[string, Passed, number]>([
    ['without texts', end('s'), 200],
    ['connect', { kind: 'connect', session: 's', over: 'ipc' }, 200],
    ['frame', { kind: 'frame', session: 's', direction: 'in', opcode: 1, text: '1234', bytes: 4 }, 204],
    ['gateway', { kind: 'gateway', session: 's', direction: 'in', text: '1234', bytes: 4 }, 204],
    [
      'webhook',
      {
        kind: 'webhook',
        application: '1',
        type: 't',
        url: 'u',
        ms: 1,
        text: '123',
        outcome: { kind: 'answered', status: 1 },
      },
      203,
    ],
    ['http', { kind: 'http', method, path: '/12', status, ms, request: part('1234'), response: part() }, 617],
    ['refused', { kind: 'refused', ...refused, origin: 'abc' }, 408],
    ['refused without origin', { kind: 'refused', ...refused, origin: null }, 405],
  ])('%s counts its texts', (_kind, passed, bytes) => {
    const journal = new Journal();
    journal.add(passed);
    expect(journal.bytes).toBe(bytes);
    journal.add({ ...passed });
    expect(journal.bytes).toBe(2 * bytes);
  });

  it('of a frame or of an entry that is created on reading counts the bytes that it keeps', () => {
    const journal = new Journal({ text: 10 });
    journal.addFrame('s', 'in', { opcode: Opcode.FRAME, body: body('1234567890') });
    expect(journal.bytes).toBe(210);
    journal.addFrame('s', 'in', { opcode: Opcode.FRAME, body: body('12345678901') });
    expect(journal.bytes).toBe(410);
    journal.addUnread({ kind: 'end', session: 's', bytes: 5, render: () => end('s') });
    expect(journal.bytes).toBe(615);
  });
});

describe('an entry that is created on reading', () => {
  it('is created for each reader and for followers, with its number and time', () => {
    const journal = new Journal();
    let rendered = 0;
    const add = (session: string): void =>
      journal.addUnread({
        kind: 'end',
        session,
        bytes: 0,
        render: () => {
          rendered += 1;
          return end(session);
        },
      });
    add('a');
    expect(rendered).toBe(0);
    const seen: JournalEntry[] = [];
    journal.follow((entry) => seen.push(entry));
    add('b');
    expect(rendered).toBe(1);
    const { entries } = journal.read({ session: 'b' });
    expect(rendered).toBe(2);
    expect(entries).toEqual(seen);
    expect(entries).toEqual([{ kind: 'end', session: 'b', seq: 2, at: expect.any(Number) }]);
    expect(Math.abs(Date.now() - (entries[0]?.at ?? 0))).toBeLessThan(60_000);
    expect(journal.read({ kinds: ['frame'] })).toEqual({ entries: [], next: 2, dropped: 0 });
  });
});

it('a journal stores 5,000 entries and 8 MiB, and the text of frames of 64 KiB, unless told otherwise', () => {
  const journal = new Journal();
  for (let n = 0; n < 5001; n++) journal.add(end('s'));
  expect([journal.size, journal.read({ limit: 1 }).entries[0]?.seq]).toEqual([5000, 2]);
  const half = 'x'.repeat(64 * 1024);
  for (let n = 0; n < 200; n++) journal.addFrame('s', 'in', { opcode: Opcode.FRAME, body: body(half) });
  expect(journal.bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
  expect(journal.bytes).toBeGreaterThan(8 * 1024 * 1024 - 70_000);
  journal.addFrame('s', 'in', { opcode: Opcode.FRAME, body: body(`${half} `) });
  expect(journal.read({ after: journal.last - 2 }).entries).toMatchObject([
    { text: '(not JSON, 65536 characters)' },
    { text: '(JSON, 65537 bytes)' },
  ]);
});

it('a journal reads after a number beyond its entries without a negative count of dropped entries', () => {
  const journal = new Journal({ entries: 2 });
  for (const session of ['a', 'b', 'c']) journal.add(end(session));
  expect(journal.read({ after: 3 })).toEqual({ entries: [], next: 3, dropped: 0 });
  expect(journal.read({ after: 1, limit: 1 })).toMatchObject({ entries: [{ seq: 2 }], next: 2, dropped: 0 });
  expect(journal.read({ limit: 0 })).toEqual({ entries: [], next: 1, dropped: 1 });
});

describe('stored frames', () => {
  const facts = (text: Uint8Array, more: object = {}) => ({
    session: 's',
    direction: 'out' as const,
    opcode: 3,
    bytes: text.byteLength,
    at: 1.5,
    text,
    byHand: false,
    ...more,
  });
  const json = (length: number, sign: string): string => `["${sign.repeat(length - 4)}"]`;
  const textAt = (frames: StoredFrames, slot: number): string => frames.read(slot, 9).text;

  it('are read as they were set', () => {
    const frames = new StoredFrames(2);
    frames.set(1, 9, 1, facts(body('{"a":1}')));
    expect(frames.read(1, 9)).toEqual({
      kind: 'frame',
      session: 's',
      direction: 'out',
      opcode: 3,
      text: '{"a":1}',
      bytes: 7,
      seq: 9,
      at: 1.5,
    });
    frames.forget(1);
    expect(frames.sessionOf(1)).toBe('');
  });

  it('with declarations show what is declared for opcode and direction', () => {
    const frames = new StoredFrames(1, ({ opcode, direction }) => ({
      a: { schema: { const: `${opcode} ${direction}` } },
    }));
    frames.set(0, 1, 1, facts(body('{"a":"3 out","b":"c"}')));
    expect(textAt(frames, 0)).toBe('{"a":"3 out","b":"string(1)"}');
  });

  it.each([64, 8 * 1024, 8 * 1024 + 1])('of %i bytes keep their texts while slabs are reused', (length) => {
    const SLOTS = 20;
    const frames = new StoredFrames(SLOTS);
    for (let seq = 1; seq <= 300; seq++) {
      if (seq > SLOTS) frames.forget(seq % SLOTS);
      const first = Math.max(1, seq - SLOTS + 1);
      frames.set(seq % SLOTS, seq, first, facts(body(json(length, String.fromCharCode(97 + (seq % 26))))));
      if (seq % 60 > 0) continue;
      for (let kept = first; kept <= seq; kept++) {
        const sign = String.fromCharCode(97 + (kept % 26));
        expect(textAt(frames, kept % SLOTS)).toBe(json(length, sign));
      }
    }
  });
});

describe('the format of recorded traffic', () => {
  const entry: JournalEntry = { kind: 'broken', session: 's', message: 'a\u001b', seq: 1, at: 86_400_000 };
  it('has a line for each entry, safe for a terminal', () => {
    expect(entryLine(entry)).toBe(
      '{"kind":"broken","session":"s","message":"a\\u001b","seq":1,"at":86400000}\n',
    );
    expect(droppedLine(3)).toBe('{"kind":"dropped","entries":3}\n');
  });

  it('begins with a header and ends with the number of entries', () => {
    const header =
      '{"footbridge":"traffic","version":2,"core":"emulator","began":"1970-01-02T00:00:00.000Z"}\n';
    expect(trafficText([entry, entry], 'emulator')).toBe(
      `${header}${entryLine(entry)}${entryLine(entry)}{"end":{"entries":2}}\n`,
    );
    const [first = '', last] = trafficText([], 'x').split('\n');
    expect(Date.parse((JSON.parse(first) as { began: string }).began)).toBeGreaterThan(86_400_000);
    expect(last).toBe('{"end":{"entries":0}}');
  });

  it('counts only what could be written', () => {
    let works = true;
    const writer = new TrafficWriter(() => works);
    expect(writer.begin('x')).toBe(true);
    writer.write(entry);
    works = false;
    expect(writer.begin('x')).toBe(false);
    writer.write(entry);
    expect(writer.entries).toBe(1);
  });
});
