import { describe, expect, it } from 'vitest';
import { requestOf } from '../../../src/daemon/resend/frame.ts';
import { ownResend } from '../../../src/daemon/resend/own-resend.ts';
import { applicationOf } from '../../../src/daemon/resend/session-application.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { Journal } from '../../../src/journal/journal.ts';
import { Opcode } from '../../../src/wire/codes.ts';

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const frame = (text: string): Extract<JournalEntry, { kind: 'frame' }> => ({
  kind: 'frame',
  session: 's',
  direction: 'in',
  opcode: Opcode.FRAME,
  text,
  bytes: text.length,
  seq: 1,
  at: 1,
});
const caller = { via: 'control' } as const;

describe('the request of a frame that is sent again', () => {
  it.each([
    ['was too large for the journal', undefined, {}, 'CUT'],
    ['is no JSON', Buffer.from('{'), {}, 'CUT'],
    ['is no object', bytes([1]), {}, 'CUT'],
    ['names no command', bytes({ args: {} }), {}, 'CUT'],
    [
      'names two commands, of which the last counts',
      Buffer.from('{"cmd":"SET_ACTIVITY","cmd":"AUTHENTICATE"}'),
      {},
      'SESSION',
    ],
  ])('is refused where the frame %s', (_, body, edits, reason) => {
    expect(() => requestOf(frame('x'), { kind: 'frame', body }, { seq: 1, ...edits })).toThrow(
      expect.objectContaining({ code: `FOOTBRIDGE_RESEND_${reason}` }) as Error,
    );
  });

  it('has each digit of a large number, and a nonce of its own', () => {
    const text = '{"cmd":"SET_ACTIVITY","args":{"id":12345678901234567890},"nonce":"n"}';
    const request = requestOf(frame(text), { kind: 'frame', body: Buffer.from(text) }, { seq: 1 });
    expect(request).toMatch(
      /^\{"cmd":"SET_ACTIVITY","args":\{"id":12345678901234567890\},"nonce":"[0-9a-f-]{36}"\}$/,
    );
  });

  it('has no arguments of another command', () => {
    const text = '{"cmd":"SET_ACTIVITY","args":{"pid":1},"evt":"X"}';
    const request = requestOf(
      frame(text),
      { kind: 'frame', body: Buffer.from(text) },
      { seq: 1, command: 'SUBSCRIBE' },
    );
    expect(JSON.parse(request)).toEqual({ cmd: 'SUBSCRIBE', args: {}, nonce: expect.any(String) as string });
  });
});

describe('the application of a session', () => {
  const handshake = { opcode: Opcode.HANDSHAKE, body: bytes({ v: 1, client_id: '42' }) };
  const live = { id: 's', clientId: '7', endpoint: null };

  it.each([
    ['the server', [live], '7'],
    ['the HANDSHAKE in the journal', [], '42'],
    ['the HANDSHAKE in the journal while the server reads it', [{ ...live, clientId: null }], '42'],
  ])('is that of %s', (_, sessions, application) => {
    const journal = new Journal();
    journal.addFrame('other', 'in', { ...handshake, body: bytes({ client_id: '1' }) });
    journal.addFrame('s', 'in', handshake);
    expect(applicationOf('s', sessions, journal)).toBe(application);
  });

  it('is not known once its HANDSHAKE has left the journal', () => {
    const journal = new Journal({ entries: 1 });
    journal.addFrame('s', 'in', handshake);
    journal.addFrame('s', 'in', { opcode: Opcode.FRAME, body: bytes({ client_id: '42' }) });
    expect(() => applicationOf('s', [], journal)).toThrow(
      expect.objectContaining({ code: 'FOOTBRIDGE_RESEND_APPLICATION' }) as Error,
    );
  });

  it.each([
    ['is connected', [{ ...live, endpoint: 'music' }]],
    ['was connected', []],
  ])('is of no use where the app %s at an endpoint with rights of its own', (_, sessions) => {
    const journal = new Journal();
    journal.add({ kind: 'connect', session: 's', over: 'ipc', entrance: 'endpoint "music"' });
    journal.addFrame('s', 'in', handshake);
    expect(() => applicationOf('s', sessions, journal)).toThrow(
      expect.objectContaining({ code: 'FOOTBRIDGE_RESEND_ENDPOINT' }) as Error,
    );
  });
});

describe('a bridge', () => {
  const options = { sessions: () => [], coreApi: () => undefined, platform: undefined, uid: 0 };

  it.each([undefined, off()])('without a journal sends nothing again', async (journal) => {
    await expect(ownResend({ ...options, journal }).send({ seq: 1 }, caller)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_JOURNAL',
    });
  });

  it('without an emulator sends no request over HTTP and no webhook again', async () => {
    const journal = new Journal();
    const part = { headers: {}, bytes: 0 };
    journal.add({
      kind: 'http',
      method: 'GET',
      path: '/',
      status: 200,
      ms: 1,
      request: part,
      response: part,
    });
    journal.add({
      kind: 'webhook',
      application: '1',
      delivery: '2',
      type: 'PING',
      url: 'http://127.0.0.1/',
      ms: 1,
      text: '',
      outcome: { kind: 'answered', status: 204 },
    });
    for (const seq of [1, 2])
      await expect(ownResend({ ...options, journal }).send({ seq }, caller)).rejects.toMatchObject({
        code: 'FOOTBRIDGE_RESEND_KIND',
      });
  });
});

function off(): Journal {
  const journal = new Journal();
  journal.turn('off');
  return journal;
}
