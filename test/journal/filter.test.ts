import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Passed } from '../../src/journal/entry.ts';
import type { Exchange } from '../../src/journal/exchange.ts';
import { Exchanges } from '../../src/journal/exchanges.ts';
import { completionsOf } from '../../src/journal/filter/complete.ts';
import { withTerm } from '../../src/journal/filter/edit.ts';
import { KEYS } from '../../src/journal/filter/keys.ts';
import { matcherOf } from '../../src/journal/filter/match.ts';
import { parseFilter } from '../../src/journal/filter/parse.ts';
import { quotedValue } from '../../src/journal/filter/tokens.ts';

const TUNES = '300000000000000002';
const NAMES: Readonly<Record<string, string>> = { [TUNES]: 'Harbour bot' };
const START = new Date(2026, 0, 2, 14, 3, 0).getTime();

const frame = (direction: 'in' | 'out', body: object, opcode = 1): Passed => {
  const text = JSON.stringify(body);
  return { kind: 'frame', session: 'abc1', direction, opcode, text, bytes: text.length };
};
const exchange = (cmd: string, nonce: string, answer: object, args = {}): readonly Passed[] => [
  frame('in', { cmd, nonce, args }),
  frame('out', { cmd, nonce, ...answer }),
];
const part = { headers: {}, bytes: 6000, body: '{"name":"Fähre"}' };

/** Rows a second apart from 14:03:00 on; an answer comes 20 ms after its request. */
const ROWS: ReadonlyMap<string, Exchange> = (() => {
  const passed: readonly (readonly [name: string, entries: readonly Passed[]])[] = [
    [
      'hello',
      [
        frame('in', { v: 1, client_id: TUNES }, 0),
        frame('out', { cmd: 'DISPATCH', evt: 'READY', nonce: null }),
      ],
    ],
    ['guild', exchange('GET_GUILD', '1', { data: { name: 'River Bank' } })],
    ['guilds', exchange('GET_GUILDS', '2', { evt: 'ERROR', data: { code: 4006 } })],
    ['ping', [frame('in', {}, 3), frame('out', {}, 4)]],
    ['event', [frame('out', { cmd: 'DISPATCH', evt: 'VOICE_STATE_UPDATE', nonce: null })]],
    [
      'http',
      [
        {
          kind: 'http',
          method: 'GET',
          path: '/users/@me?limit=5',
          status: 404,
          ms: 150,
          request: part,
          response: part,
        },
      ],
    ],
    ['waits', [frame('in', { cmd: 'AUTHORIZE', nonce: '9' })]],
    ['fault', [{ kind: 'fault', fault: 'f1', what: 'drop: the answer' }]],
  ];
  const exchanges = new Exchanges();
  let seq = 0;
  return new Map(
    passed.map(([name, entries], second) => [
      name,
      entries
        .map((one, index) => {
          seq += 1;
          return exchanges.add({ ...one, seq, at: START + second * 1000 + index * 20 }).row;
        })
        .at(-1) as Exchange,
    ]),
  );
})();
const ALL = [...ROWS.keys()];

/** Names of the rows that a filter lets through. */
function passing(text: string): readonly string[] {
  const parsed = parseFilter(text);
  if (parsed.kind === 'problem') throw new Error(parsed.problem.message);
  const test = matcherOf(parsed.terms, (app) => NAMES[app ?? '']);
  return [...ROWS].filter(([, row]) => test(row)).map(([name]) => name);
}

