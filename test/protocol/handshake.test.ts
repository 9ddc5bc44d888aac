import { describe, expect, it } from 'vitest';
import { isSnowflake } from '../../src/base/snowflake.ts';
import { readHandshake } from '../../src/protocol/handshake.ts';
import { CloseCode } from '../../src/wire/codes.ts';

const read = (text: string) => readHandshake(new TextEncoder().encode(text));

const ID = '207646673902501888';

/** The close code and message that a handshake earns. */
function refusal(text: string): { code: number; message: string } | undefined {
  try {
    read(text);
  } catch (error) {
    const { code, message } = error as { code: number; message: string };
    return { code, message };
  }
  return undefined;
}

describe('a handshake of a real client [§9 case 2]', () => {
  it.each([
    ['the usual', `{"v":1,"client_id":"${ID}"}`],
    ['v as a string', `{"v":"1","client_id":"${ID}"}`],
    ['no v', `{"client_id":"${ID}"}`],
    ['a nonce', `{"v":1,"client_id":"${ID}","nonce":"x"}`],
    [
      'keys of embedded apps',
      `{"v":1,"client_id":"${ID}","encoding":"json","frame_id":"a","sdk_version":"1.0"}`,
    ],
    ['a repeated key, of which the last counts', `{"client_id":"no","v":2,"v":1,"client_id":"${ID}"}`],
    ['white space', ` {\n"v" : 1 ,\t"client_id":"${ID}"} \r\n`],
    ['a key named __proto__', `{"__proto__":{"v":2},"client_id":"${ID}"}`],
  ])('is accepted: %s', (_name, text) => {
    expect(read(text)).toEqual({ clientId: ID });
  });
});

describe('a handshake that is not a JSON object', () => {
  it.each(['null', '[]', '1', '""', 'true', `["${ID}"]`])('is closed with 1003: %s', (text) => {
    expect(refusal(text)).toEqual({
      code: CloseCode.UNSUPPORTED,
      message: 'A handshake must be a JSON object',
    });
  });
  it.each(['', '{', '\ufeff{}', '{"v":1}\0'])('is closed with 1003 as invalid JSON: %j', (text) => {
    expect(refusal(text)).toMatchObject({ code: CloseCode.UNSUPPORTED });
  });
});

describe('a version that is not 1', () => {
  it.each([
    '2',
    '0',
    '-1',
    '1.5',
    '"2"',
    '"01"',
    '" 1"',
    '"1.0"',
    'null',
    'true',
    '[1]',
    '{}',
    '""',
    '1e999',
  ])('is closed with 4004: %s', (v) => {
    expect(refusal(`{"v":${v},"client_id":"${ID}"}`)).toEqual({
      code: CloseCode.INVALID_VERSION,
      message: 'Unsupported protocol version: v must be 1',
    });
  });
  it('is reported before an invalid client_id', () => {
    expect(refusal('{"v":2,"client_id":"x"}')).toMatchObject({ code: CloseCode.INVALID_VERSION });
  });
  it('is not read from a prototype', () => {
    expect(read(`{"__proto__":{"v":2},"client_id":"${ID}"}`)).toEqual({ clientId: ID });
    expect(refusal(`{"__proto__":{"client_id":"${ID}"}}`)).toMatchObject({ message: 'client_id is missing' });
  });
});

describe('a client_id', () => {
  it.each(['{"v":1}', '{"v":1,"client_id":null}', '{"v":1,"client_id":""}'])(
    'that is missing is refused: %s',
    (text) => {
      expect(refusal(text)).toEqual({ code: CloseCode.INVALID_CLIENT_ID, message: 'client_id is missing' });
    },
  );
  it.each([
    ID,
    '207646673902501888.0',
    'true',
    '[]',
    `["${ID}"]`,
    '{}',
    '"not-a-snowflake"',
    '"0"',
    '"-1"',
    '"+1"',
    '"01"',
    '" 1"',
    '"1 "',
    '"1\\n"',
    '"1\\u0000"',
    '"1e3"',
    '"0x10"',
    '"１２３"',
    '"\\ud800"',
    '"9223372036854775808"',
    '"18446744073709551615"',
    '"99999999999999999999"',
    '"100000000000000000000"',
    '"__proto__"',
    '"constructor"',
    '"toString"',
  ])('that is not a snowflake is refused with the text that pypresence expects: %s', (id) => {
    expect(refusal(`{"v":1,"client_id":${id}}`)).toEqual({
      code: CloseCode.INVALID_CLIENT_ID,
      message: 'Invalid Client ID',
    });
  });
  it('of a million digits is refused by its length alone', () => {
    expect(isSnowflake('9'.repeat(1_000_000))).toBe(false);
  });
  it.each(['1', ID, '9223372036854775807'])('that is a snowflake is accepted: %s', (id) => {
    expect(read(`{"client_id":"${id}"}`)).toEqual({ clientId: id });
  });
});
