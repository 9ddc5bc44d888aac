import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { OAuth2Error } from '../../../../src/emulator/accounts/oauth2/error.ts';
import { permissionSet } from '../../../../src/emulator/api/fields.ts';
import {
  mayReachPage,
  mayRequest,
  preflight,
  readableBy,
} from '../../../../src/emulator/serve/http/browser.ts';
import { credentialsOf } from '../../../../src/emulator/serve/http/credentials.ts';
import { fieldWithin } from '../../../../src/emulator/serve/http/field-within.ts';
import { oauth2Refusal, readOAuth2 } from '../../../../src/emulator/serve/http/oauth2-errors.ts';
import { ownerOf } from '../../../../src/emulator/serve/http/owner.ts';
import {
  hasPermissionAliases,
  withPermissionAliases,
} from '../../../../src/emulator/serve/http/permission-aliases.ts';
import { requestPathOf } from '../../../../src/emulator/serve/http/routes.ts';
import { formOf, objectOf, pairsOf, textsOf } from '../../../../src/emulator/serve/http/texts.ts';
import { isForGateway, withoutUpgrade } from '../../../../src/emulator/serve/http/upgrade.ts';
import { APP } from '../../../helpers/platform.ts';

const PAGE = 'http://page.test';
const isLetIn = (origin: string) => origin === PAGE;

describe('a request of a browser', () => {
  it.each([
    [{}, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-origin' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ origin: PAGE }, true],
    [{ origin: PAGE, 'sec-fetch-site': 'cross-site' }, true],
    [{ origin: 'http://other.test' }, false],
    [{ origin: '' }, false],
  ])('with %j may read data: %s', (headers, may) => {
    expect(mayRequest(headers, isLetIn)).toBe(may);
  });

  const host = '127.0.0.1:6481';
  const navigated = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  it.each([
    ['GET', {}, true],
    ['GET', navigated, true],
    ['GET', { 'sec-fetch-mode': 'cors' }, true],
    ['GET', { ...navigated, 'sec-fetch-mode': 'cors' }, false],
    ['GET', { ...navigated, 'sec-fetch-dest': 'iframe' }, false],
    ['GET', { origin: `http://${host}` }, false],
    ['POST', { origin: `http://${host}` }, true],
    ['POST', { origin: 'http://other.test' }, false],
    ['POST', {}, false],
    ['POST', { ...navigated, origin: `http://${host}` }, true],
    ['POST', { ...navigated, 'sec-fetch-dest': 'empty', origin: `http://${host}` }, false],
  ])('by %s with %j may reach a page: %s', (method, headers, may) => {
    expect(mayReachPage(method, { host, ...headers })).toBe(may);
  });

  it('of a page that is let in may read the reply and all its headers', () => {
    expect(readableBy({}, isLetIn)).toBeUndefined();
    expect(readableBy({ origin: 'http://other.test' }, isLetIn)).toBeUndefined();
    expect(readableBy({ origin: PAGE }, isLetIn)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-expose-headers': '*',
    });
  });

  it('is a preflight only as OPTIONS with the method that follows', () => {
    const of = (method: string, headers: object) => preflight({ method, headers } as IncomingMessage);
    const asks = { 'access-control-request-method': 'PUT' };
    expect(of('GET', asks)).toBeUndefined();
    expect(of('OPTIONS', {})).toBeUndefined();
    expect(of('OPTIONS', asks)).toEqual({
      status: 204,
      body: undefined,
      headers: {
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': '*, authorization',
        'access-control-max-age': '600',
      },
    });
  });
});

describe('the credentials of a client', () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  it.each([
    [{}, { client_id: '1', client_secret: 's' }, ['1', 's']],
    [{}, { client_id: '1' }, ['1', undefined]],
    [{}, { client_id: '1', client_secret: 5 }, ['1', undefined]],
    [{ authorization: 'Bearer x' }, { client_id: '1', client_secret: 's' }, ['1', 's']],
    [basic('1:a%3Ab+c'), {}, ['1', 'a:b c']],
    [basic('1:100%'), undefined, ['1', '100%']],
    [basic('1:s:t'), null, ['1', 's:t']],
    [basic('1:s'), { client_id: '1', client_secret: 'other' }, ['1', 's']],
    [{ authorization: `${basic('1:s').authorization}  ` }, 'text', ['1', 's']],
  ])('%j and %j', (headers, body, expected) => {
    const { clientId, clientSecret } = credentialsOf(headers, body);
    expect([clientId, clientSecret]).toEqual(expected);
  });

  it.each([
    [{}, {}, 'No client id.'],
    [{}, { client_id: 5 }, 'No client id.'],
    [{}, Object.create({ client_id: '1' }), 'No client id.'],
    [basic('without'), {}, 'Malformed credentials.'],
    [basic('1:s'), { client_id: '2' }, 'Two different client ids.'],
  ])('%j and %j are refused', (headers, body, description) => {
    expect(() => credentialsOf(headers, body)).toThrow(
      expect.objectContaining({ error: 'invalid_client', description }),
    );
  });
});

