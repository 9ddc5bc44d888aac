import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { anybody, bearer, bot, client, defineOperation } from '../../../../src/emulator/api/operation.ts';
import { operations } from '../../../../src/emulator/compose/operations.ts';
import { type OpenApiDocument, openApiDocument } from '../../../../src/emulator/serve/http/openapi.ts';
import { ownFault } from '../../../helpers/own-document.ts';

/** Made anew by each test, once, so that each judges the code that makes it. */
const documentOf = () => openApiDocument('1.2.3', operations);

/** Every object of the document that leads elsewhere in it. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : references(inner),
  );
}

/** The judge takes a document apart; it gets a copy. */
async function faultsOf(given: OpenApiDocument) {
  const { valid, errors } = await new Validator().validate(
    structuredClone(given) as unknown as Parameters<Validator['validate']>[0],
  );
  return valid ? [] : errors;
}

describe('the OpenAPI document of the emulator', () => {
  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    const document = documentOf();
    expect(await faultsOf(document)).toEqual([]);
    expect(await faultsOf({ ...document, info: {} })).not.toEqual([]);
  });

  it('declares Basic only for operations that read it, not for credentials in JSON', () => {
    const { paths } = documentOf();
    const asked = (path: string) => paths[`/api/v10${path}`]?.['post']?.['security'];
    expect(asked('/oauth2/token')).toEqual([{ Client: [] }, {}]);
    expect(asked('/partner-sdk/token')).toEqual([{}]);
  });

  it('has each operation once, under its name, and no broken reference', () => {
    const document = documentOf();
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids)).toEqual(new Set(operations.map(({ id }) => id)));
    expect(ids).toHaveLength(operations.length);
    const named = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...new Set(references(document))].filter((place) => !named.includes(place))).toEqual([]);
  });

  it('marks every permission set, so that older versions can convert it [O-13]', () => {
    const unmarked = (value: unknown, at: string): string[] => {
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).flatMap(([key, inner]) => {
        const isSet =
          ['permissions', 'allow', 'deny'].includes(key) &&
          // Who may use a command is a list of others.
          (inner as { readonly type?: string }).type !== 'array' &&
          /"type":"string"/.test(JSON.stringify(inner));
        return isSet && !JSON.stringify(inner).includes('"format":"permissions"')
          ? [`${at}.${key}`]
          : unmarked(inner, `${at}.${key}`);
      });
    };
    const { paths, components } = documentOf();
    const answers = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ responses }) => responses),
    );
    expect([...answers, components.schemas].flatMap((one) => unmarked(one, ''))).toEqual([]);
  });

  it('has everything that the declaration of an operation has', () => {
    const thing = z.object({ id: z.string() }).meta({ id: 'Thing' });
    const made = openApiDocument('1', [
      defineOperation({
        id: 'make_thing',
        summary: 'Makes it.',
        route: 'PUT /things/{thing_id}/{name}',
        who: [bot, bearer('a', 'b'), client, anybody],
        query: z.object({ limit: z.int(), after: z.optional(z.string()) }),
        body: z.object({ name: z.string() }),
        bodyKinds: ['json', 'multipart'],
        files: { fields: ['files[n]'], maxCount: 1, maxFileBytes: 1, request: 1 },
        answers: { 200: z.array(thing), 204: null },
        notOffered: ['poll'],
        ours: 'Decided here.',
        since: '2030-01-01T00:00:00Z',
        handle: () => ({ status: 204, body: undefined }),
      }),
    ]);
    const fields = {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    };
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    expect(made.paths['/api/v10/things/{thing_id}/{name}']?.['put']).toEqual({
      operationId: 'make_thing',
      summary: 'Makes it.',
      description: 'Ours: Decided here. From 2030-01-01T00:00:00Z on.',
      parameters: [
        {
          name: 'thing_id',
          in: 'path',
          required: true,
          schema: expect.objectContaining({ pattern: expect.any(String) }),
        },
        { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'limit', in: 'query', required: true, schema: expect.objectContaining({ type: 'integer' }) },
        { name: 'after', in: 'query', required: false, schema: { type: 'string' } },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: fields },
          'multipart/form-data': {
            schema: { allOf: [fields, { type: 'object', patternProperties: { '^files\\[\\d+\\]$': file } }] },
          },
        },
      },
      responses: {
        200: {
          description: 'The result',
          content: {
            'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
          },
        },
        204: { description: 'Done' },
        default: {
          description: 'A refusal',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      security: [{ BotToken: [] }, { OAuth2: ['a'] }, { OAuth2: ['b'] }, {}, {}],
      'x-not-offered': ['poll'],
    });
    expect(made.components.schemas['Thing']).toMatchObject({ required: ['id'] });
  });

  it('says what it is, where it is served and how requesters prove who they are', () => {
    const { paths: _, components, ...rest } = openApiDocument('1.2.3', []);
    expect(rest).toEqual({
      openapi: '3.1.1',
      info: {
        title: 'Footbridge, the offline platform',
        version: '1.2.3',
        summary: 'What the emulator of Footbridge offers over HTTP',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [
        {
          url: 'http://127.0.0.1:{port}',
          description: 'The emulator; below /api the version may be 6 to 10, or be left out',
          variables: { port: { default: '6481' } },
        },
      ],
    });
    expect(components).toEqual({
      schemas: {},
      securitySchemes: {
        BotToken: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Bot` and the token' },
        OAuth2: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: '/oauth2/authorize',
              tokenUrl: '/api/v10/oauth2/token',
              scopes: {},
            },
          },
        },
        Client: { type: 'http', scheme: 'basic', description: 'Id and secret of the application' },
      },
    });
  });

  it('has several methods of a path, and names each schema and scope once, in order', () => {
    const make = (id: string, method: 'GET' | 'POST', scopes: readonly string[], name: string) =>
      defineOperation({
        id,
        summary: 'x',
        route: `${method} /things`,
        who: [bearer(...scopes)],
        answers: { 200: z.object({ id: z.string() }).meta({ id: name }) },
        handle: () => ({ status: 200, body: undefined }),
      });
    const { paths, components } = openApiDocument('1', [
      make('list_things', 'GET', ['b', 'a'], 'Thing'),
      make('make_thing', 'POST', ['a', 'c'], 'Part'),
    ] as never);
    expect(
      Object.entries(paths['/api/v10/things'] ?? {}).map(([method, one]) => [method, one['operationId']]),
    ).toEqual([
      ['get', 'list_things'],
      ['post', 'make_thing'],
    ]);
    expect(Object.keys(components.schemas)).toEqual(['Error', 'Part', 'Thing']);
    expect(components).toMatchObject({
      securitySchemes: { OAuth2: { flows: { authorizationCode: { scopes: { a: '', b: '', c: '' } } } } },
    });
    const { OAuth2: oauth2 } = components['securitySchemes'] as Record<
      string,
      { flows: { authorizationCode: { scopes: object } } }
    >;
    expect(Object.keys(oauth2?.flows.authorizationCode.scopes ?? {})).toEqual(['a', 'b', 'c']);
  });

  it('refers to a schema that is a whole body by its name', () => {
    const thing = z.object({ id: z.string() }).meta({ id: 'Thing' });
    const sent = z.looseObject({ name: z.string() }).meta({ id: 'SentThing' });
    const { paths, components } = openApiDocument('1', [
      defineOperation({
        id: 'make_thing',
        summary: 'x',
        route: 'POST /things',
        who: [anybody],
        body: sent,
        answers: { 200: thing },
        handle: () => ({ status: 200, body: undefined }),
      }),
    ] as never);
    const content = (name: string) => ({
      'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
    });
    expect(paths['/api/v10/things']?.['post']).toMatchObject({
      requestBody: { content: content('SentThing') },
      responses: { 200: { content: content('Thing') } },
    });
    expect(components.schemas).toMatchObject({
      SentThing: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      Thing: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    });
    expect(components.schemas['Thing']).not.toHaveProperty('id');
  });

  it('is refused when two schemas have one name', () => {
    const answering = (id: string, schema: z.ZodType) =>
      defineOperation({
        id,
        summary: 'x',
        route: `GET /${id}`,
        who: [anybody],
        answers: { 200: schema },
        handle: () => ({ status: 200, body: undefined }),
      });
    const [one, other] = [z.object({ a: z.string() }), z.object({ b: z.string() })];
    const made = () =>
      openApiDocument('1', [
        answering('a', one.meta({ id: 'Same' })),
        answering('b', other.meta({ id: 'Same' })),
      ]);
    expect(made).toThrow('Two schemas are called Same');
  });
});

describe('ownFault', () => {
  const headers = new Headers({ 'content-type': 'application/json' });
  const said = (status: number, body: unknown) =>
    ownFault('GET', '/api/v9/gateway', { status, headers, body });
  it('accepts declared responses and errors, and nothing else', () => {
    expect(said(200, { url: 'ws://x' })).toBeUndefined();
    expect(said(404, { message: 'x', code: 0 })).toBeUndefined();
    expect(said(200, { url: 7 })).toContain('get_gateway answers 200: data/url must be string');
    expect(said(200, { url: 'ws://x', more: 1 })).toContain('must NOT have additional properties');
    expect(said(404, { error: 'x' })).toContain("must have required property 'message'");
    expect(said(201, {})).toBe('get_gateway answers no 201');
    const page = { status: 200, headers: new Headers({ 'content-type': 'text/html' }), body: '' };
    expect(ownFault('GET', '/api/gateway', page)).toContain('no body of the kind "text/html"');
  });
});

it('an operation is described with its parameters, bodies, replies and rights', () => {
  const operation = defineOperation({
    id: 'mend_boat',
    summary: 'Mends a boat.',
    route: 'POST /boats/{boat_id}/{part}',
    who: [bot, bearer('a', 'b'), bearer(), anybody],
    query: z.object({ deep: z.optional(z.string()), at: z.string() }),
    body: z.object({ name: z.string() }),
    bodyKinds: ['json', 'multipart'],
    files: { fields: ['files[n]', 'plan'], maxCount: 2, maxFileBytes: 1, request: 1 },
    notOffered: ['paint'],
    ours: 'It floats.',
    since: '2026-01-01',
    until: '2027-01-01',
    answers: { 200: z.object({ id: z.string() }).meta({ id: 'Boat' }), 204: null, 302: null },
    handle: () => ({ status: 204, body: undefined }),
  });
  const page = defineOperation({
    id: 'see_boat',
    summary: 'A page.',
    route: 'GET /boats/{boat_id}',
    at: 'site',
    isPage: true,
    errors: 'oauth2',
    who: [client],
    answers: { 200: null, 204: null },
    handle: () => ({ status: 204, body: undefined }),
  });
  const picture = defineOperation({
    id: 'see_picture',
    summary: 'A picture.',
    route: 'GET /pictures',
    media: 'image/png',
    who: [anybody],
    answers: { 200: null },
    handle: () => ({ status: 204, body: undefined }),
  });
  const {
    paths,
    components,
    info,
    ['servers']: servers,
  } = openApiDocument('1.2.3', [operation, page, picture] as never);
  const error = { $ref: '#/components/schemas/Error' };
  const body = expect.objectContaining({ type: 'object', required: ['name'] });
  expect(paths['/api/v10/boats/{boat_id}/{part}']).toEqual({
    post: {
      operationId: 'mend_boat',
      summary: 'Mends a boat.',
      description: 'Ours: It floats. From 2026-01-01 on. Until 2027-01-01.',
      parameters: [
        {
          name: 'boat_id',
          in: 'path',
          required: true,
          schema: { type: 'string', pattern: '^(0|[1-9]\\d*)$' },
        },
        { name: 'part', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'deep', in: 'query', required: false, schema: { type: 'string' } },
        { name: 'at', in: 'query', required: true, schema: { type: 'string' } },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: body },
          'multipart/form-data': {
            schema: {
              allOf: [
                body,
                {
                  type: 'object',
                  patternProperties: {
                    '^files\\[\\d+\\]$': { type: 'string', contentMediaType: 'application/octet-stream' },
                    '^plan$': { type: 'string', contentMediaType: 'application/octet-stream' },
                  },
                },
              ],
            },
          },
        },
      },
      responses: {
        200: {
          description: 'The result',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Boat' } } },
        },
        204: { description: 'Done' },
        302: { description: 'Redirect', headers: { Location: { schema: { type: 'string' } } } },
        default: { description: 'A refusal', content: { 'application/json': { schema: error } } },
      },
      security: [{ BotToken: [] }, { OAuth2: ['a'] }, { OAuth2: ['b'] }, { OAuth2: [] }, {}],
      'x-not-offered': ['paint'],
    },
  });
  const html = { 'text/html': { schema: { type: 'string' } } };
  expect(paths['/boats/{boat_id}']?.['get']).toMatchObject({
    responses: {
      200: { description: 'A page', content: html },
      204: { description: 'Done' },
      default: {
        content: {
          'application/json': { schema: { anyOf: [{ $ref: '#/components/schemas/OAuth2Error' }, error] } },
          ...html,
        },
      },
    },
    security: [{ Client: [] }, {}],
  });
  expect(paths['/boats/{boat_id}']?.['get']).not.toHaveProperty('description');
  expect(paths['/boats/{boat_id}']?.['get']).not.toHaveProperty('x-not-offered');
  expect(paths['/api/v10/pictures']?.['get']).toMatchObject({
    responses: {
      200: { description: 'The result', content: { 'image/png': { schema: { type: 'string' } } } },
    },
  });
  expect(Object.keys(components.schemas)).toEqual(['Boat', 'Error', 'OAuth2Error']);
  expect(components).toMatchObject({
    securitySchemes: {
      BotToken: { type: 'apiKey', in: 'header', name: 'Authorization' },
      OAuth2: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: '/oauth2/authorize',
            tokenUrl: '/api/v10/oauth2/token',
            scopes: { a: '', b: '' },
          },
        },
      },
      Client: { type: 'http', scheme: 'basic' },
    },
  });
  expect([info['version'], servers]).toEqual([
    '1.2.3',
    [expect.objectContaining({ url: 'http://127.0.0.1:{port}' })],
  ]);
});
