import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, testPlatform } from '../../../helpers/platform.ts';

const JSON_BODY = { status: 400, body: { message: 'The request body contains invalid JSON.', code: 50109 } };
const must = (...types: string[]) => ({
  status: 400,
  body: {
    code: 50035,
    message: 'Invalid Form Body',
    errors: { _errors: [{ code: 'BASE_TYPE_INVALID', message: `The body must be ${types.join(' or ')}.` }] },
  },
});
const required = (...fields: string[]) => ({
  status: 400,
  body: {
    code: 50035,
    message: 'Invalid Form Body',
    errors: Object.fromEntries(
      fields.map((name) => [
        name,
        { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] },
      ]),
    ),
  },
});

it('a body is read by the type that it has, and left out by the method and the type', async () => {
  const { call, bot, emulator } = await botPlatform();
  const send = async (what: string, type: string | undefined, body: string | Buffer = '') => {
    const headers = { ...bot(), ...(type === undefined ? {} : { 'content-type': type }) };
    const { status, body: said } = await call(what, { headers, body: Buffer.from(body) });
    return { status, body: said };
  };
  const GENERAL = `/channels/${ids.general}`;
  const WEBHOOK = `POST ${GENERAL}/webhooks`;
  const MESSAGE = `POST ${GENERAL}/messages`;
  const OVERWRITE = `PUT ${GENERAL}/permissions/${ids.otter}`;
  const all = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  const oauth2 = (error_description: string) => ({
    status: 400,
    body: { error: 'invalid_request', error_description },
  });
  const rows: readonly (readonly [
    what: string,
    type: string | undefined,
    body: string | Buffer,
    expected: object,
  ])[] = [
    [WEBHOOK, 'application/json', '{"name":"a"}', { status: 200 }],
    [WEBHOOK, 'Application/JSON ; charset=utf-8', '{"name":"a"}', { status: 200 }],
    [WEBHOOK, undefined, '{"name":"a"}', { status: 200 }],
    [WEBHOOK, '', '{"name":"a"}', { status: 200 }],
    [WEBHOOK, undefined, '', required('name')],
    [WEBHOOK, 'text/plain', '', required('name')],
    [WEBHOOK, 'application/json', '', JSON_BODY],
    [WEBHOOK, 'application/json', '{"name":', JSON_BODY],
    [WEBHOOK, 'application/json', Buffer.from('{"name":"\xff"}', 'latin1'), JSON_BODY],
    [WEBHOOK, 'text/plain', '{"name":"a"}', must('application/json')],
    [WEBHOOK, 'application/x-www-form-urlencoded', 'name=a', must('application/json')],
    [WEBHOOK, 'multipart/form-data; boundary=X', '--X--', must('application/json')],
    [MESSAGE, 'text/xml', '<a/>', must(...all)],
    [MESSAGE, 'application/x-www-form-urlencoded', 'content=a', { status: 200 }],
    [MESSAGE, 'application/x-www-form-urlencoded', '', { status: 400, body: { code: 50006 } }],
    [
      MESSAGE,
      'multipart/form-data',
      '--X--',
      {
        status: 400,
        body: {
          code: 50035,
          errors: {
            _errors: [{ code: 'BASE_TYPE_INVALID', message: 'The multipart body is not well-formed.' }],
          },
        },
      },
    ],
    [OVERWRITE, 'application/json', '', { status: 204 }],
    [OVERWRITE, undefined, '', { status: 204 }],
    [`DELETE ${GENERAL}/permissions/${ids.otter}`, 'application/json', '', { status: 204 }],
    ['GET /users/@me', 'application/json', '{', { status: 200 }],
    [
      'POST /oauth2/token',
      'application/json',
      '{}',
      oauth2('The body must be application/x-www-form-urlencoded or multipart/form-data.'),
    ],
    [
      'POST /oauth2/token',
      'application/x-www-form-urlencoded',
      'a=1&a=2',
      oauth2('A parameter is repeated.'),
    ],
    [
      'POST /oauth2/token',
      'application/x-www-form-urlencoded',
      'grant_type=',
      oauth2('Missing "grant_type" in request.'),
    ],
    ['POST /oauth2/token', 'multipart/form-data', '--X--', oauth2('The multipart body is not well-formed.')],
  ];
  for (const [what, type, body, expected] of rows) {
    expect(await send(what, type, body), `${what} ${type} ${String(body)}`).toMatchObject(expected);
  }
  expect([...emulator.tables.channel_webhooks].map(({ name }) => name)).toEqual(Array(4).fill('a'));
});