describe('an OAuth 2.0 error', () => {
  const refusal = (error: OAuth2Error['error'], headers = {}) =>
    oauth2Refusal(new OAuth2Error(error, 'why'), headers);
  it('of the client is 401, with a challenge for HTTP Basic alone', () => {
    expect(refusal('invalid_client')).toEqual({ status: 401, body: { error: 'invalid_client' } });
    expect(refusal('invalid_client', { authorization: 'Bearer x' })).not.toHaveProperty('headers');
    expect(refusal('invalid_client', { authorization: 'BASIC x' })).toEqual({
      status: 401,
      body: { error: 'invalid_client' },
      headers: { 'WWW-Authenticate': 'Basic realm="oauth2"' },
    });
  });

  it.each([
    ['temporarily_unavailable', 503],
    ['access_denied', 400],
    ['authorization_pending', 400],
    ['expired_token', 400],
    ['slow_down', 400],
    ['invalid_grant', 400],
    ['invalid_request', 400],
    ['invalid_scope', 400],
    ['unauthorized_client', 400],
    ['unsupported_grant_type', 400],
  ] as const)('%s is %i with its description', (error, status) => {
    expect(refusal(error)).toEqual({ status, body: { error, error_description: 'why' } });
  });

  const schema = z.object({ code: z.string().min(1), count: z.optional(z.int()) });
  it.each([
    [{}, 'Missing "code" in request.'],
    [{ code: '' }, 'Missing "code" in request.'],
    [{ code: 5 }, 'Invalid "code" in request.'],
    [{ code: 'x', count: 'y' }, 'Invalid "count" in request.'],
    [Object.create({ code: 5 }), 'Missing "code" in request.'],
    ['x', 'The body is not an object of fields.'],
    [null, 'The body is not an object of fields.'],
  ])('of %j names the field', (value, description) => {
    expect(() => readOAuth2(schema, value)).toThrow(
      expect.objectContaining({ error: 'invalid_request', description }),
    );
  });

  it('is none where the value is right', () => {
    expect(readOAuth2(schema, { code: 'x', other: 1 })).toEqual({ code: 'x' });
  });
});

describe('a field that is not offered', () => {
  it.each<[unknown, string | undefined]>([
    [{ a: 1 }, 'a'],
    [{ a: 0, b: { c: 'x' } }, 'b.c'],
    [{ list: [{}, { d: true }] }, 'list.[].d'],
    [{ list: [{ d: false }] }, undefined],
    [{ list: { d: true } }, undefined],
    [{ list: 5, b: null }, undefined],
    [{ b: 'text' }, undefined],
    [Object.create({ a: 1 }), undefined],
    [{ a: [] }, undefined],
    [{ a: ['x'] }, 'a'],
    ...[null, false, 0, '', '0', 'false', 'False'].map((a): [unknown, undefined] => [{ a }, undefined]),
    ...[true, 1, 'x', '1', {}].map((a): [unknown, string] => [{ a }, 'a']),
    [undefined, undefined],
  ])('in %j is %s', (value, field) => {
    expect(fieldWithin(['a', 'b.c', 'list.[].d'], value)).toBe(field);
  });
});

describe('the owner of what a request adds', () => {
  const tables = {
    channel_webhooks: {
      get: (id: string) =>
        id === '5' ? { application: '50' } : id === '6' ? { application: null } : undefined,
    },
    interactions: { get: (id: string) => (id === '7' ? { application: '70' } : undefined) },
  } as never;
  it.each([
    [{ kind: 'bot', application: { id: '1' } }, { webhook_id: '5' }, '1'],
    [{ kind: 'bearer', clientId: '2' }, { webhook_id: '5' }, '2'],
    [undefined, { interaction_id: '7' }, '70'],
    [undefined, { interaction_id: '8' }, undefined],
    [undefined, { webhook_id: '5' }, '50'],
    [undefined, { webhook_id: '6' }, '6'],
    [undefined, { webhook_id: APP }, APP],
    [undefined, {}, undefined],
  ])('%j with %j is %s', (caller, params, owner) => {
    expect(ownerOf(caller as never, params, tables)).toBe(owner);
  });
});

