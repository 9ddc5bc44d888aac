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
    'keeps the arguments %j for the schema to judge',
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
  ])('keeps its nonce as it is: %j', (nonce) => {
    expect(read(JSON.stringify({ cmd: 'A', nonce }))).toMatchObject({ nonce });
  });
  it('keeps the last of repeated keys', () => {
    expect(read('{"cmd":"A","cmd":"B","nonce":"1","nonce":"2"}')).toMatchObject({ cmd: 'B', nonce: '2' });
  });
  it('keeps the arguments as own keys, whatever their names', () => {
    const request = read('{"cmd":"A","nonce":"1","args":{"__proto__":{"x":1}}}') as { args: object };
    expect(Object.keys(request.args)).toEqual(['__proto__']);
    expect('x' in request.args).toBe(false);
  });
});

describe('what is no object ends the connection', () => {
  it.each(['null', '[]', '1', '""', 'true', '[{"cmd":"A","nonce":"1"}]'])('1003: %s', (text) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: CloseCode.UNSUPPORTED, message: 'A payload must be a JSON object' }),
    );
  });
  it.each(['', '{', '{"cmd":"A"', '\ufeff{"cmd":"A","nonce":"1"}'])('1003: %j', (text) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ name: 'CloseError', code: CloseCode.UNSUPPORTED }),
    );
  });
});

describe('a wrong envelope is answered, with as much of it as can be', () => {
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
  ])('%s', (text, cmd, nonce, code, named) => {
    const rejected = read(text);
    expect(rejected).toMatchObject({ cmd, nonce, error: { name: 'RpcError', code } });
    expect((rejected as { error: Error }).error.message).toMatch(new RegExp(`^${named}: `));
  });
  it('does not echo a nonce of more than 1,024 characters', () => {
    expect(read(JSON.stringify({ cmd: 'A', nonce: 'n'.repeat(1025) }))).toMatchObject({
      cmd: 'A',
      nonce: null,
      error: { code: ErrorCode.INVALID_PAYLOAD, message: 'nonce: at most 1024 characters are allowed' },
    });
  });
  it('echoes no more than 128 characters of a command name, and of the longest that is one', () => {
    expect(read(JSON.stringify({ cmd: 'A'.repeat(129), nonce: '1' }))).toMatchObject({
      cmd: 'A'.repeat(128),
      nonce: '1',
      error: { code: ErrorCode.INVALID_COMMAND },
    });
    expect(read(JSON.stringify({ cmd: 'A'.repeat(128), nonce: '1' }))).not.toHaveProperty('error');
  });
  it('refuses an event name of more than 128 characters', () => {
    expect(read(JSON.stringify({ cmd: 'A', nonce: '1', evt: 'E'.repeat(129) }))).toMatchObject({
      error: { code: ErrorCode.INVALID_EVENT },
    });
  });
});

describe('an answer', () => {
  it('always has the four keys, in their customary order (§9 case 11)', () => {
    const frame = encodePayload({ cmd: 'A', data: undefined, evt: null, nonce: null });
    expect(frame.opcode).toBe(Opcode.FRAME);
    expect(decode(frame.body)).toBe('{"cmd":"A","data":null,"evt":null,"nonce":null}');
  });
  it('that is an ERROR carries code and message, and neither detail nor cause', () => {
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
  it('gives a nonce with a lone surrogate back as it came', () => {
    const frame = encodePayload({ cmd: 'A', data: null, evt: null, nonce: '\ud800' });
    expect(JSON.parse(decode(frame.body))).toMatchObject({ nonce: '\ud800' });
  });
});

describe('a request that would cost too much is refused before it is parsed, with cmd and nonce', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join(',');
  const request = (args: string) => `{ "cmd" : "SET_ACTIVITY",\n"nonce":"n\\u0031","args":${args}}`;
  const refused = (message: string) => ({ cmd: 'SET_ACTIVITY', nonce: 'n1', error: { code: 4000, message } });

  it('at 4,096 values and no less', () => {
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
  it('and finds cmd and nonce wherever they stand, at the top and nowhere else', () => {
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
  it('without a word of what it says when it is broken', () => {
    for (const body of [`{"nonce":"\\x","args":[${'1,'.repeat(5000)}`, ','.repeat(5000)]) {
      expect(read(body)).toMatchObject({ cmd: null, nonce: null, error: { code: 4000 } });
    }
  });
});