it('a body that ends too early is incomplete, and one that is too large is not read', async () => {
  const { url, bot, call } = await testPlatform();
  const port = Number(new URL(url).port);
  const json = (bytes: number) => JSON.stringify({ username: 'x'.repeat(bytes - '{"username":""}'.length) });
  const change = async (bytes: number) => {
    const headers = { ...bot(), 'content-type': 'application/json' };
    const { status, body } = await call('PATCH /applications/@me', {
      headers,
      body: Buffer.from(json(bytes)),
    });
    return [status, body.code];
  };
  const limit = 1024 * 1024;
  const outcomes = [await change(limit + 1), await change(1000)];
  expect(outcomes).toEqual([
    [413, 40005],
    [200, undefined],
  ]);
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    `PATCH /api/v10/applications/@me HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${bot().authorization}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{`,
  );
  let said = '';
  socket.on('data', (chunk) => {
    said += String(chunk);
  });
  socket.end();
  await new Promise((resolve) => socket.on('close', resolve));
  expect(said.split('\r\n')).toEqual([
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    'Content-Length: 39',
    'Connection: close',
    '',
    '{"message":"400: Bad Request","code":0}',
  ]);
});

it('a body has at most 64 KiB, or as many bytes as its operation takes', async () => {
  const { call, bot } = await botPlatform();
  const send = async (what: string, value: object, bytes: number, type = 'application/json') => {
    const text = JSON.stringify(value);
    const body = Buffer.from(text + ' '.repeat(bytes - text.length));
    const answer = await call(what, { headers: { ...bot(), 'content-type': type }, body });
    return [answer.status, answer.body.code];
  };
  const KIB = 1024;
  for (const [what, value, limit, status] of [
    ['POST /users/@me/channels', { recipient_id: ids.otter }, 64 * KIB, 200],
    [`POST /channels/${ids.general}/messages`, { content: 'x' }, 1024 * KIB, 200],
    [`POST /applications/${APP}/commands`, { name: 'ferry', description: 'x' }, 2048 * KIB, 201],
  ] as const) {
    expect(await send(what, value, limit), what).toEqual([status, undefined]);
    expect(await send(what, value, limit + 1), what).toEqual([413, 40005]);
  }
  const form = (length: number) => {
    const start = '--X\r\nContent-Disposition: form-data; name="content"\r\n\r\n';
    const end = '\r\n--X--\r\n';
    return Buffer.from(start + 'x'.repeat(length - start.length - end.length) + end);
  };
  const upload = async (length: number) => {
    const headers = { ...bot(), 'content-type': 'multipart/form-data; boundary=X' };
    const { status, body } = await call(`POST /channels/${ids.general}/messages`, {
      headers,
      body: form(length),
    });
    return [status, body.code];
  };
  // A form with files may be larger, and each of its fields as large as a body without.
  expect([await upload(1024 * KIB), await upload(1025 * KIB)]).toEqual([
    [400, 50035],
    [413, 40005],
  ]);
});

it('a reason for the audit log is decoded, and cut after 512 characters', async () => {
  const { ask, emulator } = await botPlatform();
  const reason = async (text: string) => {
    await ask(`POST /channels/${ids.general}/webhooks`, { name: 'a' }, { 'x-audit-log-reason': text });
    return emulator.tables.audit_log.by('guild', ids.riverBank).last(1)[0]?.reason;
  };
  expect(await reason('high%20tide')).toBe('high tide');
  expect(await reason('100%')).toBe('100%');
  expect(await reason('x'.repeat(512))).toBe('x'.repeat(512));
  expect(await reason('x'.repeat(513))).toBe('x'.repeat(512));
  expect(await reason(`%${'x'.repeat(512)}`)).toBe(`%${'x'.repeat(511)}`);
  expect(await reason(encodeURIComponent('é'.repeat(513)))).toBe('é'.repeat(512));
});
