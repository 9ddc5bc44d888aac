import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { choice, list, permissionSet, text } from '../../../../src/emulator/api/fields.ts';
import { anybody, defineOperation, type Operation, ok } from '../../../../src/emulator/api/operation.ts';
import type { Platform } from '../../../../src/emulator/compose/platform.ts';
import { HttpApp } from '../../../../src/emulator/serve/http/app.ts';
import { Routes } from '../../../../src/emulator/serve/http/routes.ts';
import { send } from '../../../../src/emulator/serve/http/send.ts';
import { UploadRoom } from '../../../../src/emulator/serve/http/upload-room.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

const common = { summary: 'x', who: [anybody], answers: { 200: z.unknown() } } as const;

const post = defineOperation({
  ...common,
  id: 'post',
  route: 'POST /notes/{note_id}',
  query: z.object({
    limit: z.optional(z.int()),
    with_all: z.optional(z.boolean()),
    kind: z.optional(list(choice('a', 'b'), 0, 2)),
  }),
  body: z.object({
    content: text(1, 20),
    tts: z.optional(z.boolean()),
    flags: z.optional(z.nullable(z.int())),
    tags: z.optional(list(text(1, 3), 0, 3)),
    attachments: z.optional(z.array(z.object({ id: z.int(), description: z.optional(z.string()) }))),
  }),
  bodyKinds: ['json', 'form', 'multipart'],
  files: { fields: ['files[n]'], maxCount: 2, maxFileBytes: 10, request: 4_000 },
  maxBodyBytes: 2_000,
  notOffered: ['poll', 'allowed.parse', 'attachments.[].waveform', 'wait'],
  handle: ({ params, query, body, files, version, reason }) =>
    ok({
      params,
      query,
      body,
      version,
      reason,
      files: files.map(({ bytes, ...rest }) => ({ ...rest, text: String(bytes) })),
    }),
});

const dated = defineOperation({
  ...common,
  id: 'dated',
  route: 'GET /dated',
  since: '2030-01-01T00:00:00Z',
  until: '2030-01-02T00:00:00Z',
  handle: () => ok({}),
});

const overwrite = z.object({ id: z.string(), allow: permissionSet(), deny: permissionSet() });
const role = z.object({ permissions: permissionSet(), note: z.string() }).meta({ id: 'TestRole' });

const answered = {
  permissions: null,
  roles: [{ permissions: '4503599627370497', note: '7' }],
  overwrites: [{ id: '1', allow: '2147483648', deny: '3' }],
  metadata: { permissions: '9' },
};

const permitted = defineOperation({
  ...common,
  id: 'permitted',
  route: 'GET /permitted',
  answers: {
    200: z.object({
      permissions: z.nullable(permissionSet()),
      roles: z.array(role),
      overwrites: z.optional(z.array(overwrite)),
      metadata: z.record(z.string(), z.string()),
    }),
  },
  handle: () => ok(answered),
});

