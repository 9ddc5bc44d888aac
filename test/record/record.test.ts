import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { entryLine, trafficText } from '../../src/journal/format.ts';
import { playClient } from '../../src/record/client.ts';
import { diffText, payloadDifferences } from '../../src/record/compare.ts';
import { readRecord } from '../../src/record/read.ts';
import { SharedDeadline } from '../../src/record/shared-deadline.ts';
import { collectAllTheTime } from '../helpers/collecting.ts';

const frame = (direction: 'in' | 'out', payload: object, seq: number): JournalEntry => {
  const text = JSON.stringify(payload);
  return { kind: 'frame', session: 's', direction, opcode: 1, text, bytes: text.length, seq, at: 1000 + seq };
};
const CONNECT: JournalEntry = { kind: 'connect', session: 's', over: 'ipc', seq: 1, at: 1000 };
const ASK = frame('in', { cmd: 'GET_GUILDS', args: {}, nonce: '1' }, 2);

const EXCHANGE = {
  kind: 'http',
  method: 'GET',
  path: '/api/users/@me',
  status: 200,
  ms: 1,
  request: { headers: { authorization: 'Bearer [hidden]' }, bytes: 0 },
  response: { headers: { 'content-type': 'application/json' }, body: '{"id":"1"}', bytes: 10 },
  seq: 4,
  at: 1004,
} as const satisfies JournalEntry;

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fb-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'talk.ndjson');
  writeFileSync(path, text);
  return path;
}

const whole = linesOf([CONNECT, ASK]);

function linesOf(entries: readonly JournalEntry[]): readonly string[] {
  return trafficText(entries, 'emulator').split(/(?<=\n)/);
}

const endLine = (entries: number): string => `{"end":{"entries":${entries}}}\n`;

describe('a record', () => {
  it('is read as it was written', async () => {
    const { core, entries, secrets } = await readRecord(file(whole.join('')));
    expect(core).toBe('emulator');
    expect(entries).toEqual([CONNECT, ASK]);
    expect(secrets).toEqual([]);
  });
  it.each([
    ['nothing', '', ': is empty'],
    ['another file', 'hello\n', ': is no record of Footbridge'],
    ['another JSON', '{"a":1}\n', ': is no record of Footbridge'],
    ['bytes', '\0\u0001\n', ': is no record of Footbridge'],
    ['another version', (whole[0] ?? '').replace('"version":2', '"version":9'), 'has the version 9'],
    ['cut off between lines', whole.slice(0, 3).join(''), 'breaks off after line 3'],
    ['cut off in a line', whole.join('').slice(0, 200), 'breaks off in line 3'],
    [
      'with a line too few',
      [whole[0], whole[1], whole[3]].join(''),
      'has 1 entries, and its last line says 2',
    ],
    ['with a line behind its end', `${whole.join('')}${whole[1]}`, ':5: the line stands behind the end'],
    [
      'of an unknown kind',
      [whole[0], '{"kind":"x","seq":1,"at":1}\n', whole[3]].join(''),
      ':2: the line has no kind',
    ],
    [
      'with a frame without text',
      [whole[0], '{"kind":"frame","seq":1,"at":1}\n'].join(''),
      ':2: the line has no session',
    ],
    ...(
      [
        [
          'with a direction that is none',
          { kind: 'frame', session: 's', direction: 'up', opcode: 1, text: '' },
          'a wrong direction',
        ],
        [
          'with an opcode that is none',
          { kind: 'frame', session: 's', direction: 'in', opcode: 1e99, text: '' },
          'a wrong opcode',
        ],
        ['with a request without headers', { ...EXCHANGE, request: {} }, 'no request.headers'],
        ['with no answer', { ...EXCHANGE, response: undefined }, 'no response'],
        ['with a method that is none', { ...EXCHANGE, method: 'GET /\r\n' }, 'a wrong method'],
        ['with a status that is none', { ...EXCHANGE, status: 7 }, 'a wrong status'],
        [
          'with a header of two lines',
          { ...EXCHANGE, response: { headers: { 'content-type': 'a\r\nb: c' }, bytes: 0 } },
          'a wrong response.headers.content-type',
        ],
      ] as const
    ).map(([what, entry, place]) => [
      what,
      [whole[0], `${JSON.stringify({ ...entry, seq: 1, at: 1 })}\n`, endLine(1)].join(''),
      `:2: the line has ${place}`,
    ]),
  ])('that is %s is refused with the position of the error', async (_, text, problem) => {
    await expect(readRecord(file(text))).rejects.toMatchObject({
      code: 'FOOTBRIDGE_RECORD',
      message: expect.stringContaining(problem) as string,
    });
  });
  it('with an inserted secret is read without the secret, and the line is reported', async () => {
    const secret = frame('in', { cmd: 'AUTHENTICATE', args: { access_token: 'kept0secret' }, nonce: '1' }, 2);
    const read = await readRecord(file([whole[0], whole[1], entryLine(secret), whole[3]].join('')));
    expect(read.secrets).toEqual([3]);
    expect(JSON.stringify(read)).not.toContain('kept0secret');
  });
});