describe('a filter', () => {
  it.each<[string, readonly string[]]>([
    ['', ALL],
    ['   ', ALL],
    ['app:harbour', ['hello', 'guild', 'guilds', 'ping', 'event', 'waits']],
    [`app:${TUNES}`, ['hello', 'guild', 'guilds', 'ping', 'event', 'waits']],
    ['app:"Harbour bot"', ['hello', 'guild', 'guilds', 'ping', 'event', 'waits']],
    ['app:=harbour', []],
    ['app:="harbour BOT" cmd:GET', ['guild', 'guilds']],
    ['-app:harbour', ['http', 'fault']],
    ['!app:harbour', ['http', 'fault']],
    ['cmd:GET_GUILD', ['guild', 'guilds']],
    ['cmd:=get_guild', ['guild']],
    ['cmd:ping,AUTH', ['ping', 'waits']],
    ['-cmd:PING,GET', ['hello', 'event', 'waits', 'fault']],
    ['CMD:users/@me', ['http']],
    ['kind:rpc', ['hello', 'guild', 'guilds', 'ping', 'waits']],
    ['kind:frame', ['hello', 'guild', 'guilds', 'ping', 'event', 'waits']],
    ['kind:HTTP,fault', ['http', 'fault']],
    ['kind:event -cmd:MESSAGE', ['event']],
    ['status:error', ['guilds', 'http']],
    ['status:ok', ['hello', 'guild', 'ping']],
    ['status:open', ['waits']],
    ['status:warning', ['fault']],
    ['status:4006', ['guilds']],
    ['status:4xx', ['http']],
    ['status:404,4006', ['guilds', 'http']],
    ['session:abc', ['hello', 'guild', 'guilds', 'ping', 'event', 'waits']],
    ['session:ABC1 status:error', ['guilds']],
    ['session:bc1', []],
    ['ms:>20', ['http']],
    ['ms:>=20', ['hello', 'guild', 'guilds', 'ping', 'http']],
    ['ms:<100ms', ['hello', 'guild', 'guilds', 'ping']],
    ['ms:20', ['hello', 'guild', 'guilds', 'ping']],
    ['ms:0.1s..0.2s', ['http']],
    ['ms:<=20 cmd:=GET_GUILD', ['guild']],
    ['-ms:<1000', ['event', 'waits', 'fault']],
    ['size:>1k', ['http']],
    ['size:12kb', ['http']],
    ['size:0', ['fault']],
    ['time:14:03', ALL],
    ['time:14:03:01', ['guild']],
    ['time:14:03:01..14:03:03', ['guild', 'guilds']],
    ['time:>=14:03:06', ['waits', 'fault']],
    ['time:14:03:07..14:03:01', ['hello', 'fault']],
    ['time:23:59..14:03:01', ['hello']],
    ['river', ['guild']],
    ['"river bank"', ['guild']],
    ['river bank', ['guild']],
    ['river boat', []],
    ['FÄHRE', ['http']],
    ['limit=5', ['http']],
    ['-river -kind:frame', ['http', 'fault']],
    ['harbour', ['hello', 'guild', 'guilds', 'ping', 'event', 'waits']],
    ['answer', ['fault']],
    ['f1', ['fault']],
    ['4006', ['guilds']],
    ['re:^get_guilds?$', ['guild', 'guilds']],
    ['re:"river\\s(bank|boat)"', ['guild']],
    ['re:"code\\":4"', ['guilds']],
    ['-re:. ', []],
    ['re:(GET_|R.*)+BANK', ['guild']],
    [String.raw`re:(?=GET_)\w(?!ET_GUILD\b)`, ['guilds']],
    ['http://x', []],
    ['-', []],
    ['a,b', []],
    ['"cmd:PING"', []],
  ])('%s', (text, expected) => {
    expect(passing(text)).toEqual(expected);
  });

  it.each<[string, [from: number, to: number], string]>([
    [
      'app:x cdm:PING',
      [6, 14],
      'There is no "cdm:". Did you mean "cmd"? Put it in quotes to search for the text.',
    ],
    ['app:', [0, 4], '"app:" needs a value: name or id of the application.'],
    ['x -app:""', [2, 9], '"app:" needs a value: name or id of the application.'],
    ['cmd:A,,B', [0, 8], '"cmd:" has an empty value beside a comma.'],
    ['"open', [0, 5], 'The quote is not closed.'],
    ['app:"open cmd:x', [0, 15], 'The quote is not closed.'],
    [
      'kind:htp',
      [0, 8],
      '"kind:" has no "htp". Did you mean "http"? It has rpc, event, http, gateway, webhook, fault, session, refused, missing, violation, clock, connect, frame, close, broken, warning, end.',
    ],
    ['status:bad', [0, 10], '"status:" has no "bad". It has error, ok, open, unanswered, warning, codes.'],
    ['ms:fast', [0, 7], '"ms:" needs a duration, such as >100 or 5..20.'],
    ['ms:1..2..3', [0, 10], '"ms:" needs a duration, such as >100 or 5..20.'],
    ['ms:>1..2', [0, 8], '"ms:" needs a duration, such as >100 or 5..20.'],
    ['size:5x', [0, 7], '"size:" needs a size in bytes, such as >10k.'],
    ['time:25:00', [0, 10], '"time:" needs a time of day, such as 14:03 or 14:03:10..14:04.'],
    ['time:14:60', [0, 10], '"time:" needs a time of day, such as 14:03 or 14:03:10..14:04.'],
    ['x re:(', [2, 6], 'This is no regular expression: Unterminated group.'],
    [
      're:(?=a+)b',
      [0, 10],
      'The pattern is too large, or repeats something beside a look-around or a back reference, which can take for ever.',
    ],
    ['x'.repeat(2001), [2000, 2001], 'A filter has at most 2000 characters.'],
  ])('names the place that cannot be read in %s', (text, [from, to], message) => {
    expect(parseFilter(text)).toEqual({ kind: 'problem', problem: { from, to, message } });
  });

  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc
      .tuple(
        fc.constantFrom('', '-', '!'),
        fc.constantFrom(...Object.keys(KEYS), 'nope'),
        fc.string({ maxLength: 8 }),
      )
      .map(([sign, key, value]) => `${sign}${key}:${value}`),
    fc.constantFrom(
      'app:harbour',
      'status:error',
      'ms:>5',
      'cmd:=PING,GET',
      'time:14:03:01..14:03:04',
      '"river bank"',
    ),
  );
  const filters = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));

  it('is read whatever its text, or names a place within it', () => {
    fc.assert(
      fc.property(filters, (text) => {
        const parsed = parseFilter(text);
        if (parsed.kind === 'filter') {
          const test = matcherOf(parsed.terms, (app) => NAMES[app ?? '']);
          for (const row of ROWS.values()) expect(typeof test(row)).toBe('boolean');
          return;
        }
        const { from, to, message } = parsed.problem;
        expect(0 <= from && from < to && to <= text.length, text).toBe(true);
        expect(message).toMatch(/\.$/);
      }),
    );
  });

  it('lets through what each of its terms lets through, and a negated term the others', () => {
    const good = filters.filter((text) => parseFilter(text).kind === 'filter');
    fc.assert(
      fc.property(good, good, (a, b) => {
        const both = passing(`${a} ${b}`);
        const [one, other] = [passing(a), passing(b)];
        expect(both).toEqual(one.filter((name) => other.includes(name)));
      }),
    );
    const value = fc.string({ minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(fc.constantFrom('app', 'cmd', 'session'), value, (key, text) => {
        const term = `${key}:${quotedValue(text)}`;
        const [passed, others] = [passing(term), passing(`-${term}`)];
        expect([...passed, ...others].sort()).toEqual([...ALL].sort());
      }),
    );
  });

  it('finds a row by any part of its name or of its application, however that is quoted', () => {
    const names = [...ROWS.values()].map(({ name }) => name);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(20), fc.nat(20), (name, from, length) => {
        const piece = name.slice(from, from + length + 1);
        fc.pre(piece !== '');
        const expected = [...ROWS].filter(([, row]) => row.name.toLowerCase().includes(piece.toLowerCase()));
        expect(passing(`cmd:${quotedValue(piece)}`)).toEqual(expected.map(([key]) => key));
      }),
    );
  });

  it('keeps its other terms when one is set', () => {
    expect(withTerm('app:x time:14:03 "two  words"', 'time', '15:00')).toBe('app:x "two  words" time:15:00');
    expect(withTerm('time:14:03 -time:15:00 x', 'time', undefined)).toBe('x');
    expect(withTerm('', 'time', '15:00')).toBe('time:15:00');
  });
});

