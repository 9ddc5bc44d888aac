import { describe, expect, it } from 'vitest';
import { GET_VOICE_SETTINGS } from '../../src/protocol/commands/voice.ts';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { encodeAnswer, encodeReply } from '../../src/session/result.ts';
import { MAX_FRAME_BYTES } from '../../src/wire/frame.ts';

const payload = (data: unknown) => ({ cmd: 'GET_CHANNEL', data, evt: null, nonce: 'n' });
const decode = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));
const tooLarge = expect.objectContaining({ name: 'RpcError', code: ErrorCode.UNKNOWN_ERROR });

/** Data with which the body has exactly `bytes` bytes. */
function dataOf(cmd: string, bytes: number): string {
  return 'x'.repeat(bytes - JSON.stringify({ ...payload(''), cmd }).length);
}

describe('the size of an answer', () => {
  it.each([
    ...['SET_ACTIVITY', 'SUBSCRIBE', 'UNSUBSCRIBE'].map((cmd) => [cmd, 60_000] as const),
    ...['SEND_ACTIVITY_JOIN_INVITE', 'CLOSE_ACTIVITY_JOIN_REQUEST', 'CLOSE_ACTIVITY_REQUEST'].map(
      (cmd) => [cmd, 60_000] as const,
    ),
    ...['GET_GUILDS', 'GET_IMAGE', 'SELECT_VOICE_CHANNEL', 'NO_SUCH'].map(
      (cmd) => [cmd, MAX_FRAME_BYTES] as const,
    ),
  ])('to %s is at most %i bytes', (cmd, most) => {
    const encode = (bytes: number) => encodeReply({ ...payload(dataOf(cmd, bytes)), cmd });
    expect(encode(most).body.byteLength).toBe(most);
    expect(() => encode(most + 1)).toThrow(tooLarge);
  });
  it('is counted in bytes, not characters', () => {
    expect(() => encodeReply({ ...payload('漢'.repeat(20_000)), cmd: 'SET_ACTIVITY' })).toThrow(tooLarge);
  });
});

describe('the stored text of an answer', () => {
  const request = { cmd: 'GET_VOICE_SETTINGS', args: {}, evt: undefined, nonce: '"n"' };
  const { textOf } = GET_VOICE_SETTINGS;
  const answer = (data: unknown, vouched: boolean) =>
    decode(encodeAnswer(request, { ...(textOf ? { textOf } : {}) }, data, vouched).body);
  const envelope = { cmd: request.cmd, evt: null, nonce: request.nonce };

  it('is encoded once while the core returns the same object', () => {
    let made = 0;
    const settings = { toJSON: () => ({ made: ++made, text: 'é"' }) };
    for (let n = 0; n < 3; n++)
      expect(answer(settings, true)).toStrictEqual({ ...envelope, data: { made: 1, text: 'é"' } });
    expect(answer({ ...settings }, true).data.made).toBe(2);
  });
  it('is encoded anew for a core that is not trusted', () => {
    const settings = { mute: false };
    expect(answer(settings, false).data).toEqual({ mute: false });
    settings.mute = true;
    expect(answer(settings, false)).toStrictEqual({ ...envelope, data: { mute: true } });
  });
  it('has the size limit of every answer', () => {
    expect(() => answer({ text: 'x'.repeat(MAX_FRAME_BYTES) }, true)).toThrow(tooLarge);
  });
});

it('answers to SET_ACTIVITY, errors included, are marked newestOnly', () => {
  const mark = (cmd: string) => encodeReply({ ...payload(null), cmd }).newestOnly;
  expect([mark('SET_ACTIVITY'), mark('GET_GUILDS'), mark('SUBSCRIBE')]).toEqual([true, undefined, undefined]);
});
