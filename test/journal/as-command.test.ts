import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { callCommand, curlCommand, lackOf } from '../../src/journal/as-command.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';

const frame = (payload: unknown, more: object = {}): JournalEntry => {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return { kind: 'frame', session: 's', direction: 'in', opcode: 1, text, bytes: 1, seq: 1, at: 1, ...more };
};

const http = (more: object = {}, request: object = {}): JournalEntry => ({
  kind: 'http',
  method: 'GET',
  path: '/api/v10/users/@me',
  status: 200,
  ms: 1,
  request: { headers: {}, bytes: 0, ...request },
  response: { headers: {}, bytes: 0 },
  seq: 1,
  at: 1,
  ...more,
});

/** The words that a shell reads from a command line; the variable TOKEN is `secret`. */
function words(line: string): string[] {
  const script = `for word in ${line}; do printf '%s\\0' "$word"; done`;
  const output = execFileSync('sh', ['-c', script], { env: { TOKEN: 'secret' }, encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

describe('a request as footbridge call', () => {
  it.each([
    [frame({ cmd: 'GET_GUILDS' }), undefined, ['footbridge', 'call', 'GET_GUILDS']],
    [
      frame({ cmd: 'SUBSCRIBE', args: {}, evt: 'READY' }),
      '42',
      ['footbridge', 'call', 'SUBSCRIBE', '{}', '--evt', 'READY', '--client-id', '42'],
    ],
    [
      frame(
        '{"cmd":"SET_ACTIVITY","args":{"pid":1,"activity":{"state":"it\'s $HOME `x` 12345678901234567890"},"id":12345678901234567890}}',
      ),
      undefined,
      [
        'footbridge',
        'call',
        'SET_ACTIVITY',
        '{"pid":1,"activity":{"state":"it\'s $HOME `x` 12345678901234567890"},"id":12345678901234567890}',
      ],
    ],
    [
      frame({ cmd: 'SUBSCRIBE', args: {}, evt: '--help' }),
      '-1',
      ['footbridge', 'call', 'SUBSCRIBE', '{}', '--evt=--help', '--client-id=-1'],
    ],
  ])('%#: is read by a shell as it was', (entry, application, expected) => {
    expect(words(callCommand(entry, application) ?? '')).toEqual(expected);
  });

  it.each([
    ['rpc', 'rpc'],
    ['rpc or rpc.voice.read', 'rpc'],
    ['rpc and rpc.voice.read', 'rpc,rpc.voice.read'],
  ])('asks for the scopes of a refusal that names %s', (needed, scopes) => {
    const message = `GET_GUILDS needs the scope ${needed}; AUTHORIZE and AUTHENTICATE first`;
    const answer = frame({ evt: 'ERROR', data: { code: 4006, message } }, { direction: 'out' });
    expect(words(callCommand(frame({ cmd: 'GET_GUILDS' }), '42', answer) ?? '')).toEqual([
      ...['footbridge', 'call', 'GET_GUILDS', '--scopes', scopes, '--client-id', '42'],
    ]);
  });

  it.each([
    ['another message', frame({ data: { message: 'GET_GUILDS needs the scope $(id); or so' } })],
    ['no message', frame({ data: null })],
    ['no JSON', frame('(JSON, 70000 bytes)')],
  ])('asks for no scope after an answer with %s', (_, answer) => {
    expect(callCommand(frame({ cmd: 'GET_GUILDS' }), undefined, answer)).toBe('footbridge call GET_GUILDS');
  });

  it.each([
    ['an answer', frame({ cmd: 'GET_GUILDS' }, { direction: 'out' })],
    ['a handshake', frame({ cmd: 'x' }, { opcode: 0 })],
    ['no JSON', frame('(JSON, 70000 bytes)')],
    ['no command', frame({ args: {} })],
    ['an option in place of a command', frame({ cmd: '--endpoint=/tmp/other', args: {} })],
    ['an empty command', frame({ cmd: '', args: {} })],
    ['a request over HTTP', http()],
  ])('%s has none', (_, entry) => {
    expect(callCommand(entry, undefined)).toBeUndefined();
  });

  it('has no character that a terminal obeys', () => {
    const line = callCommand(frame({ cmd: 'A\u001b[201~\nrm -r x\u0000', args: {} }), '1\u001b') ?? '';
    expect(line).not.toMatch(/[\p{Cc}]/u);
  });
});

describe('a request as curl', () => {
  it('has its credentials as a variable, and its headers and body as they are', () => {
    const request = {
      headers: {
        authorization: 'Bot [hidden]',
        'content-type': 'application/json',
        'content-length': '20',
        host: '127.0.0.1:1',
        cookie: '[hidden]',
        'x-own': '[hidden]',
      },
      body: `{"content":"it's $TOKEN"}`,
    };
    const line = curlCommand(http({ method: 'POST' }, request), 'http://127.0.0.1:4000/api') ?? '';
    expect(words(line)).toEqual([
      'curl',
      '-X',
      'POST',
      'http://127.0.0.1:4000/api/v10/users/@me',
      '-H',
      'Authorization: Bot secret',
      '-H',
      'content-type: application/json',
      '--data-raw',
      `{"content":"it's $TOKEN"}`,
    ]);
  });

  it.each([
    ['(image/png)', 'Bearer [hidden]', 'Bearer '],
    [undefined, '[hidden]', ''],
    [undefined, 'x"; rm -r $HOME; "', ''],
  ])(
    'with the body %s and the credentials %s sends no note and no scheme of its own',
    (body, authorization, scheme) => {
      const request = { headers: { authorization }, ...(body === undefined ? {} : { body }) };
      expect(words(curlCommand(http({}, request), undefined) ?? '')).toEqual([
        'curl',
        '-X',
        'GET',
        'http://127.0.0.1:6481/api/v10/users/@me',
        '-H',
        `Authorization: ${scheme}secret`,
      ]);
    },
  );

  it('sends one request, and nothing to another host or of another file', () => {
    const line = curlCommand(
      http({ path: '/a?b[]={1,2}' }, { headers: { '@/etc/hosts': 'x', a: 'b' } }),
      undefined,
    );
    expect(words(line ?? '')).toEqual([
      ...['curl', '-X', 'GET', 'http://127.0.0.1:6481/a?b[]={1,2}', '--globoff', '-H', 'a: b'],
    ]);
    for (const path of ['@evil.example/a', '.evil.example/', '0/a', ''])
      expect(curlCommand(http({ path }), undefined)).toBeUndefined();
  });

  it('is there for requests over HTTP alone', () => {
    expect(curlCommand(frame({ cmd: 'GET_GUILDS' }), undefined)).toBeUndefined();
  });

  it('has no character that a terminal obeys', () => {
    expect(curlCommand(http({ path: '/a\u001b[201~\nb' }, { body: '\u001b' }), undefined)).not.toMatch(
      /[\p{Cc}]/u,
    );
  });
});

describe('a copy', () => {
  const hides = (text: string) => `The copy has ${text} where the journal hides a value: write yours there.`;
  const lost = 'The copy has no body, because the journal did not keep it.';

  it.each<[string, JournalEntry, string | undefined]>([
    ['all of a frame', frame({ cmd: 'A', args: { count: 1, text: 'a number' } }), undefined],
    ['a frame with a secret', frame({ args: { token: '[hidden]' } }), hides('[hidden]')],
    ['a frame with an undeclared text', frame({ args: { list: ['string(12)'] } }), hides('string(12)')],
    ['a frame with an undeclared number', frame({ args: { x: 'number' } }), hides('number')],
    ['a request without a body', http(), undefined],
    ['a request with all of its body', http({}, { body: '{"content":"a"}', bytes: 15 }), undefined],
    ['a request whose body was not kept', http({}, { bytes: 15 }), lost],
    ['a request with a file', http({}, { body: '(image/png)', bytes: 15 }), lost],
    ['a request with a secret', http({}, { body: '{"code":"[hidden]"}', bytes: 15 }), hides('[hidden]')],
    ['a path with a secret', http({ path: '/api/webhooks/1/[hidden]' }), hides('[hidden]')],
  ])('of %s says what it lacks', (_, entry, lack) => {
    expect(lackOf(entry)).toBe(lack);
  });
});
