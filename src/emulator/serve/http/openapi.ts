import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import type { Access, BodyKind, Operation } from '../../api/operation.ts';
import { isIdParam } from './id-params.ts';

/** A JSON Schema 2020-12, or another object of the document. */
type Json = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: Json;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> } & Json;
  readonly [extension: string]: unknown;
}

/** Prefix with the API version in the document's paths. */
const VERSION = '/api/v10';

const MEDIA_TYPES: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  any: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/** Schemas of error bodies: the API's own, and that of RFC 6749. */
const errorShape = z
  .looseObject({ message: z.string(), code: z.int(), errors: z.optional(z.record(z.string(), z.unknown())) })
  .meta({ id: 'Error' });
const oauth2ErrorShape = namedShape('OAuth2Error', {
  error: z.string(),
  error_description: z.optional(z.string()),
});

/**
 * The OpenAPI document of the emulator, derived from its operations. @throws Error when two schemas have the same name.
 */
export function openApiDocument(version: string, offered: readonly Operation[]): OpenApiDocument {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of offered) {
    const path = `${operation.at === 'api' ? VERSION : ''}${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described(operation, schemas) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Footbridge, the offline platform',
      version,
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
    paths,
    components: {
      schemas: schemas.named,
      securitySchemes: {
        BotToken: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Bot` and the token' },
        OAuth2: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: '/oauth2/authorize',
              tokenUrl: `${VERSION}/oauth2/token`,
              scopes: Object.fromEntries(scopesOf(offered).map((scope) => [scope, ''])),
            },
          },
        },
        Client: { type: 'http', scheme: 'basic', description: 'Id and secret of the application' },
      },
    },
  };
}

/** Collects named schemas, so that each appears once, under its name. */
class Schemas {
  readonly #named = new Map<string, Json>();

  get named(): Readonly<Record<string, Json>> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const made = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' }) as Json;
    const { $schema: _draft, $defs = {}, ...rest } = withReferences(made) as Json;
    for (const [name, part] of Object.entries($defs as Readonly<Record<string, Json>>)) {
      this.#name(name, part);
    }
    return rest;
  }

  #name(name: string, { id: _id, ...schema }: Json): void {
    const known = this.#named.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas are called ${name}`);
    }
    this.#named.set(name, schema);
  }
}

/** Rewrites references so that they point to the document's own schemas. */
function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : withReferences(inner),
    ]),
  );
}

function described(operation: Operation, schemas: Schemas): Json {
  const { id, summary, body, who, ours, since, until, notOffered } = operation;
  const description = [
    ...(ours === undefined ? [] : [`Ours: ${ours}`]),
    ...(since === undefined ? [] : [`From ${since} on.`]),
    ...(until === undefined ? [] : [`Until ${until}.`]),
  ].join(' ');
  return {
    operationId: id,
    summary,
    ...(description === '' ? {} : { description }),
    parameters: parametersOf(operation, schemas),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body, schemas) }),
    responses: responsesOf(operation, schemas),
    security: who.flatMap((access) => securityOf(access, operation)),
    ...(notOffered.length === 0 ? {} : { 'x-not-offered': notOffered }),
  };
}

function parametersOf({ path, query }: Operation, schemas: Schemas): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: isIdParam(name) ? { type: 'string', pattern: '^(0|[1-9]\\d*)$' } : { type: 'string' },
  }));
  if (query === undefined) return inPath;
  const { properties = {}, required = [] } = schemas.of(query, 'input');
  const inQuery = Object.entries(properties as Readonly<Record<string, Json>>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as readonly string[]).includes(name),
    schema,
  }));
  return [...inPath, ...inQuery];
}

function requestBodyOf({ kinds, schema, files }: NonNullable<Operation['body']>, schemas: Schemas): Json {
  const fields = schemas.of(schema, 'input');
  const binary = { type: 'string', contentMediaType: 'application/octet-stream' };
  const withFiles = {
    allOf: [
      fields,
      {
        type: 'object',
        patternProperties: Object.fromEntries(
          (files?.fields ?? []).map((name) => [`^${name.replace('[n]', '\\[\\d+\\]')}$`, binary]),
        ),
      },
    ],
  };
  const media = kinds.map((kind) => {
    const isWithFiles = kind === 'multipart' && files !== undefined;
    return [MEDIA_TYPES[kind], { schema: isWithFiles ? withFiles : fields }];
  });
  return { required: true, content: Object.fromEntries(media) as Json };
}

function responsesOf({ answers, media, errors, isPage }: Operation, schemas: Schemas): Json {
  const error = schemas.of(errorShape, 'output');
  const refusals = errors === 'api' ? error : { anyOf: [schemas.of(oauth2ErrorShape, 'output'), error] };
  const page = { 'text/html': { schema: { type: 'string' } } };
  const documented = Object.entries(answers).map(([status, schema]) => {
    if (status === '200' && media !== undefined) {
      const content = { [media]: { schema: { type: 'string' } } };
      return [status, { description: 'The result', content }];
    }
    if (schema !== null) {
      const content = { 'application/json': { schema: schemas.of(schema, 'output') } };
      return [status, { description: 'The result', content }];
    }
    if (status.startsWith('3')) {
      return [status, { description: 'Redirect', headers: { Location: { schema: { type: 'string' } } } }];
    }
    const isPageReply = isPage && status !== '204';
    return [status, isPageReply ? { description: 'A page', content: page } : { description: 'Done' }];
  });
  return Object.fromEntries([
    ...documented,
    [
      'default',
      {
        description: 'A refusal',
        content: { 'application/json': { schema: refusals }, ...(isPage ? page : {}) },
      },
    ],
  ]) as Json;
}

function securityOf(access: Access, { body }: Operation): Json[] {
  switch (access.kind) {
    case 'anybody':
      return [{}];
    case 'client':
      // A JSON body contains the client's credentials in its own fields; only forms may use the Authorization header
      // instead.
      return body !== undefined && !body.kinds.includes('form') ? [{}] : [{ Client: [] }, {}];
    case 'bot':
      return [{ BotToken: [] }];
    case 'bearer':
      return access.scopes.length === 0
        ? [{ OAuth2: [] }]
        : access.scopes.map((scope) => ({ OAuth2: [scope] }));
  }
}

function scopesOf(offered: readonly Operation[]): string[] {
  const scopes = offered.flatMap(({ who }) =>
    who.flatMap((one) => (one.kind === 'bearer' ? one.scopes : [])),
  );
  return [...new Set(scopes)].sort();
}
