import { expect, it } from 'vitest';
import { findEnvelope } from '../../src/protocol/envelope.ts';

const find = (text: string) => findEnvelope(new TextEncoder().encode(text));

it.each([
  ['{"cmd":"A","nonce":"n"}', 'A', 'n'],
  ['{"nonce" :"n",\n"cmd"\n:\t"A"}', 'A', 'n'],
  ['{"cmd"\t \r\n:"A","nonce"\r:\r"n"}', 'A', 'n'],
  ['{"cmd":"A","cmd":"B"}', 'B', null],
  ['{"cmd":"\\u0041\\"","nonce":"\\\\"}', 'A"', '\\'],
  // Only strings, and only at the top.
  ['{"cmd":1,"nonce":null}', null, null],
  ['{"cmd":1,"x":"B"}', null, null],
  ['{"args":{"cmd":"B","nonce":"m"},"cmd":"A"}', 'A', null],
  ['{"args":["cmd","B"],"nonce":"n"}', null, 'n'],
  ['{"cmd":["B"],"nonce":"n"}', null, 'n'],
  ['{"evt":"cmd","x":"nonce"}', null, null],
  // Broken ones.
  ['{"cmd":"\\x","nonce":"n"}', null, 'n'],
  ['{"cmd":"A', null, null],
  ['"cmd":"A"', null, null],
  ['', null, null],
])('findEnvelope(%j) has cmd %j and nonce %j', (text, cmd, nonce) => {
  expect(find(text)).toEqual({ cmd, nonce });
});

it('findEnvelope finds strings of up to 8 KiB', () => {
  const longest = 'x'.repeat(8 * 1024 - 1);
  expect(find(`{"cmd":"${longest}"}`).cmd).toBe(longest);
  expect(find(`{"cmd":"${longest}x"}`).cmd).toBeNull();
});