describe('traffic of another layout', () => {
  it('is read as a record of version 1', async () => {
    const header =
      '{"footbridge":"record","version":1,"core":"upstream","began":"2026-01-01T00:00:00.000Z"}\n';
    const read = await readRecord(file([header, ...whole.slice(1)].join('')));
    expect(read).toEqual({ core: 'upstream', entries: [CONNECT, ASK], secrets: [] });
  });
  it('is read as a stream without header and end, with a line for dropped entries', async () => {
    const lines = ['{"kind":"dropped","entries":3}\n', entryLine(CONNECT), entryLine(ASK)];
    expect(await readRecord(file(lines.join('')))).toEqual({
      core: undefined,
      entries: [CONNECT, ASK],
      secrets: [],
    });
  });
  it('is read as a transcript of the previous version', async () => {
    const on = { connection: 1, transport: 'ipc' };
    const payload = { cmd: 'GET_GUILDS', args: {}, nonce: '1' };
    const answer = { cmd: 'GET_GUILDS', data: { guilds: [] }, evt: null, nonce: '1' };
    const lines = [
      { ms: 1, ...on, from: 'app', kind: 'handshake', payload: { v: 1, client_id: '7' } },
      { ms: 2, ...on, from: 'app', kind: 'request', payload },
      { ms: 3, ...on, from: 'bridge', kind: 'answer', payload: answer },
      { ms: 4, kind: 'http', method: 'POST', path: '/api/oauth2/token', status: 200 },
      { ms: 5, kind: 'doubt', application: '7', field: 'activity.name', reason: 'is empty' },
      { ms: 6, ...on, from: 'bridge', kind: 'close', payload: { code: 1000, message: 'bye' } },
      { ms: 7, ...on, from: 'app', kind: 'end' },
      { ms: 8, kind: 'missing', what: 'GET /x', times: 2 },
    ];
    const { entries } = await readRecord(file(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    expect(entries).toMatchObject([
      { seq: 1, at: 1, kind: 'connect', session: 'c1', over: 'ipc' },
      {
        seq: 2,
        at: 1,
        kind: 'frame',
        session: 'c1',
        direction: 'in',
        opcode: 0,
        text: '{"v":1,"client_id":"7"}',
      },
      { at: 2, direction: 'in', opcode: 1, text: JSON.stringify(payload) },
      { at: 3, direction: 'out', opcode: 1, text: JSON.stringify(answer) },
      { kind: 'warning', message: 'activity.name: is empty' },
      { kind: 'close', session: 'c1', code: 1000, message: 'bye' },
      { kind: 'end', session: 'c1' },
      { kind: 'missing', what: 'GET /x', times: 2 },
    ]);
  });
  it.each([
    [{ ms: 1, kind: 'nothing' }, ':1: the line has no kind'],
    [
      { ms: 1, connection: 1, transport: 'ipc', from: 'bridge', kind: 'close', payload: 7 },
      ':1: the line has no code',
    ],
    [{ ms: 1, connection: 1, kind: 'broken', message: 5 }, ':1: the line has no over'],
    [{ ms: 1, kind: 'missing', what: 5, times: 1 }, ':1: the line has a wrong what'],
  ])('that is invalid (%j) is refused with the position of the error', async (line, problem) => {
    await expect(readRecord(file(`${JSON.stringify(line)}\n`))).rejects.toMatchObject({
      code: 'FOOTBRIDGE_RECORD',
      message: expect.stringContaining(problem) as string,
    });
  });
});

describe('the comparison of payloads', () => {
  it.each([
    ['the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['nonces and process ids', { nonce: '1', args: { pid: 1 } }, { nonce: '2', args: { pid: 2 } }],
    ['what stands for a secret', { access_token: '[hidden]' }, { access_token: 'abc' }],
    [
      'times of an activity',
      { activity: { timestamps: { start: 1 } } },
      { activity: { timestamps: { start: 2 } } },
    ],
    [
      'what guards a login',
      { cmd: 'AUTHORIZE', args: { state: 'a' } },
      { cmd: 'AUTHORIZE', args: { state: 'b' } },
    ],
  ])('ignores %s', (_, was, is) => {
    expect(payloadDifferences(was, is)).toEqual([]);
  });
  it('reports every other difference with its path', () => {
    const was = { cmd: 'SET_ACTIVITY', args: { activity: { state: 'a', party: { size: [1, 2] } } } };
    const is = { cmd: 'SET_ACTIVITY', args: { activity: { state: 'b', party: { size: [1] } }, more: 1 } };
    const differences = payloadDifferences(was, is);
    expect(differences).toEqual([
      { at: 'args.activity.state', was: 'a', is: 'b' },
      { at: 'args.activity.party.size.1', was: 2, is: undefined },
      { at: 'args.more', was: undefined, is: 1 },
    ]);
    expect(diffText([{ what: 'connection 1: SET_ACTIVITY from the app', differences }])).toBe(
      [
        '@@ connection 1: SET_ACTIVITY from the app @@',
        '-args.activity.state: "a"',
        '+args.activity.state: "b"',
        '-args.activity.party.size.1: 2',
        '+args.more: 1',
        '',
      ].join('\n'),
    );
  });
});

describe('a server that behaves differently', () => {
  it.each([
    ['says nothing', () => {}],
    ['hangs up', (socket: { destroy(): void }) => socket.destroy()],
    ['says nonsense', (socket: { write(text: string): void }) => socket.write('nonsense, and more of it')],
  ])('and %s is reported as a mismatch, and the replay does not hang', async (_, behave) => {
    const folder = mkdtempSync(join(tmpdir(), 'fb-record-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const endpoint = join(folder, 'discord-ipc-0');
    const server = createServer((socket) => {
      socket.on('error', () => {});
      behave(socket);
    });
    await new Promise<void>((resolve) => server.listen(endpoint, resolve));
    onTestFinished(() => void server.close());
    const answer = frame('out', { cmd: 'GET_GUILDS', data: { guilds: [] }, evt: null, nonce: '1' }, 3);
    const found = await playClient([CONNECT, ASK, answer], {
      endpoint,
      api: undefined,
      timing: false,
      timeoutMs: 200,
    });
    expect(found).toMatchObject([{ what: 'connection 1: GET_GUILDS from the server' }]);
  });
});

describe('an HTTP API that behaves differently', () => {
  const address = (server: Server): string =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const play = async (api: string, entries: readonly JournalEntry[] = [EXCHANGE], patienceMs = 200) =>
    playClient(entries, { endpoint: '/nowhere', api, timing: false, timeoutMs: patienceMs });
  async function listening(behave: (socket: Socket) => void): Promise<Server> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => behave(socket));
    });
    const open = new Set<Socket>();
    server.on('connection', (socket) => open.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
      server.close();
    });
    return server;
  }

  it.each([
    ['says nothing', () => {}],
    ['hangs up', (socket: Socket) => socket.destroy()],
    ['says nonsense', (socket: Socket) => socket.write('nonsense, and more of it\r\n\r\n')],
    [
      'stops in the middle',
      (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id":'),
    ],
    ['breaks off', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id":')],
  ])('and %s is reported as a mismatch, and the replay does not hang', async (_, behave) => {
    collectAllTheTime();
    const found = await play(address(await listening(behave)));
    expect(found).toMatchObject([
      { what: 'HTTP GET /api/users/@me', differences: [{ at: '', is: undefined }] },
    ]);
  });

  it('and is not running is reported with its address', async () => {
    const server = await listening(() => {});
    const api = address(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(play(api)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_RECORD',
      message: `${new URL(api).origin}: nobody listens there (ECONNREFUSED). Start the server first, or name the address of its HTTP API with --api.`,
    });
  });

  it('and nests its answer too deep is reported as a difference', async () => {
    const body = '['.repeat(200_000) + ']'.repeat(200_000);
    const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
    const found = await play(address(await listening((socket) => socket.end(answer))), [EXCHANGE], 5000);
    expect(found).toMatchObject([{ differences: [{ at: 'body' }] }]);
  });

  it.each(['@127.0.0.1:PORT/steal', 'http://127.0.0.1:PORT/steal', '.example/steal', ''])(
    'is not contacted for a recorded path that leads elsewhere, and neither is another server: %j',
    async (path) => {
      let asked = 0;
      const other = await listening(() => {
        asked += 1;
      });
      const { port } = other.address() as AddressInfo;
      const api = address(
        await listening(() => {
          asked += 1;
        }),
      );
      const found = await play(api, [{ ...EXCHANGE, path: path.replace('PORT', String(port)) }]);
      expect(found).toMatchObject([{ differences: [{ at: 'path', is: undefined }] }]);
      expect(asked).toBe(0);
    },
  );
});

it('the deadline of a silent server shrinks to a tenth until the server answers', () => {
  const patience = new SharedDeadline(1000);
  expect(patience.ms).toBe(1000);
  patience.inVain();
  patience.inVain();
  expect(patience.ms).toBe(100);
  patience.answered();
  expect(patience.ms).toBe(1000);
});
