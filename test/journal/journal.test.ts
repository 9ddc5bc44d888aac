import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../src/faults/random.ts';
import { Journal } from '../../src/journal/journal.ts';
import { textWithoutSecrets } from '../../src/journal/without-secrets.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { STREAM_NOTICE } from '../../src/wire/streams.ts';

const frame = (session: string, text = '{}') =>
  ({ kind: 'frame', session, direction: 'in', opcode: 1, text, bytes: text.length }) as const;

const opcodes = Object.values(Opcode);

describe('a journal', () => {
  it('stores entries in order, and returns the position to continue from', () => {
    const journal = new Journal();
    journal.add(frame('a'));
    journal.add({ kind: 'end', session: 'a' });
    const { entries, next, dropped } = journal.read();
    expect(entries.map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'frame'],
      [2, 'end'],
    ]);
    expect([next, dropped]).toEqual([2, 0]);
    expect(journal.read({ after: next }).entries).toEqual([]);
  });
  it('drops the oldest entries when it is full, and reports to a reader how many are missing', () => {
    const journal = new Journal({ entries: 3 });
    for (let i = 0; i < 10; i += 1) journal.add(frame(`s${i}`));
    const { entries, dropped } = journal.read({ after: 2 });
    expect(entries.map(({ seq }) => seq)).toEqual([8, 9, 10]);
    expect(dropped).toBe(5);
    expect(journal.size).toBe(3);
  });
  it('stores no more bytes than its limit, except for the newest entry', () => {
    const journal = new Journal({ bytes: 2_000 });
    for (let i = 0; i < 100; i += 1) journal.add(frame('a', 'x'.repeat(100)));
    expect(journal.bytes).toBeLessThanOrEqual(2_000);
    expect(journal.size).toBe(6);
    journal.add(frame('a', 'x'.repeat(5_000)));
    expect(journal.read().entries.map(({ seq }) => seq)).toEqual([101]);
    journal.add(frame('b'));
    expect(journal.read().entries.map(({ seq }) => seq)).toEqual([102]);
    expect(journal.bytes).toBe(202);
  });
  it.each([1, 2, 3, 4])('returns every stored frame unchanged after its buffer was reused (%i)', (seed) => {
    const random = randomFrom(seed);
    const journal = new Journal({ entries: 1 + Math.floor(random() * 400), bytes: 400_000 });
    const told: unknown[] = [];
    journal.follow((entry) => told.push(entry));
    for (let i = 1; i <= 3000; i += 1) {
      if (random() < 0.1) journal.add({ kind: 'end', session: `s${i}` });
      else {
        const size = random() < 0.02 ? 20_000 : 900;
        const text = JSON.stringify({ v: `ü${i}`.padEnd(Math.floor(random() * size), 'x') });
        const direction = random() < 0.5 ? 'in' : 'out';
        const body = Buffer.from(text);
        const opcode = opcodes[i % opcodes.length] ?? Opcode.FRAME;
        journal.addFrame(`s${i}`, direction, { opcode, body });
        expect(told.at(-1)).toMatchObject({
          seq: i,
          session: `s${i}`,
          direction,
          opcode,
          bytes: body.byteLength,
          text,
        });
      }
      if (i % 500 > 0) continue;
      const { entries } = journal.read();
      expect(entries).toEqual(told.slice(-entries.length));
      expect(entries.length).toBe(journal.size);
    }
  });
  it('reads one session, some kinds or a few entries, and continues after entries that do not match', () => {
    const journal = new Journal();
    for (const session of ['a', 'b', 'a']) journal.add(frame(session));
    journal.add({ kind: 'end', session: 'a' });
    expect(journal.read({ session: 'a', kinds: ['frame'] }).entries.map(({ seq }) => seq)).toEqual([1, 3]);
    const first = journal.read({ session: 'b', limit: 1 });
    expect([first.entries.length, first.next]).toEqual([1, 2]);
    expect(journal.read({ session: 'b', after: first.next })).toEqual({ entries: [], next: 4, dropped: 0 });
  });
  it('hides the secrets of frames from readers and followers, and shows only the size of a large frame', () => {
    const journal = new Journal({ text: 1000 });
    const followed: string[] = [];
    journal.follow((entry) => followed.push(entry.kind === 'frame' ? entry.text : ''));
    const body = (value: object) => Buffer.from(JSON.stringify(value));
    journal.addFrame('a', 'in', { opcode: Opcode.FRAME, body: body({ access_token: 'canary' }) });
    journal.addFrame('a', 'in', { opcode: Opcode.FRAME, body: body({ access_token: 'c'.repeat(1000) }) });
    journal.addFrame('a', 'in', { opcode: Opcode.FRAME, body: Buffer.from('"canary"') });
    journal.addFrame('a', 'in', { opcode: Opcode.PING, body: new Uint8Array(0) });
    const texts = ['{"access_token":"[hidden]"}', '(JSON, 1019 bytes)', '(not JSON, 8 characters)', ''];
    expect(followed).toEqual(texts);
    expect(journal.read().entries).toMatchObject(texts.map((text) => ({ text })));
    expect(journal.read({ session: 'b' }).entries).toEqual([]);
    expect(journal.read({ kinds: ['end'] }).entries).toEqual([]);
  });
  it('notifies a follower until it stops following', () => {
    const journal = new Journal();
    const seen: number[] = [];
    const stop = journal.follow(({ seq }) => seen.push(seq));
    journal.add(frame('a'));
    stop();
    journal.add(frame('a'));
    expect(seen).toEqual([1]);
  });
});

