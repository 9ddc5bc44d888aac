import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { playClient } from '../../src/record/client.ts';
import { diffText, payloadDifferences } from '../../src/record/compare.ts';
import { endLine, entryLine, headerLine } from '../../src/record/format.ts';
import { readRecord } from '../../src/record/read.ts';

const frame = (direction: 'in' | 'out', payload: object, seq: number): JournalEntry => {
  const text = JSON.stringify(payload);
  return { kind: 'frame', session: 's', direction, opcode: 1, text, bytes: text.length, seq, at: 1000 + seq };
};
const CONNECT: JournalEntry = { kind: 'connect', session: 's', over: 'ipc', seq: 1, at: 1000 };
const ASK = frame('in', { cmd: 'GET_GUILDS', args: {}, nonce: '1' }, 2);

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fb-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'talk.ndjson');
  writeFileSync(path, text);
  return path;
}

const whole = [headerLine('emulator'), entryLine(CONNECT), entryLine(ASK), endLine(2)];

describe('a record', () => {
  it('is read as it was written', async () => {
    const { header, entries, secrets } = await readRecord(file(whole.join('')));
    expect(header).toMatchObject({ footbridge: 'record', version: 1, core: 'emulator' });
    expect(entries).toEqual([CONNECT, ASK]);
    expect(secrets).toEqual([]);
  });
  it.each([
    ['nothing', '', ': is empty'],
    ['another file', 'hello\n', ': is no record of Footbridge'],
    ['another JSON', '{"a":1}\n', ': is no record of Footbridge'],
    ['bytes', '\0\u0001\n', ': is no record of Footbridge'],
    ['another version', headerLine('emulator').replace('"version":1', '"version":9'), 'has the version 9'],
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
  ])('that is %s is refused with its place', async (_, text, problem) => {
    await expect(readRecord(file(text))).rejects.toMatchObject({
      code: 'FOOTBRIDGE_RECORD',
      message: expect.stringContaining(problem) as string,
    });
  });
  it('with a secret that somebody put in is read without it, and the line is told', async () => {
    const secret = frame('in', { cmd: 'AUTHENTICATE', args: { access_token: 'kept0secret' }, nonce: '1' }, 2);
    const read = await readRecord(file([whole[0], whole[1], entryLine(secret), whole[3]].join('')));
    expect(read.secrets).toEqual([3]);
    expect(JSON.stringify(read)).not.toContain('kept0secret');
  });
});

describe('what is compared', () => {
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
  ])('passes over %s', (_, was, is) => {
    expect(payloadDifferences(was, is)).toEqual([]);
  });
  it('and finds the rest, with its place', () => {
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

describe('a server that is not what it was', () => {
  it.each([
    ['says nothing', () => {}],
    ['hangs up', (socket: { destroy(): void }) => socket.destroy()],
    ['says nonsense', (socket: { write(text: string): void }) => socket.write('nonsense, and more of it')],
  ])('and %s is a mismatch, not a hang', async (_, behave) => {
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
      patienceMs: 200,
    });
    expect(found).toMatchObject([{ what: 'connection 1: GET_GUILDS from the server' }]);
  });
});
