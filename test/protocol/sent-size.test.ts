import { expect, it } from 'vitest';
import { maxSentBytes, requireSendable, tooLarge } from '../../src/protocol/sent-size.ts';
import { MAX_FRAME_BYTES } from '../../src/wire/frame.ts';

const SMALL = 60_000;
const MARGIN = 16 * 1024;

it.each([
  ['SET_ACTIVITY', SMALL],
  ['SUBSCRIBE', SMALL],
  ['UNSUBSCRIBE', SMALL],
  ['SEND_ACTIVITY_JOIN_INVITE', SMALL],
  ['CLOSE_ACTIVITY_JOIN_REQUEST', SMALL],
  ['CLOSE_ACTIVITY_REQUEST', SMALL],
  ['READY', SMALL],
  ['ERROR', SMALL],
  ['ACTIVITY_JOIN', SMALL],
  ['ACTIVITY_SPECTATE', SMALL],
  ['ACTIVITY_JOIN_REQUEST', SMALL],
  ['GET_GUILDS', MAX_FRAME_BYTES],
  ['', MAX_FRAME_BYTES],
  [null, MAX_FRAME_BYTES],
])('a body about %s has at most %i bytes', (name, bytes) => {
  expect(maxSentBytes(name)).toBe(bytes);
});

it.each([
  ['SET_ACTIVITY', SMALL],
  ['GET_GUILDS', MAX_FRAME_BYTES],
])('an effect of %s needs room for its answer and 16 KiB more', (cmd, max) => {
  // Two quotes; "é" has two bytes.
  const room = max - MARGIN - 2;
  expect(() => requireSendable(cmd, 'x'.repeat(room))).not.toThrow();
  for (const text of ['x'.repeat(room + 1), 'é'.repeat(room / 2 + 1)])
    expect(() => requireSendable(cmd, text)).toThrow(expect.objectContaining({ code: 1000 }) as Error);
});

it('the refusal of a large answer names the size, the limit and the subject', () => {
  expect(tooLarge('GET_GUILDS', 123).message).toMatch(new RegExp(`123.*${MAX_FRAME_BYTES}`));
});
