import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { JournalEntry, Passed } from '../../src/journal/entry.ts';
import { transcriptText } from '../../src/journal/transcript.ts';

const GUIDE = new URL('../../.github/guide/strict-mode.md', import.meta.url);
/** 10:00 of a day, by the machine's clock. */
const TEN = Date.parse('2026-11-30T10:00:00.000Z');

/** Entries of a journal, each with the milliseconds since ten o'clock. */
function entries(...passed: readonly (readonly [ms: number, passed: Passed])[]): readonly JournalEntry[] {
  return passed.map(([ms, one], index) => ({ ...one, seq: index + 1, at: TEN + ms }));
}

const gateway = (direction: 'in' | 'out', payload: object): Passed => {
  const text = JSON.stringify(payload);
  return { kind: 'gateway', session: 'g1', direction, text, bytes: text.length };
};
const event = (t: string, d: object): Passed => gateway('out', { op: 0, s: 1, t, d });
const http = (
  method: string,
  path: string,
  sent: object | undefined,
  status: number,
  got?: object,
): Passed => ({
  kind: 'http',
  method,
  path: `/api/v10${path}`,
  status,
  ms: 1.5,
  request: { headers: {}, bytes: 0, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) },
  response: { headers: {}, bytes: 0, ...(got === undefined ? {} : { body: JSON.stringify(got) }) },
});
const heartbeat = [
  [1, gateway('in', { op: 1, d: 1 })],
  [2, gateway('out', { op: 11 })],
] as const;

const tide = {
  type: 2,
  data: { type: 1, name: 'tide' },
  member: { user: { username: 'ana' } },
};