describe('a text for a journal', () => {
  it.each([
    [
      'as it came',
      '{"cmd":"GET_GUILDS","args":{},"nonce":"1"}',
      '{"cmd":"GET_GUILDS","args":{},"nonce":"1"}',
    ],
    ['with an error code', '{"evt":"ERROR","data":{"code":4006}}', '{"evt":"ERROR","data":{"code":4006}}'],
    ['without a token', '{"args":{"access_token":"abc"}}', '{"args":{"access_token":"[hidden]"}}'],
    ['without a key in disguise', '{"acc\\u0065ss_token":"abc"}', '{"access_token":"[hidden]"}'],
    ['without a list of secrets', '{"secrets":["a"]}', '{"secrets":["[hidden]"]}'],
    ['without all of what cannot be read', '{"access_token":"abc', '(not JSON, 20 characters)'],
    ['without a number less', '{"data":{"code":4006,"secret":null}}', '{"data":{"code":4006,"secret":null}}'],
    ['without what is no object', '"abcdef"', '(not JSON, 8 characters)'],
    ['with the notice of a client that reads streams', STREAM_NOTICE, STREAM_NOTICE],
    ['without what has no quotes', '{access_token:abc}', '(not JSON, 18 characters)'],
    ['without a key before blanks', '{"token" \n:\t"abc"}', '{"token":"[hidden]"}'],
    [
      'without JSON in a text',
      String.raw`{"a":"{\"b\":\"{\\\"secret\\\": \\\"abc\\\"}\"}"}`,
      String.raw`{"a":"{\"[hidden]\": [hidden]\"}\"}"}`,
    ],
    [
      'without the query of an address',
      '{"url":"https://x.example/?code=1abc&state=s#access_token=d"}',
      '{"url":"https://x.example/?code=[hidden]&state=[hidden]#access_token=[hidden]"}',
    ],
    ['without an escaped address', '{"u":"x%3Ftoken%3Dabc%26b"}', '{"u":"[hidden]"}'],
    [
      'with a sentence',
      '{"code":4011,"message":"code: the invite was not accepted"}',
      '{"code":4011,"message":"code: the invite was not accepted"}',
    ],
    [
      'without a long word in it',
      '{"m":"token: abcdefghijklm is wrong"}',
      '{"m":"token: [hidden] is wrong"}',
    ],
    ['without a header', '{"h":"Bearer abcdefghijklmnop=="}', '{"h":"Bearer [hidden]"}'],
    [
      'without the address of a webhook',
      '{"url":"https://x.example/api/webhooks/12/abcdefghijklmnopqrstuvwxyz"}',
      '{"url":"https://x.example/api/webhooks/12/[hidden]"}',
    ],
  ])('is written %s', (_, given, kept) => {
    expect(textWithoutSecrets(given)).toBe(kept);
  });
  it.each([
    ['names', '"token"'],
    ['escapes', 'code%22'],
    ['signs', 'token= '],
    ['words', 'secret: '],
    ['dots', '.'],
    ['question marks', '?'],
    ['ampersands', 'a=b&'],
    ['slashes', '/webhooks/3'],
    ['quotes', '"'],
  ])('is written as fast with many %s as with other content of that size', (_, part) => {
    const text = JSON.stringify({ text: `${part.repeat(400_000 / part.length)}x${part}y` });
    const before = process.cpuUsage();
    textWithoutSecrets(text);
    const { user, system } = process.cpuUsage(before);
    // A quarter of a minute, were it quadratic.
    expect((user + system) / 1000).toBeLessThan(5_000);
  });
});
