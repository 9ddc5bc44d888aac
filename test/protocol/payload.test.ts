import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { RpcError } from '../../src/protocol/errors.ts';
import { encodePayload, errorPayload, readRequest } from '../../src/protocol/payload.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';

const read = (text: string) => readRequest(new TextEncoder().encode(text));
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('a request', () => {
  it.each([
    ['args missing', '{"cmd":"A","nonce":"1"}'],
    ['args null', '{"cmd":"A","nonce":"1","args":null}'],
    ['args empty', '{"cmd":"A","nonce":"1","args":{}}'],
    ['evt null', '{"cmd":"A","nonce":"1","evt":null}'],
    ['unknown keys', '{"cmd":"A","nonce":"1","data":1,"x":2,"__proto__":{"evt":"X"}}'],
  ])('has {} for arguments and no event: %s', (_name, text) => {
    expect(read(text)).toEqual({ cmd: 'A', args: {}, evt: undefined, nonce: '1' });
  });
  it.each([false, 0, '', [], [1], 'x', { a: 1 }])(
    'passes the arguments %j unchanged to the schema',
    (args) => {
      expect(read(JSON.stringify({ cmd: 'A', nonce: '1', args }))).toMatchObject({ args });
    },
  );
  it.each([
    '1',
    'deadbeef',
    '1690000000.12345678901234567890',
    'é漢😀',
    '\0',
    '\ud800',
    ' ',
    'n'.repeat(1024),
  ])('preserves its nonce: %j', (nonce) => {
    expect(read(JSON.stringify({ cmd: 'A', nonce }))).toMatchObject({ nonce });
  });
  it('has the last value of each repeated key', () => {
    expect(read('{"cmd":"A","cmd":"B","nonce":"1","nonce":"2"}')).toMatchObject({ cmd: 'B', nonce: '2' });
  });
  it('has its arguments as own keys, whatever their names', () => {
    const request = read('{"cmd":"A","nonce":"1","args":{"__proto__":{"x":1}}}') as { args: object };
    expect(Object.keys(request.args)).toEqual(['__proto__']);
    expect('x' in request.args).toBe(false);
  });
});

describe('a payload that is not a JSON object', () => {
  it.each(['null', '[]', '1', '""', 'true', '[{"cmd":"A","nonce":"1"}]'])(
    'closes the connection with 1003: %s',
    (text) => {
      expect(() => read(text)).toThrow(
        expect.objectContaining({ code: CloseCode.UNSUPPORTED, message: 'A payload must be a JSON object' }),
      );
    },
  );
  it.each(['', '{', '{"cmd":"A"', '\ufeff{"cmd":"A","nonce":"1"}'])(
    'closes the connection with 1003 as invalid JSON: %j',
    (text) => {
      expect(() => read(text)).toThrow(
        expect.objectContaining({ name: 'CloseError', code: CloseCode.UNSUPPORTED }),
      );
    },
  );
});

describe('an invalid envelope', () => {
  const bad = ErrorCode.INVALID_PAYLOAD;
  it.each([
    ['{}', null, null, bad, 'nonce'],
    ['{"cmd":"A"}', 'A', null, bad, 'nonce'],
    ['{"cmd":"A","nonce":null}', 'A', null, bad, 'nonce'],
    ['{"cmd":"A","nonce":""}', 'A', null, bad, 'nonce'],
    ['{"cmd":"A","nonce":1}', 'A', null, bad, 'nonce'],
    ['{"cmd":"A","nonce":["1"]}', 'A', null, bad, 'nonce'],
    ['{"cmd":"A","nonce":{}}', 'A', null, bad, 'nonce'],
    ['{"nonce":"1"}', null, '1', bad, 'cmd'],
    ['{"cmd":null,"nonce":"1"}', null, '1', bad, 'cmd'],
    ['{"cmd":1,"nonce":"1"}', null, '1', bad, 'cmd'],
    ['{"cmd":["A"],"nonce":"1"}', null, '1', bad, 'cmd'],
    ['{"cmd":{},"nonce":"1"}', null, '1', bad, 'cmd'],
    ['{"__proto__":{"cmd":"A","nonce":"1"}}', null, null, bad, 'nonce'],
    ['{"cmd":"A","nonce":"1","evt":1}', 'A', '1', ErrorCode.INVALID_EVENT, 'evt'],
    ['{"cmd":"A","nonce":"1","evt":[]}', 'A', '1', ErrorCode.INVALID_EVENT, 'evt'],
    ['{"cmd":"A","nonce":"1","evt":{}}', 'A', '1', ErrorCode.INVALID_EVENT, 'evt'],
    ['{"cmd":"A","nonce":"1","evt":false}', 'A', '1', ErrorCode.INVALID_EVENT, 'evt'],
  ])('is answered with the cmd and nonce that it contains: %s', (text, cmd, nonce, code, named) => {
    const rejected = read(text);
    expect(rejected).toMatchObject({ cmd, nonce, error: { name: 'RpcError', code } });
    expect((rejected as { error: Error }).error.message).toMatch(new RegExp(`^${named}: `));
  });
  it('is answered without a nonce of more than 1,024 characters', () => {
    expect(read(JSON.stringify({ cmd: 'A', nonce: 'n'.repeat(1025) }))).toMatchObject({
      cmd: 'A',
      nonce: null,
      error: { code: ErrorCode.INVALID_PAYLOAD, message: 'nonce: at most 1024 characters are allowed' },
    });
  });
  it('is answered with 128 characters of a longer command name', () => {
    expect(read(JSON.stringify({ cmd: 'A'.repeat(129), nonce: '1' }))).toMatchObject({
      cmd: 'A'.repeat(128),
      nonce: '1',
      error: { code: ErrorCode.INVALID_COMMAND },
    });
    expect(read(JSON.stringify({ cmd: 'A'.repeat(128), nonce: '1' }))).not.toHaveProperty('error');
  });
  it('with an event name of more than 128 characters is refused', () => {
    expect(read(JSON.stringify({ cmd: 'A', nonce: '1', evt: 'E'.repeat(129) }))).toMatchObject({
      error: { code: ErrorCode.INVALID_EVENT },
    });
  });
});

