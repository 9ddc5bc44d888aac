import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GET_VOICE_SETTINGS } from '../../src/protocol/commands/voice.ts';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { MAX_SENT_BYTES } from '../../src/protocol/payload.ts';
import { encodeAnswer, encodeReply } from '../../src/session/result.ts';

const payload = (data: unknown) => ({ cmd: 'GET_CHANNEL', data, evt: null, nonce: 'n' });
const decode = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));
const tooLarge = expect.objectContaining({ name: 'RpcError', code: ErrorCode.UNKNOWN_ERROR });

/** A body of exactly `bytes` bytes. */
function dataOf(bytes: number): string {
  return 'x'.repeat(bytes - JSON.stringify(payload('')).length);
}

describe('without a list to shorten', () => {
  it('takes 60,000 bytes and refuses one more', () => {
    expect(encodeReply(payload(dataOf(MAX_SENT_BYTES)), undefined).body.byteLength).toBe(60_000);
    expect(() => encodeReply(payload(dataOf(MAX_SENT_BYTES + 1)), undefined)).toThrow(tooLarge);
  });
  it('counts bytes, not characters', () => {
    expect(() => encodeReply(payload('漢'.repeat(20_000)), undefined)).toThrow(tooLarge);
  });
});

describe('an answer that is kept', () => {
  const request = { cmd: 'GET_VOICE_SETTINGS', args: {}, evt: undefined, nonce: '"n"' };
  const { textOf } = GET_VOICE_SETTINGS;
  const answer = (data: unknown, vouched: boolean) =>
    decode(encodeAnswer(request, { ...(textOf ? { textOf } : {}) }, data, vouched).body);
  const envelope = { cmd: request.cmd, evt: null, nonce: request.nonce };

  it('is made JSON of once, as long as it is the same object', () => {
    let made = 0;
    const settings = { toJSON: () => ({ made: ++made, text: 'é"' }) };
    for (let n = 0; n < 3; n++)
      expect(answer(settings, true)).toStrictEqual({ ...envelope, data: { made: 1, text: 'é"' } });
    expect(answer({ ...settings }, true).data.made).toBe(2);
  });
  it('is made anew where nobody vouches that it stays what it is', () => {
    const settings = { mute: false };
    expect(answer(settings, false).data).toEqual({ mute: false });
    settings.mute = true;
    expect(answer(settings, false)).toStrictEqual({ ...envelope, data: { mute: true } });
  });
  it('has the bound of any other', () => {
    expect(() => answer({ text: 'x'.repeat(MAX_SENT_BYTES) }, true)).toThrow(tooLarge);
  });
});

describe('with one', () => {
  const messages = Array.from({ length: 500 }, (_, i) => ({ id: String(i), content: 'm'.repeat(i) }));
  const ids = (data: { messages: { id: string }[] }) => data.messages.map(({ id }) => Number(id));

  it.each(['first', 'last'] as const)('keeps the %s entries, and the rest of the data', (keep) => {
    const frame = encodeReply(payload({ id: '7', messages, name: 'c' }), { list: 'messages', keep });
    const answer = decode(frame.body);
    expect(frame.body.byteLength).toBeLessThanOrEqual(MAX_SENT_BYTES);
    expect(Object.keys(answer)).toEqual(['cmd', 'data', 'evt', 'nonce']);
    expect(answer.data).toMatchObject({ id: '7', name: 'c' });
    const kept = ids(answer.data);
    expect(kept.length).toBeGreaterThan(0);
    const all = messages.map((_, i) => i);
    expect(kept).toEqual(keep === 'last' ? all.slice(-kept.length) : all.slice(0, kept.length));
  });
  it('leaves what fits alone', () => {
    const data = { messages: messages.slice(0, 10) };
    expect(decode(encodeReply(payload(data), { list: 'messages', keep: 'last' }).body).data).toEqual(data);
  });
  it('keeps none when a single entry is too large', () => {
    const data = { messages: ['x'.repeat(70_000)] };
    expect(decode(encodeReply(payload(data), { list: 'messages', keep: 'last' }).body).data).toEqual({
      messages: [],
    });
  });
  it.each([
    ['null', null],
    ['a list', ['x'.repeat(70_000)]],
    ['no list of that name', { messages: 'x'.repeat(70_000) }],
    ['too much besides the list', { messages: [1, 2], more: 'x'.repeat(70_000) }],
  ])('copes with data that is %s', (_name, data) => {
    const encode = () => encodeReply(payload(data), { list: 'messages', keep: 'last' });
    if (data === null) expect(decode(encode().body).data).toBeNull();
    else expect(encode).toThrow(tooLarge);
  });
  it('never changes the data it was given', () => {
    const data = { messages: [...messages] };
    encodeReply(payload(data), { list: 'messages', keep: 'first' });
    expect(data.messages).toHaveLength(500);
  });
  it('fits, whatever the sizes of the entries', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, fc.constantFrom('first' as const, 'last' as const), (lengths, keep) => {
        const list = lengths.map((length) => 'é'.repeat(length / 2));
        const frame = encodeReply(payload({ list }), { list: 'list', keep });
        expect(frame.body.byteLength).toBeLessThanOrEqual(MAX_SENT_BYTES);
        const kept: string[] = decode(frame.body).data.list;
        expect(kept).toEqual(
          keep === 'first' ? list.slice(0, kept.length) : list.slice(list.length - kept.length),
        );
      }),
      { numRuns: 50 },
    );
  });
});
