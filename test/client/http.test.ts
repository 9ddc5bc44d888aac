import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isTooDeep } from '../../src/client/depth.ts';
import { type ApiError, type ApiRequest, addressOf, callApi, post } from '../../src/client/http.ts';
import { tokenSetOf } from '../../src/client/token-set.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A service that answers everything alike, and what it received. */
async function service({ status = 200, headers = {}, body = {} }: Answer = {}) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += String(chunk);
    });
    request.on('end', () => {
      const { method, url } = request;
      received.push({ method, url, headers: request.headers, body: text });
      response.writeHead(status, headers);
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return { api, received };
}

/** The error of a request to a service that answers so. */
async function failure(answer: Answer, request: Partial<ApiRequest> = {}): Promise<ApiError> {
  const { api } = await service({ status: 400, ...answer });
  return callApi({ api }, { method: 'GET', path: '/x', ...request }).then(
    () => expect.unreachable('it was answered'),
    (error: ApiError) => error,
  );
}

describe('an API request', () => {
  it('sends a body of its type and the token as Bearer', async () => {
    const { api, received } = await service();
    await callApi({ api }, { method: 'PATCH', path: '/x?y=1', body: { a: 1 }, token: 't0ken' });
    await callApi({ api }, { method: 'POST', path: '/f', body: new URLSearchParams({ a: 'b c' }) });
    await callApi({ api }, { method: 'GET', path: '/g' });
    const [json, form, plain] = received;
    expect(json).toMatchObject({
      method: 'PATCH',
      url: '/api/x?y=1',
      headers: { 'content-type': 'application/json', authorization: 'Bearer t0ken' },
      body: '{"a":1}',
    });
    expect(form?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(form?.body).toBe('a=b+c');
    for (const name of ['content-type', 'authorization']) expect(plain?.headers).not.toHaveProperty(name);
    expect(form?.headers).not.toHaveProperty('authorization');
    expect(plain?.body).toBe('');
  });
  it('resolves with parsed JSON, or with undefined for an empty response', async () => {
    const answers = await Promise.all(
      [{ a: 'é漢' }, ''].map(async (body) =>
        callApi({ api: (await service({ body })).api }, { method: 'GET', path: '/' }),
      ),
    );
    expect(answers).toEqual([{ a: 'é漢' }, undefined]);
  });
  it('reads a response up to its size limit', async () => {
    const { api } = await service({ body: '"12345678"' });
    expect(await callApi({ api }, { method: 'GET', path: '/', maxBytes: 10 })).toBe('12345678');
    await expect(callApi({ api }, { method: 'GET', path: '/', maxBytes: 9 })).rejects.toMatchObject({
      name: 'ApiError',
      status: 0,
      message: 'The answer exceeds 9 bytes',
    });
  });
  it('that times out names its address without the query', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const asked = { method: 'GET', path: '/x?token=s' } as const;
    const error = { name: 'TimeoutError', message: `${api}/x: no answer within 20 ms` };
    await expect(callApi({ api, timeoutMs: 20 }, asked)).rejects.toMatchObject(error);
    await expect(callApi({ api, signal: AbortSignal.abort('mine') }, asked)).rejects.toBe('mine');
  });
});

describe('an API error', () => {
  it.each([
    [{ error: 'invalid_grant', error_description: 'Used' }, 'invalid_grant', 'HTTP 400 invalid_grant Used'],
    [{ code: 50_001, message: 'Missing Access' }, '50001', 'HTTP 400 50001 Missing Access'],
    [{}, '', 'HTTP 400'],
    ['no JSON', '', 'HTTP 400'],
    [[], '', 'HTTP 400'],
  ])('of %j has its code and text', async (body, code, message) => {
    const error = await failure({ body });
    expect(error.name).toBe('ApiError');
    expect(error.status).toBe(400);
    expect(error.code).toBe(code);
    expect(error.message).toBe(message);
    expect(error.body).toBe(typeof body === 'string' ? body : JSON.stringify(body));
  });
  it.each([
    [{ name: { _errors: [{ code: 'X', message: 'Too long' }] } }, ': name: Too long'],
    [{ embeds: { 0: { url: { _errors: [{ message: 'No URL' }] } } } }, ': embeds.0.url: No URL'],
    [{ _errors: [{ message: 'Whole' }] }, ': : Whole'],
    [{ name: { _errors: [] } }, ''],
    [{ name: null }, ''],
    [{ name: 'text' }, ''],
    [{}, ''],
    [null, ''],
    ['text', ''],
  ])('with the form errors %j names the first field', async (errors, text) => {
    const { message } = await failure({ body: { code: 50_035, message: 'Invalid Form Body', errors } });
    expect(message).toBe(`HTTP 400 50035 Invalid Form Body${text}`);
  });
  it.each([
    [{}, {}, 0],
    [{ retry_after: 1.5 }, {}, 1.5],
    [{ retry_after: '2' }, {}, 2],
    [{ retry_after: 3 }, { 'retry-after': '9' }, 3],
    [{}, { 'retry-after': '9' }, 9],
    [{ retry_after: -1 }, { 'retry-after': '9' }, 9],
    [{ retry_after: 'soon' }, { 'retry-after': '9' }, 9],
    [{ retry_after: true }, {}, 0],
    [{ retry_after: [5] }, {}, 0],
    [{ retry_after: ' ' }, {}, 0],
    [{ retry_after: 1e12 }, {}, 2_147_483.647],
    [{}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
  ])('of %j with the headers %j has a retry delay of %d seconds', async (body, headers, seconds) => {
    expect((await failure({ body, headers })).retryAfter).toBe(seconds);
  });
  it('names the address for a 404, unless the service names the fault', async () => {
    expect((await failure({ status: 404 })).message).toMatch(
      /^HTTP 404 {3}at http:\/\/127\.0\.0\.1:\d+\/api\/x$/,
    );
    expect((await failure({ status: 404, body: { code: 0, message: '404: Not Found' } })).message).toMatch(
      / at http/,
    );
    expect(
      (await failure({ status: 404, body: { code: 10_003, message: 'Unknown' } })).message,
    ).not.toContain('at http');
    expect((await failure({ status: 400 })).message).not.toContain('at http');
  });
  it('hides the token and the secrets, in plain and in form encoding', async () => {
    const [token, secret] = ['t0ken+of/an app', 's3cret+8'];
    const form = new URLSearchParams({ token }).toString().slice('token='.length);
    const body = { code: token, message: `not ${secret}`, errors: { a: { _errors: [{ message: form }] } } };
    const error = await failure({ body }, { token, secrets: [secret] });
    expect(error.code).toBe('[hidden]');
    expect(error.message).toBe('HTTP 400 [hidden] not [hidden]: a: [hidden]');
    expect(error.body).not.toMatch(/t0ken|s3cret/);
  });
  it('contains a text that is too short for a secret, and no control characters', async () => {
    const error = await failure({ body: { message: 'a 7-chars\n' } }, { secrets: ['7-chars'] });
    expect(error.message).toBe('HTTP 400  a 7-chars?');
  });
  it('hides the secret members of a form', async () => {
    const body = { error: 'x', error_description: 'the-code-1 of application-1' };
    const { api } = await service({ status: 400, body });
    const members = { code: 'the-code-1', client_id: 'application-1' };
    const message = 'HTTP 400 x [hidden] of application-1';
    for (const form of [members, new URLSearchParams(members)])
      await expect(post({ api }, '/t', form)).rejects.toMatchObject({ message });
  });
});

describe('an API address', () => {
  it.each([
    'https://host.example/api',
    'http://localhost:1/api/',
    'http://127.0.0.1/api',
    'http://[::1]/api//',
  ])('may be %s', (api) => {
    expect(addressOf(api, '/x').pathname).toBe('/api/x');
  });
  it.each([
    'http://host.example/api',
    'ftp://localhost/api',
    'https://user@host.example/api',
    'https://:word@host.example/api',
    'http://localhost.example/api',
    'http://127.0.0.1.example/api',
    'no address',
    '',
  ])('may not be %j', (api) => {
    expect(() => addressOf(api, '/x')).toThrow('api: must be an https address');
  });
});

it('isTooDeep is true for a value with more than 100 levels', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  expect([1, 99, 100, 101].map((levels) => isTooDeep(nested(levels)))).toEqual([false, false, false, true]);
  expect(isTooDeep({ a: [{ b: null }, 1], c: 'x' })).toBe(false);
  expect(isTooDeep(null)).toBe(false);
});

it('tokenSetOf accepts the response of a token endpoint without optional members', () => {
  const least = { accessToken: 't', tokenType: 'Bearer', expiresIn: 0, scopes: [] };
  expect(tokenSetOf({ access_token: 't' })).toEqual({
    ...least,
    refreshToken: undefined,
    idToken: undefined,
  });
  expect(
    tokenSetOf({ access_token: 't', scope: 1, expires_in: '5', token_type: null, id_token: {} }),
  ).toEqual({
    ...least,
    refreshToken: undefined,
    idToken: undefined,
  });
  expect(
    tokenSetOf({
      access_token: 't',
      token_type: 'MAC',
      expires_in: 5,
      refresh_token: 'r',
      scope: ' a  b',
      id_token: 'i',
    }),
  ).toEqual({
    accessToken: 't',
    tokenType: 'MAC',
    expiresIn: 5,
    refreshToken: 'r',
    scopes: ['a', 'b'],
    idToken: 'i',
  });
  for (const answer of [{}, { access_token: '' }, { access_token: 1 }])
    expect(() => tokenSetOf(answer)).toThrow('holds no access_token');
});
