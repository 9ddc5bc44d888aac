import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { anybody, defineOperation } from '../../../../src/emulator/api/operation.ts';
import { operations } from '../../../../src/emulator/compose/operations.ts';
import {
  answerText,
  requestAddress,
  requestText,
} from '../../../../src/emulator/serve/http/exchange-text.ts';
import { Routes } from '../../../../src/emulator/serve/http/routes.ts';

const TOKEN = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4';
const of = (id: string) => {
  const found = operations.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
};
const { literals } = new Routes([...operations]);
const H = '[hidden]';

describe('the address of a request in the journal', () => {
  it.each<[operation: string | undefined, url: string, shown: string]>([
    ['get_my_user', '/api/v10/users/@me', '/api/v10/users/@me'],
    ['get_my_user', '/api/users/@me', '/api/users/@me'],
    ['get_user', '/api/v10/users/200000000000000001', '/api/v10/users/200000000000000001'],
    ['get_user', '/api/v10/users/@me', '/api/v10/users/@me'],
    ['get_user', `/api/v10/users/${TOKEN}`, `/api/v10/users/${H}`],
    ['get_user', '/api/v10/users/123456789012345678901', `/api/v10/users/${H}`],
    ['get_user', '/api/v10/users/x1', `/api/v10/users/${H}`],
    ['get_user', '/api/v10/users/1x', `/api/v10/users/${H}`],
    ['execute_webhook', `/api/webhooks/900/${TOKEN}`, `/api/webhooks/900/${H}`],
    ['execute_webhook', '/api/webhooks/900/5', `/api/webhooks/900/${H}`],
    [
      'get_original_webhook_message',
      `/api/webhooks/900/${TOKEN}/messages/@original`,
      `/api/webhooks/900/${H}/messages/@original`,
    ],
    [
      'create_interaction_response',
      `/api/v10/interactions/5/${TOKEN}/callback?with_response=true`,
      `/api/v10/interactions/5/${H}/callback?with_response=true`,
    ],
    [
      'list_messages',
      '/api/v10/channels/5/messages?limit=5&before=6',
      '/api/v10/channels/5/messages?limit=5&before=6',
    ],
    [
      'list_messages',
      `/api/v10/channels/5/messages?limit=${TOKEN}`,
      `/api/v10/channels/5/messages?limit=${H}`,
    ],
    [
      'list_messages',
      `/api/v10/channels/5/messages?other=${TOKEN}`,
      `/api/v10/channels/5/messages?other=${H}`,
    ],
    [
      'list_messages',
      '/api/v10/channels/5/messages?other=true&that=false',
      '/api/v10/channels/5/messages?other=true&that=false',
    ],
    ['list_messages', '/api/v10/channels/5/messages?', '/api/v10/channels/5/messages?'],
    ['get_gateway', `/api/v10/gateway?token=${TOKEN}&x=5`, `/api/v10/gateway?token=${H}&x=${H}`],
    [undefined, `/api/v10/webhooks/5/${TOKEN}?x=true`, `/api/v10/webhooks/5/${H}?x=${H}`],
    [undefined, '/api/v10/oauth2/nothing', `/api/v10/oauth2/nothing`],
    [undefined, '/api/@me/@original', '/api/@me/@original'],
    [undefined, '/@other', `/${H}`],
    [undefined, '/api/v10/{user_id}', `/api/v10/${H}`],
    [
      undefined,
      '/api/v10/applications/@me/role-connections/metadata',
      '/api/v10/applications/@me/role-connections/metadata',
    ],
  ])('of %s %s is %s', (id, url, shown) => {
    expect(requestAddress(url, id === undefined ? undefined : of(id), literals)).toBe(shown);
  });

  it('has the names and numbers of a path that are public, and no other', () => {
    const place = (path: string) =>
      defineOperation({
        id: 'place',
        summary: 'x',
        route: `GET ${path as '/x'}`,
        query: z.object({
          name: z.optional(z.string()),
          site: z.optional(z.string()),
          token: z.optional(z.string()),
        }),
        who: [anybody],
        answers: { 200: z.unknown() },
        handle: () => ({ status: 200, body: {} }),
      }) as ReturnType<typeof of>;
    const shown = (path: string, url: string) => requestAddress(url, place(path), literals);
    for (const name of [
      'emoji_name',
      'filename',
      'instance_id',
      'provider_type',
      'user_id_1',
      'action_type',
    ]) {
      expect(shown(`/a/{${name}}`, '/api/a/high-tide'), name).toBe('/api/a/high-tide');
    }
    expect(shown('/a/{emoji_name}', '/api/a/%F0%9F%8C%8A')).toBe('/api/a/%F0%9F%8C%8A');
    expect(shown('/a/{code}', '/api/a/high-tide')).toBe(`/api/a/${H}`);
    expect(shown('/a/{filename}', `/api/a/Bearer%20${TOKEN}`)).toBe(`/api/a/${H}`);
    expect(shown('/a/b/{a_id}/c', '/api/a/B/5/c')).toBe(`/api/a/${H}/5/c`);
    expect(shown('/a', '/api/a?name=high&site=http://a.test/x')).toBe(
      '/api/a?name=high&site=http://a.test/x',
    );
    expect(shown('/a', `/api/a?site=http://u:p@a.test/${TOKEN}`)).toBe(`/api/a?site=${H}`);
    expect(shown('/a', `/api/a?name=Bearer+${TOKEN}&token=abc`)).toBe(`/api/a?name=${H}&token=${H}`);
  });
});