it('a transcript has what was sent, requested and received, in order', () => {
  const text = transcriptText({
    entries: entries(
      [0, { kind: 'connect', session: 'g1', over: 'gateway' }],
      [1, gateway('out', { op: 10, d: { heartbeat_interval: 41250 } })],
      [2, gateway('in', { op: 2, d: { token: '[hidden]', intents: 513 } })],
      [3, event('READY', { v: 10, user: { username: 'harbour' }, guilds: [{ id: '4' }] })],
      [
        4,
        event('GUILD_CREATE', { name: 'River Bank', id: '4', channels: [{}, {}], members: [{}], emojis: [] }),
      ],
      [
        5,
        event('MESSAGE_CREATE', { content: 'ahoy', author: { username: 'ana' }, channel_id: '5', id: '6' }),
      ],
      [
        6,
        http(
          'POST',
          '/channels/5/messages',
          { content: 'hi', embeds: [{ fields: [{ name: 'High', value: '10:24' }], title: 'Tides' }] },
          200,
          { id: '7' },
        ),
      ],
      [7, http('GET', '/users/@me', undefined, 200, { username: 'harbour', id: '3' })],
      [
        8,
        http('DELETE', '/channels/5/messages/6', undefined, 403, {
          code: 50013,
          message: 'Missing Permissions',
        }),
      ],
      [
        8,
        http(
          'PATCH',
          '/channels/5/reactions/%F0%9F%8C%8A',
          { archived: true, locked: false, topic: null },
          200,
        ),
      ],
      [8, http('PATCH', '/guilds/4/members/8', { roles: ['7', '9'] }, 200)],
      [9, event('INTERACTION_CREATE', tide)],
      [10, http('POST', '/interactions/9/[hidden]/callback', { type: 4, data: { content: 'high' } }, 204)],
      [11, { kind: 'fault', fault: 'f1', what: 'drop: GET /api/v10/users/@me' }],
      [
        12,
        {
          kind: 'webhook',
          application: '3',
          type: 'INTERACTION',
          url: 'http://127.0.0.1:80/',
          ms: 2,
          text: JSON.stringify(tide),
          outcome: { kind: 'failed', reason: 'no answer in 3 s' },
        },
      ],
      [13, { kind: 'violation', rule: 'no-answer', what: 'the command "/tide"', where: 'interaction 9' }],
    ),
  });
  expect(text).toBe(
    [
      '10:00:00.000  g1        -> connects over gateway',
      '10:00:00.001  g1        <- HELLO',
      '10:00:00.002  g1        -> IDENTIFY',
      '10:00:00.003  g1        <- READY user="harbour" guilds=1',
      '10:00:00.004  g1        <- GUILD_CREATE name="River Bank" id="4" channels=2 members=1',
      '10:00:00.005  g1        <- MESSAGE_CREATE content="ahoy" author="ana" channel_id="5" id="6"',
      '10:00:00.006  http      POST /api/v10/channels/5/messages 200, sent content="hi" embeds=1 ("Tides", "High", "10:24")',
      '10:00:00.007  http      GET /api/v10/users/@me 200, got username="harbour" id="3"',
      '10:00:00.008  http      DELETE /api/v10/channels/5/messages/6 403, got code=50013 message="Missing Permissions"',
      '10:00:00.008  http      PATCH /api/v10/channels/5/reactions/🌊 200, sent archived=true locked=false',
      '10:00:00.008  http      PATCH /api/v10/guilds/4/members/8 200, sent roles=2 ("7", "9")',
      '10:00:00.009  g1        <- INTERACTION_CREATE /tide by ana',
      '10:00:00.010  http      POST /api/v10/interactions/9/[hidden]/callback 204, sent message "high"',
      '10:00:00.011  fault     fault f1: drop: GET /api/v10/users/@me',
      '10:00:00.012  webhook   INTERACTION to http://127.0.0.1:80/ no answer in 3 s /tide by ana',
      '10:00:00.013  violation  strict: no-answer: the command "/tide", at interaction 9',
      '',
    ].join('\n'),
  );
  const [, example = ''] = /```text\n([^`]+)```/.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  for (const line of example.split('\n')) expect(text).toContain(line);
  expect(example).toContain('MESSAGE_CREATE');
});

it('a transcript has what apps sent and got', () => {
  const frame = (direction: 'in' | 'out', payload: object): Passed => {
    const text = JSON.stringify(payload);
    return { kind: 'frame', session: 'abcdefgh-1', direction, opcode: 1, text, bytes: text.length };
  };
  const text = transcriptText({
    entries: entries(
      [0, frame('in', { cmd: 'GET_CHANNEL', nonce: '1', args: { channel_id: '5' } })],
      [
        1,
        frame('out', {
          cmd: 'GET_CHANNEL',
          nonce: '1',
          evt: 'ERROR',
          data: { code: 4005, message: 'Unknown' },
        }),
      ],
      [2, { kind: 'frame', session: 'abcdefgh-1', direction: 'in', opcode: 3, text: '{}', bytes: 2 }],
    ),
  });
  expect(text).toBe(
    [
      '10:00:00.000  abcdefgh  -> GET_CHANNEL nonce=1 channel_id="5"',
      '10:00:00.001  abcdefgh  <- GET_CHANNEL nonce=1 ERROR 4005 message="Unknown"',
      '',
    ].join('\n'),
  );
});

it('a transcript folds heartbeats and what repeats, unless it is full', () => {
  const typing = (user: string) => event('TYPING_START', { user_id: user, channel_id: '5' });
  const given = {
    entries: entries(
      ...heartbeat,
      [3, typing('1')],
      ...heartbeat,
      [4, typing('2')],
      [5, http('GET', '/users/1', undefined, 404, { code: 10013 })],
      [6, http('GET', '/users/1', undefined, 404, { code: 10013 })],
      [7, http('GET', '/users/2', undefined, 404, { code: 10013 })],
    ),
  };
  expect(transcriptText(given)).toBe(
    [
      '10:00:00.003  g1        <- TYPING_START channel_id="5" user_id="1" (2 times)',
      '10:00:00.005  http      GET /api/v10/users/1 404, got code=10013 (2 times)',
      '10:00:00.007  http      GET /api/v10/users/2 404, got code=10013',
      '',
    ].join('\n'),
  );
  const full = transcriptText(given, { full: true }).trimEnd().split('\n');
  expect(full).toHaveLength(9);
  expect(full.slice(0, 3)).toEqual([
    '10:00:00.001  g1        -> HEARTBEAT',
    '10:00:00.002  g1        <- HEARTBEAT_ACK',
    '10:00:00.003  g1        <- TYPING_START channel_id="5" user_id="1"',
  ]);
});

it('a transcript has the last 40 lines, and says how many come before', () => {
  const given = {
    entries: entries(
      ...Array.from({ length: 50 }, (_, at) => [at, http('GET', `/users/${at}`, undefined, 200)] as const),
    ),
    dropped: 1,
  };
  const lines = (options = {}): readonly string[] => transcriptText(given, options).trimEnd().split('\n');
  expect(lines().slice(0, 3)).toEqual([
    '… 1 entry before',
    '… 10 lines before; a full transcript has them',
    '10:00:00.010  http      GET /api/v10/users/10 200',
  ]);
  expect(lines()).toHaveLength(42);
  expect(lines({ lines: 1 }).slice(1)).toEqual([
    '… 49 lines before; a full transcript has them',
    '10:00:00.049  http      GET /api/v10/users/49 200',
  ]);
  expect(lines({ full: true })).toHaveLength(51);
  expect(transcriptText({ entries: [] })).toBe('');
});

it('a transcript has the times of the emulator, whose clock jumps, stands and runs', () => {
  const clock = (from: string, to: string, frozen: boolean): Passed => ({ kind: 'clock', from, to, frozen });
  const request = http('GET', '/gateway', undefined, 200);
  const text = transcriptText({
    entries: entries(
      // The emulator is a day ahead from the beginning.
      [0, request],
      [1000, clock('2026-12-01T10:00:01.000Z', '2026-12-01T10:15:01.000Z', false)],
      [2000, request],
      [3000, clock('2026-12-01T10:15:03.000Z', '2026-12-01T10:15:03.000Z', true)],
      [9000, request],
      [9500, clock('2026-12-01T10:15:03.000Z', '2026-12-01T10:15:03.000Z', false)],
      [9600, request],
    ),
  });
  expect(text).toBe(
    [
      '10:00:00.000  http      GET /api/v10/gateway 200',
      '10:15:01.000  clock     clock: 2026-12-01T10:00:01.000Z to 2026-12-01T10:15:01.000Z',
      '10:15:02.000  http      GET /api/v10/gateway 200',
      '10:15:03.000  clock     clock, standing: 2026-12-01T10:15:03.000Z',
      '10:15:03.000  http      GET /api/v10/gateway 200',
      '10:15:03.000  clock     clock: 2026-12-01T10:15:03.000Z',
      '10:15:03.100  http      GET /api/v10/gateway 200',
      '',
    ].join('\n'),
  );
});