describe('permissions in older versions', () => {
  it('are numbers with an alias up to version 7, and where none is named', () => {
    expect([undefined, 6, 7, 8, 10].map(hasPermissionAliases)).toEqual([true, true, true, false, false]);
  });

  it('are spelled at every depth of a declared reply, and nowhere else', () => {
    const role = z.object({ permissions: permissionSet(), name: z.string() });
    const schema = z.object({
      roles: z.array(role),
      allow: z.nullable(permissionSet()),
      permissions: z.string(),
      one: z.optional(role),
    });
    const large = String((1n << 40n) | 5n);
    const body = {
      roles: [{ permissions: large, name: '7' }],
      allow: null,
      permissions: '9',
      one: { permissions: '8', name: 'x' },
    };
    expect(withPermissionAliases({ answers: { 200: schema } }, 200, body)).toEqual({
      roles: [{ permissions: 5, permissions_new: large, name: '7' }],
      allow: null,
      permissions: '9',
      one: { permissions: 8, permissions_new: '8', name: 'x' },
    });
    expect(withPermissionAliases({ answers: { 200: schema } }, 400, body)).toBe(body);
    expect(withPermissionAliases({ answers: { 204: null } }, 204, undefined)).toBeUndefined();
    const plain = z.object({ permissions: z.string() });
    expect(withPermissionAliases({ answers: { 200: plain } }, 200, body)).toBe(body);
    expect(withPermissionAliases({ answers: { 200: z.array(role) } }, 200, [null, body.one])).toEqual([
      null,
      { permissions: 8, permissions_new: '8', name: 'x' },
    ]);
  });
});

describe('a path', () => {
  it.each([
    ['/api/v10/users/@me', { at: 'api', path: '/users/@me', version: 10 }],
    ['/api/users/@me', { at: 'api', path: '/users/@me', version: undefined }],
    ['/api/v10', { at: 'api', path: '/v10', version: undefined }],
    ['/api/v12345/x', { at: 'api', path: '/v12345/x', version: undefined }],
    ['/api/vx/x', { at: 'api', path: '/vx/x', version: undefined }],
    ['/oauth2/authorize', { at: 'site', path: '/oauth2/authorize', version: undefined }],
    ['/x/api/v10/y', { at: 'site', path: '/x/api/v10/y', version: undefined }],
  ])('%s', (pathname, expected) => {
    expect(requestPathOf(pathname)).toEqual(expected);
  });
});

describe('an upgrade', () => {
  it.each([
    ['websocket', '/gateway', true],
    ['WebSocket', '/gateway/?v=10', true],
    ['websocket', '/', true],
    ['websocket', '/?v=10', true],
    ['websocket', '/gateway/x', false],
    ['websocket', '/gatewayx', false],
    ['websocket', '/x/gateway', false],
    ['h2c', '/gateway', false],
    [undefined, '/gateway', false],
  ])('to %s at %s is for the gateway: %s', (upgrade, url, is) => {
    expect(isForGateway({ headers: { upgrade }, url } as IncomingMessage)).toBe(is);
  });

  it('to another protocol is a plain request without it', () => {
    const rawHeaders = [
      'Host',
      'x',
      'Upgrade',
      'h2c',
      'connection',
      'Upgrade',
      'HTTP2-Settings',
      'y',
      'X-Upgrade',
      'z',
    ];
    const request = { method: 'POST', url: '/a?b', httpVersion: '1.1', rawHeaders } as IncomingMessage;
    expect(withoutUpgrade(request, Buffer.from('body')).toString()).toBe(
      'POST /a?b HTTP/1.1\r\nHost: x\r\nX-Upgrade: z\r\n\r\nbody',
    );
  });
});

describe('texts of a query or a form', () => {
  const schema = z.object({
    count: z.optional(z.int()),
    half: z.optional(z.number()),
    flag: z.optional(z.boolean()),
    kind: z.optional(z.literal([1, 2])),
    name: z.optional(z.string()),
    either: z.optional(z.union([z.string(), z.int()])),
    list: z.optional(z.array(z.int())),
    words: z.optional(z.array(z.string())),
  });
  const read = (text: string) => objectOf(schema, textsOf(pairsOf(text)));
  it.each<[string, object]>([
    ['count=5&half=-1.5&kind=2', { count: 5, half: -1.5, kind: 2 }],
    ['count=120&half=-12.25', { count: 120, half: -12.25 }],
    ['count=x&half=1e3', { count: 'x', half: '1e3' }],
    ['count=1234567890123456', { count: '1234567890123456' }],
    ['half=1.1234567&count=', { half: '1.1234567', count: '' }],
    ['half=x1&count=1x', { half: 'x1', count: '1x' }],
    ...['true', 'True', '1'].map((text): [string, object] => [`flag=${text}`, { flag: true }]),
    ...['false', 'False', '0'].map((text): [string, object] => [`flag=${text}`, { flag: false }]),
    ['flag=yes', { flag: 'yes' }],
    ['name=5&either=5', { name: '5', either: '5' }],
    ['list=1&list=2&words=3', { list: [1, 2], words: ['3'] }],
    ['name=a&name=b', { name: ['a', 'b'] }],
    ['unknown=5', { unknown: '5' }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ['count=&name=&list=&flag=', { name: '' }],
    ['count=&list=1&list=', { list: [1] }],
    ['unknown=&name=x', { name: 'x' }],
    ['count=5', { count: 5 }],
    ['words=&words=a', { words: ['', 'a'] }],
  ])('of a form count as left out where an empty one is not accepted: %s', (text, expected) => {
    expect(formOf(schema, textsOf(pairsOf(text)))).toEqual(expected);
  });
});