/** A server of these operations and no others. */
async function serving(
  operations: readonly Operation<Platform>[] = [post, dated, permitted],
  room = new UploadRoom(),
) {
  const clock = new ManualClock();
  const tables = { rate_limits: { value: 'shown' } };
  const onBehalfOf = <T>(_owner: string | undefined, task: () => T): T => task();
  const world = { tables, onBehalfOf, room: { need: () => {} } };
  const platform = {
    world,
    clock,
    log: { warn: () => {} },
    violations: { isOn: false },
  } as unknown as Platform;
  const app = new HttpApp(platform, () => false, new Routes(operations), room);
  const server = createServer((request, response) => {
    void app
      .answer(request, 'http://127.0.0.1/api')
      .then(({ reply, limits }) => send(response, reply, clock.now(), { limits }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const call = async (
    path: string,
    {
      headers,
      ...init
    }: { method?: string; body?: NonNullable<RequestInit['body']>; headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      ...init,
      // Only web pages name themselves so.
      headers: { 'sec-fetch-site': 'none', connection: 'close', ...headers },
    });
    // biome-ignore lint/suspicious/noExplicitAny: every answer has another shape
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  return { call, app, clock };
}

const json = (value: unknown, headers: Record<string, string> = {}) => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json', ...headers },
});

function form(
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, [string, string]>> = {},
) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  for (const [name, [value, filename]] of Object.entries(files)) data.set(name, new Blob([value]), filename);
  return { body: data };
}

describe('a request body', () => {
  it('has the same value as JSON, as a form, and as JSON beside files', async () => {
    const { call } = await serving();
    const value = { content: 'hello', tts: true, flags: 4, tags: ['a', 'b'] };
    const asForm = new URLSearchParams({ content: 'hello', tts: 'True', flags: '4' });
    for (const tag of value.tags) asForm.append('tags', tag);
    const file = { 'files[0]': ['bytes', '../a.txt'] } as const;
    const answers = await Promise.all([
      call('/api/v10/notes/7', json(value)),
      call('/api/v10/notes/7', { body: asForm }),
      call(
        '/api/v10/notes/7',
        form({ payload_json: JSON.stringify(value) }, { 'files[0]': [...file['files[0]']] }),
      ),
    ]);
    expect(answers.map(({ body }) => body.body)).toEqual([value, value, value]);
    expect(answers.map(({ body }) => body.files.length)).toEqual([0, 0, 1]);
    expect(answers[2]?.body.files[0]).toMatchObject({ field: 'files[0]', name: 'a.txt', text: 'bytes' });
  });

  it.each([
    ['a field beside payload_json', form({ payload_json: '{}', content: 'x' }), 'content'],
    ['a number that is none', { body: new URLSearchParams({ content: 'x', flags: '0x4' }) }, 'flags'],
    ['a truth value that is none', { body: new URLSearchParams({ content: 'x', tts: 'yes' }) }, 'tts'],
    ['one text twice', { body: new URLSearchParams('content=x&content=y') }, 'content'],
    ['a field of another name for files', form({ content: 'x' }, { avatar: ['x', 'a'] }), 'avatar'],
  ])('with %s is refused at the faulty field [R-7]', async (_, init, field) => {
    const { call } = await serving();
    const { status, body } = await call('/api/v10/notes/7', init);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 50035, [field]]);
  });

  it.each([
    ['JSON that is cut', { ...json({}), body: '{"content":"x"' }],
    [
      'JSON with bytes that are not UTF-8',
      { ...json({}), body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    ],
    ['no JSON although its type announces some', { ...json({}), body: '' }],
    ['payload_json that is cut', form({ payload_json: '{' })],
    ['JSON nested 900 levels', { ...json({}), body: `{"content":${'['.repeat(900)}${']'.repeat(900)}}` }],
    ['payload_json nested 65 levels', form({ payload_json: `${'{"a":'.repeat(65)}1${'}'.repeat(65)}` })],
  ])('with %s is refused with 50109', async (_, init) => {
    const { call } = await serving();
    const { status, body } = await call('/api/v10/notes/7', init);
    expect([status, body]).toEqual([
      400,
      { message: 'The request body contains invalid JSON.', code: 50109 },
    ]);
  });

  it('of another content type is refused, with the names of the accepted types', async () => {
    const { call } = await serving();
    const { status, body } = await call('/api/v10/notes/7', {
      body: 'x',
      headers: { 'content-type': 'text/xml' },
    });
    expect([status, body.errors._errors[0].message]).toEqual([
      400,
      'The body must be application/json or application/x-www-form-urlencoded or multipart/form-data.',
    ]);
  });

  it('that is too large is refused with 413 and 40005, and a file that is too large with 50045', async () => {
    const { call } = await serving();
    const long = 'x'.repeat(5_000);
    for (const init of [
      json({ content: long }),
      form({ content: long }),
      { body: new URLSearchParams({ content: long }) },
    ]) {
      expect(await call('/api/v10/notes/7', init)).toMatchObject({ status: 413, body: { code: 40005 } });
    }
    const file = form({ content: 'x' }, { 'files[0]': ['12345678901', 'a'] });
    expect(await call('/api/v10/notes/7', file)).toMatchObject({ status: 400, body: { code: 50045 } });
  });

  it('with files is refused with 503 without room, and accepted once other requests are answered', async () => {
    const { call } = await serving([post], new UploadRoom(600));
    const small = () => call('/api/v10/notes/7', form({ content: 'x' }, { 'files[0]': ['x', 'a'] }));
    expect((await small()).status).toBe(200);
    const large = await call('/api/v10/notes/7', form({ content: 'x', note: 'x'.repeat(600) }));
    expect([large.status, large.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await small()).status).toBe(200);
  });
});

