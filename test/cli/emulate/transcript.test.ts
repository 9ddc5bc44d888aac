import { expect, it } from 'vitest';
import { Transcript } from '../../../src/cli/emulate/transcript.ts';
import type { Passed } from '../../../src/journal/entry.ts';
import { Journal } from '../../../src/journal/journal.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import { encodeFrame } from '../../../src/wire/frame.ts';

/** A journal whose entries a transcript prints as they come. */
function scene() {
  const journal = new Journal();
  const transcript = new Transcript();
  const lines: string[] = [];
  journal.follow((entry) => {
    const line = transcript.line(entry);
    if (line !== undefined) lines.push(line);
  });
  const passed = (session: string, direction: 'in' | 'out', opcode: Opcode, body: unknown): void =>
    journal.addFrame(
      session,
      direction,
      encodeFrame(opcode, typeof body === 'string' ? body : JSON.stringify(body)),
    );
  const connects = (session: string, over: 'ipc' | 'gateway' = 'ipc'): void =>
    journal.add({ kind: 'connect', session, over });
  return { lines, passed, connects, add: (entry: Passed) => journal.add(entry) };
}

it('the transcript has a line for each handshake, request, response, event and close', () => {
  const { lines, passed, connects, add } = scene();
  connects('a');
  passed('a', 'in', Opcode.HANDSHAKE, { v: 1, client_id: '12' });
  passed('a', 'out', Opcode.FRAME, { cmd: 'DISPATCH', data: {}, evt: 'READY', nonce: null });
  passed('a', 'in', Opcode.PING, { x: 1 });
  passed('a', 'out', Opcode.PONG, { x: 1 });
  passed('a', 'in', Opcode.FRAME, { cmd: 'SUBSCRIBE', evt: 'GUILD_STATUS', args: {}, nonce: 'n1' });
  passed('a', 'out', Opcode.FRAME, { cmd: 'GET_GUILD', data: {}, evt: null, nonce: 'n1' });
  passed('a', 'out', Opcode.FRAME, { cmd: 'GET_GUILD', data: { code: 4003 }, evt: 'ERROR', nonce: 'n2' });
  add({ kind: 'close', session: 'a', code: 1000, message: 'bye' });
  expect(lines).toEqual([
    '#1 -> HANDSHAKE client_id=12\n',
    '#1 <- DISPATCH evt=READY\n',
    '#1 -> SUBSCRIBE evt=GUILD_STATUS nonce=n1\n',
    '#1 <- GET_GUILD nonce=n1 ok\n',
    '#1 <- GET_GUILD nonce=n2 ERROR 4003\n',
    '#1 <- CLOSE 1000 bye\n',
  ]);
});

it('the transcript numbers connections and their ends, and omits gateway connections', () => {
  const { lines, passed, connects, add } = scene();
  connects('a');
  connects('g1', 'gateway');
  connects('b');
  add({ kind: 'end', session: 'a' });
  add({ kind: 'end', session: 'g1' });
  add({ kind: 'broken', session: 'b', message: 'no frame' });
  passed('b', 'in', Opcode.CLOSE, { code: 1000 });
  add({ kind: 'missing', what: 'GET /x', times: 2 });
  expect(lines).toEqual([
    '#1 -> end of the connection\n',
    '#2 -> broken: no frame\n',
    '#2 -> CLOSE 1000\n',
    'not offered, answered 501: GET /x (2 times)\n',
  ]);
});

it('the transcript omits arguments, data and control characters', () => {
  const { lines, passed, connects } = scene();
  connects('a');
  passed('a', 'out', Opcode.FRAME, {
    cmd: 'AUTHENTICATE',
    data: { access_token: 'canary' },
    evt: null,
    nonce: '1',
  });
  passed('a', 'in', Opcode.FRAME, {
    cmd: 'A\u001b[2J\nB',
    args: { access_token: 'canary' },
    nonce: { x: 'canary' },
  });
  passed('a', 'in', Opcode.FRAME, ['canary']);
  passed('a', 'in', Opcode.FRAME, '{"canary');
  const text = lines.join('');
  expect(text).not.toContain('canary');
  expect(text).toContain('#1 -> A?[2J?B nonce=?\n');
  expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
});