describe('completion of a filter', () => {
  const known = { apps: ['Harbour bot', 'Tunes'], names: ['PING', 'GET_GUILD', 'GET_GUILDS'] };
  /** Filters that the completions at the bar make. */
  const offered = (marked: string): readonly string[] => {
    const position = marked.indexOf('|');
    const text = marked.replace('|', '');
    return completionsOf(text, position, known).map(
      ({ from, to, text: piece }) => text.slice(0, from) + piece + text.slice(to),
    );
  };

  it.each<[string, readonly string[]]>([
    ['|', Object.keys(KEYS).map((key) => `${key}:`)],
    ['s|', ['status:', 'session:', 'size:']],
    ['-st|', ['-status:']],
    ['app:x c|', ['app:x cmd:']],
    ['cm| app:x', ['cmd: app:x']],
    ['app:|', ['app:"Harbour bot" ', 'app:Tunes ']],
    ['app:har|', ['app:"Harbour bot" ']],
    ['app:"har|', ['app:"Harbour bot" ']],
    ['cmd:guild|', ['cmd:GET_GUILD ', 'cmd:GET_GUILDS ']],
    ['-cmd:PING,get_guild|', ['-cmd:PING,GET_GUILDS ']],
    ['status:un|', ['status:unanswered ']],
    ['kind:web|', ['kind:webhook ']],
    ['nope:x|', []],
    ['"quoted|', []],
    ['re:x|', []],
    ['river|', []],
  ])('offers at %s', (marked, expected) => {
    expect(offered(marked)).toEqual(expected);
  });

  it('makes filters that can be read, for any values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }),
        fc.constantFrom('app:', 'cmd:'),
        (values, key) => {
          for (const { from, text } of completionsOf(key, key.length, { apps: values, names: values }))
            expect(parseFilter(key.slice(0, from) + text).kind).toBe('filter');
        },
      ),
    );
  });
});