describe('an answer', () => {
  it('always has the four keys in their usual order [§9 case 11]', () => {
    const frame = encodePayload({ cmd: 'A', data: undefined, evt: null, nonce: null });
    expect(frame.opcode).toBe(Opcode.FRAME);
    expect(decode(frame.body)).toBe('{"cmd":"A","data":null,"evt":null,"nonce":null}');
  });
  it('that is an ERROR contains code and message, but neither detail nor cause', () => {
    const error = new RpcError(ErrorCode.UNKNOWN_ERROR, 'public', {
      detail: 'private',
      cause: new Error('deep'),
    });
    expect(JSON.parse(decode(encodePayload(errorPayload('A', 'n', error)).body))).toEqual({
      cmd: 'A',
      data: { code: 1000, message: 'public' },
      evt: 'ERROR',
      nonce: 'n',
    });
  });
  it('returns a nonce with a lone surrogate unchanged', () => {
    const frame = encodePayload({ cmd: 'A', data: null, evt: null, nonce: '\ud800' });
    expect(JSON.parse(decode(frame.body))).toMatchObject({ nonce: '\ud800' });
  });
});

describe('a request that is too expensive to parse', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join(',');
  const request = (args: string) => `{ "cmd" : "SET_ACTIVITY",\n"nonce":"n\\u0031","args":${args}}`;
  const refused = (message: string) => ({ cmd: 'SET_ACTIVITY', nonce: 'n1', error: { code: 4000, message } });

  it('is refused with its cmd and nonce above 4,096 values, and not below', () => {
    // The request itself, its three members and the object that is `args` take a few.
    expect(read(request(`{${many(4090)}}`))).toMatchObject({
      cmd: 'SET_ACTIVITY',
      nonce: 'n1',
      args: { k0: 0 },
    });
    const message = 'args: at most 4096 values are allowed';
    expect(read(request(`{${many(4100)}}`))).toMatchObject(refused(message));
    expect(read(request(`[${'{},'.repeat(20_000)}0]`))).toMatchObject(refused(message));
    expect(read(request(`{${'"a":1,'.repeat(26_000)}"a":1}`))).toMatchObject(refused(message));
  });
  it('is refused with the cmd and nonce of its top level, in any position', () => {
    const inner = `{"cmd":"INNER","nonce":"inner","l":[${'1,'.repeat(5000)}"nonce"]}`;
    expect(read(`{"args":${inner},"nonce":"7","cmd":"A"}`)).toMatchObject({ cmd: 'A', nonce: '7' });
    expect(read(`{"cmd":"X","cmd":"A","args":${inner},"nonce":"6","nonce":"7"}`)).toMatchObject({
      ...{ cmd: 'A', nonce: '7' },
    });
    expect(read(`{"x":"cmd","args":${inner},"y":"nonce"}`)).toMatchObject({ cmd: null, nonce: null });
    expect(read(`{"cmd":{"cmd":"X"},"nonce":7,"args":${inner}}`)).toMatchObject({ cmd: null, nonce: null });
    expect(read(`{"cmd":"${'c'.repeat(300)}","nonce":"${'n'.repeat(1025)}","args":${inner}}`)).toMatchObject({
      cmd: 'c'.repeat(128),
      nonce: null,
    });
  });
  it('is refused without cmd and nonce when they cannot be read', () => {
    for (const body of [`{"nonce":"\\x","args":[${'1,'.repeat(5000)}`, ','.repeat(5000)]) {
      expect(read(body)).toMatchObject({ cmd: null, nonce: null, error: { code: 4000 } });
    }
  });
});
