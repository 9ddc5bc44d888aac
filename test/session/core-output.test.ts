import { describe, expect, it } from 'vitest';
import type { CoreSession } from '../../src/core/core.ts';
import { isSession } from '../../src/core/is-session.ts';
import { checkedEvent, closeCore, refusalOf, sendable } from '../../src/session/core-output.ts';
import { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode } from '../../src/wire/codes.ts';

describe('an error that a core throws', () => {
  it('is sent unchanged where every transport can carry it', () => {
    const error = new CloseError(CloseCode.TOKEN_REVOKED, 'Token revoked', { detail: 'for the log' });
    expect(sendable(error)).toMatchObject({ code: 4003, message: 'Token revoked', detail: 'for the log' });
  });
  it.each([
    ['another code', Object.assign(new CloseError(CloseCode.NORMAL, 'Bye'), { code: 4999 }), 1006, 'Bye'],
    ['too long a text', new CloseError(CloseCode.NORMAL, 'x'.repeat(1001)), 1000, 'x'.repeat(1000)],
    ['a message that is no text', Object.assign(new CloseError(1000, ''), { message: 7 }), 1000, ''],
  ])('is corrected before it is sent when it has %s', (_, error, code, message) => {
    const sent = sendable(error);
    expect([sent.code, sent.message, sent.detail]).toEqual([code, message, undefined]);
  });
  it('reveals nothing to the peer when it is no CloseError', () => {
    expect(refusalOf(new Error('secret'))).toMatchObject({
      code: CloseCode.ABNORMAL,
      message: 'The client cannot be reached',
    });
    expect(refusalOf(new CloseError(CloseCode.INVALID_CLIENT_ID, 'Unknown'))).toMatchObject({ code: 4000 });
  });
});

describe('the session object of a core', () => {
  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('that %s in close() is reported', async (_, close) => {
    const reported: unknown[] = [];
    closeCore({ close, handlers: {} } as unknown as CoreSession, (error) => reported.push(error));
    await Promise.resolve();
    expect(reported).toEqual([new Error('no')]);
  });
  it.each<[string, boolean, unknown]>([
    ['handlers and close', true, { handlers: {}, close() {} }],
    ['a getter of handlers', true, Object.defineProperty({ close() {} }, 'handlers', { get: () => 1 })],
    ['inherited handlers', true, Object.create({ handlers: {}, close() {} })],
    ['no close', false, { handlers: {} }],
    ['no handlers', false, { close() {} }],
    ['handlers that are no object', false, { handlers: 7, close() {} }],
  ])('with %s is a session: %s', (_, expected, value) => {
    expect(isSession(value)).toBe(expected);
  });
  it.each([undefined, null, 7, 'session'])('that is %s is no session', (value) => {
    expect(isSession(value)).toBe(false);
  });
});

describe('an event of a core', () => {
  it.each<[string, string, unknown, string]>([
    ['has no such name', 'NO_SUCH_EVENT', {}, 'there is no such event'],
    ['has another shape', 'VOICE_CHANNEL_SELECT', { channel_id: 7 }, 'its data has the wrong shape'],
    [
      'cannot be read',
      'VOICE_CHANNEL_SELECT',
      {
        get channel_id() {
          throw new Error('no');
        },
      },
      'its data is no JSON',
    ],
  ])('that %s is dropped with the reason', (_, evt, data, reason) => {
    expect(checkedEvent(evt as 'VOICE_CHANNEL_SELECT', data)).toBe(reason);
  });
  it('of the declared shape becomes a frame', () => {
    const frame = checkedEvent('VOICE_CHANNEL_SELECT', { channel_id: '1', guild_id: null });
    expect(typeof frame === 'string' ? frame : JSON.parse(Buffer.from(frame.body).toString())).toEqual({
      cmd: 'DISPATCH',
      data: { channel_id: '1', guild_id: null },
      evt: 'VOICE_CHANNEL_SELECT',
      nonce: null,
    });
  });
});