describe('a query', () => {
  it('has numbers, booleans as True, true or 1, and lists as repeated names', async () => {
    const { call } = await serving();
    const answer = await call('/api/v10/notes/7?limit=5&with_all=True&kind=a&kind=b', json({ content: 'x' }));
    expect(answer.body.query).toEqual({ limit: 5, with_all: true, kind: ['a', 'b'] });
    const one = await call('/api/v10/notes/7?kind=a&with_all=0', json({ content: 'x' }));
    expect(one.body.query).toEqual({ kind: ['a'], with_all: false });
    const wrong = await call('/api/v10/notes/7?limit=many&kind=c', json({ content: 'x' }));
    expect(wrong.body.errors).toMatchObject({
      limit: { _errors: [{ code: 'NUMBER_TYPE_COERCE' }] },
      kind: { '0': { _errors: [{ code: 'BASE_TYPE_CHOICES' }] } },
    });
  });
});

describe('an unsupported public input', () => {
  it.each([
    ['a field', '', { content: 'x', poll: {} }, 'poll'],
    ['a field within one', '', { content: 'x', allowed: { parse: ['users'] } }, 'allowed.parse'],
    [
      'a field of an item',
      '',
      { content: 'x', attachments: [{ id: 0 }, { id: 1, waveform: 'AA' }] },
      'attachments.[].waveform',
    ],
    ['a name of the query', '?wait=true', { content: 'x' }, 'wait'],
  ])('that is %s is refused with 501, named and counted [W-1]', async (_, query, value, field) => {
    const { call, app } = await serving();
    const { status, body } = await call(`/api/v10/notes/7${query}`, json(value));
    expect([status, body.message]).toEqual([
      501,
      `501: Not Implemented: the field "${field}" of post is not offered by this emulator`,
    ]);
    expect([...app.missing]).toEqual([[`the field "${field}" of post`, 1]]);
  });
});

describe('a request path', () => {
  it.each([
    ['/api', 10],
    ['/api/v6', 6],
    ['/api/v7', 7],
    ['/api/v8', 8],
    ['/api/v9', 9],
    ['/api/v10', 10],
  ])('below %s has version %i [N-7]', async (base, version) => {
    const { call } = await serving();
    const { body } = await call(`${base}/notes/7`, json({ content: 'x' }));
    expect(body).toMatchObject({ version });
  });

  it.each([1, 3, 4, 5, 11, 9999])('of version %i is refused with 50041 [N-7]', async (version) => {
    const { call } = await serving();
    const answer = await call(`/api/v${version}/notes/7`, json({ content: 'x' }));
    expect(answer).toMatchObject({ status: 400, body: { code: 50041 } });
  });

  it('with a period exists only within that period [N-3]', async () => {
    const { call, clock } = await serving();
    const seen = async (time: string) => {
      clock.advance(Date.parse(time) - clock.now());
      return (await call('/api/v10/dated', { method: 'GET' })).status;
    };
    expect(await seen('2029-12-31T23:59:59.999Z')).toBe(404);
    expect(await seen('2030-01-01T00:00:00Z')).toBe(200);
    expect(await seen('2030-01-01T23:59:59.999Z')).toBe(200);
    expect(await seen('2030-01-02T00:00:00Z')).toBe(404);
  });
});

describe('permission sets', () => {
  it.each(['/api/v8', '/api/v9', '/api/v10'])('are strings below %s [O-13]', async (base) => {
    const { call } = await serving();
    expect((await call(`${base}/permitted`, { method: 'GET' })).body).toEqual(answered);
  });

  it.each(['/api', '/api/v6', '/api/v7'])(
    'are numbers with additional string fields below %s, and nothing else is [O-13]',
    async (base) => {
      const { call } = await serving();
      expect((await call(`${base}/permitted`, { method: 'GET' })).body).toEqual({
        ...answered,
        roles: [{ permissions: 1, permissions_new: '4503599627370497', note: '7' }],
        overwrites: [{ id: '1', allow: 0, allow_new: '2147483648', deny: 3, deny_new: '3' }],
      });
    },
  );
});

describe('X-Audit-Log-Reason', () => {
  it.each([
    ['caf%C3%A9%20%26%20more', 'café & more'],
    ['100%', '100%'],
    ['x'.repeat(600), 'x'.repeat(512)],
  ])('%s is read as percent-encoded UTF-8', async (header, reason) => {
    const { call } = await serving();
    const answer = await call('/api/v10/notes/7', json({ content: 'x' }, { 'x-audit-log-reason': header }));
    expect(answer.body.reason).toBe(reason);
  });
});