describe('the body of an exchange in the journal', () => {
  const json = (value: unknown) => JSON.stringify(value);
  it('has the fields that the operation declares for a request', () => {
    const operation = of('create_message');
    const shown = JSON.parse(
      requestText(json({ content: 'high', tts: true, other: 'secret', password: 'x' }), operation),
    );
    expect(shown).toMatchObject({ content: 'high', tts: true });
    expect(json(shown)).not.toContain('secret');
    expect(requestText(json({ content: 'high' }), undefined)).not.toContain('high');
    expect(requestText(json({ content: 'high' }), of('get_gateway'))).not.toContain('high');
  });

  it('has the fields of the answer with its status, and else of a refusal', () => {
    const operation = of('get_gateway');
    expect(answerText(json({ url: 'ws://127.0.0.1/' }), operation, 200)).toContain('ws://127.0.0.1/');
    expect(answerText(json({ url: 'ws://127.0.0.1/' }), operation, 404)).not.toContain('ws://');
    expect(answerText(json({ url: 'ws://127.0.0.1/' }), undefined, 200)).not.toContain('ws://');
    const refusal = {
      message: 'Invalid Form Body',
      code: 50035,
      errors: {
        user: {
          0: { name: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] } },
          _errors: [{ code: 'BASE_TYPE_INVALID', message: 'It is wrong' }],
        },
      },
      retry_after: 0.5,
      global: false,
      error: 'invalid_request',
      error_description: 'Missing "code" in request.',
    };
    expect(JSON.parse(answerText(json(refusal), operation, 400))).toEqual(refusal);
    expect(JSON.parse(answerText(json(refusal), undefined, 404))).toEqual(refusal);
    expect(answerText(json({ ...refusal, more: 'private' }), operation, 400)).not.toContain('private');
  });
});

describe('the routes', () => {
  const operation = (id: string, method: 'GET' | 'POST' | 'PUT', path: string, at?: 'site') =>
    defineOperation({
      id,
      summary: 'x',
      route: `${method} ${path as '/x'}`,
      ...(at === undefined ? {} : { at }),
      who: [anybody],
      answers: { 200: z.unknown() },
      handle: () => ({ status: 200, body: {} }),
    });
  const routes = new Routes([
    operation('list', 'GET', '/notes'),
    operation('make', 'POST', '/notes'),
    operation('one', 'GET', '/notes/{note_id}'),
    operation('own', 'GET', '/notes/@me'),
    operation('deep', 'PUT', '/notes/{note_id}/parts/{part}'),
    operation('page', 'GET', '/notes', 'site'),
  ] as never);
  const find = (method: string, path: string, at: 'api' | 'site' = 'api') => {
    const found = routes.find(method, { at, path, version: 10 });
    return found.kind === 'found' ? [found.operation.id, found.params] : found;
  };
  const unknown = { kind: 'unknown' };

  it('lead to an operation by its method, its path and its place', () => {
    expect(find('GET', '/notes')).toEqual(['list', {}]);
    expect(find('POST', '/notes')).toEqual(['make', {}]);
    expect(find('GET', '/notes', 'site')).toEqual(['page', {}]);
    expect(find('GET', '/notes/@me')).toEqual(['own', {}]);
    expect(find('GET', '/notes/7')).toEqual(['one', { note_id: '7' }]);
    expect(find('PUT', '/notes/7/parts/a%20b')).toEqual(['deep', { note_id: '7', part: 'a b' }]);
    expect(find('GET', `/notes/${'x'.repeat(512)}`)).toEqual(['one', { note_id: 'x'.repeat(512) }]);
    for (const path of [
      '/NOTES',
      '/Notes/7',
      '/notes/7/',
      '/notes/7/parts',
      '/other',
      '/',
      '',
      `/notes/${'x'.repeat(513)}`,
    ]) {
      expect(find('GET', path), path).toEqual(unknown);
    }
    expect(find('GET', '/notes/7', 'site')).toEqual(unknown);
  });

  it('name the methods of a path that takes another', () => {
    const wrong = (...allowed: string[]) => ({ kind: 'wrong-method', allowed });
    expect(find('PUT', '/notes')).toEqual(wrong('GET', 'POST'));
    expect(find('OPTIONS', '/notes')).toEqual(wrong('GET', 'POST'));
    expect(find('get', '/notes')).toEqual(wrong('GET', 'POST'));
    expect(find('GET', '/notes/7/parts/8')).toEqual(wrong('PUT'));
    expect(find('POST', '/notes', 'site')).toEqual(wrong('GET'));
  });

  it('know the fixed segments of all paths', () => {
    expect([...routes.literals].sort()).toEqual(['@me', 'notes', 'parts']);
  });
});
