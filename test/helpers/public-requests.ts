import { readFileSync } from 'node:fs';

/** What the platform's public document says that a request may bring. */
export interface PublicRequest {
  readonly operationId: string;
  /** Of the query and the body: `a`, `a.b`, `[].a`, each once. A schema within itself is followed once. */
  readonly fields: readonly string[];
  /** Those of the body that are a snowflake, in the same words; an item of a list is `a.[]`. */
  readonly ids: readonly string[];
  /** Lists of the body whose values are distinct, in the same words. */
  readonly sets: readonly string[];
  /** `json`, `form`, `multipart`. */
  readonly kinds: readonly string[];
  /** `anybody`, `bot`, `bearer`. */
  readonly who: readonly string[];
}

interface Schema {
  readonly $ref?: string;
  readonly format?: string;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described | readonly Parameter[]>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const KINDS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'multipart',
};

const CALLERS: Readonly<Record<string, string>> = { BotToken: 'bot', OAuth2: 'bearer' };

/** Reads the requests of every operation of the document at `path`. */
export function publicRequests(path: string): readonly PublicRequest[] {
  const { paths, components } = JSON.parse(readFileSync(path, 'utf8')) as Document;

  function fieldsOf(schema: Schema, place: string, above: readonly string[]): string[] {
    const { $ref, properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema;
    if ($ref !== undefined) {
      const target = components.schemas[$ref.split('/').at(-1) ?? ''];
      return target === undefined || above.includes($ref) ? [] : fieldsOf(target, place, [...above, $ref]);
    }
    return [
      ...Object.entries(properties).flatMap(([name, inner]) => [
        `${place}${name}`,
        ...fieldsOf(inner, `${place}${name}.`, above),
      ]),
      ...(items === undefined ? [] : fieldsOf(items, `${place}[].`, above)),
      ...[...allOf, ...anyOf, ...oneOf].flatMap((one) => fieldsOf(one, place, above)),
    ];
  }

  function placesOf(
    is: (schema: Schema) => boolean,
    schema: Schema,
    place: readonly string[] = [],
    above: readonly string[] = [],
  ): string[] {
    const { $ref, properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema;
    if ($ref !== undefined) {
      const target = components.schemas[$ref.split('/').at(-1) ?? ''];
      if (target === undefined || above.includes($ref)) return [];
      return placesOf(is, target, place, [...above, $ref]);
    }
    return [
      ...(is(schema) ? [place.join('.')] : []),
      ...Object.entries(properties).flatMap(([name, inner]) => placesOf(is, inner, [...place, name], above)),
      ...(items === undefined ? [] : placesOf(is, items, [...place, '[]'], above)),
      ...[...allOf, ...anyOf, ...oneOf].flatMap((one) => placesOf(is, one, place, above)),
    ];
  }

  return Object.values(paths).flatMap((methods) => {
    const shared = (methods['parameters'] ?? []) as readonly Parameter[];
    return Object.entries(methods).flatMap(([method, given]) => {
      if (method === 'parameters') return [];
      const { operationId, parameters = [], requestBody, security = [] } = given as Described;
      const content = Object.entries(requestBody?.content ?? {});
      const query = [...shared, ...parameters].filter((one) => one.in === 'query');
      const fields = [
        ...query.flatMap(({ name, schema }) => [name, ...fieldsOf(schema, `${name}.`, [])]),
        ...content.flatMap(([, { schema }]) => fieldsOf(schema, '', [])),
      ];
      const inBody = (is: (schema: Schema) => boolean): string[] => [
        ...new Set(content.flatMap(([, { schema }]) => placesOf(is, schema))),
      ];
      const who = security.flatMap((one) => {
        const names = Object.keys(one);
        return names.length === 0 ? ['anybody'] : names.map((name) => CALLERS[name] ?? name);
      });
      return [
        {
          operationId,
          fields: [...new Set(fields)],
          ids: inBody(({ format }) => format === 'snowflake'),
          sets: inBody(({ uniqueItems }) => uniqueItems === true),
          kinds: content.map(([type]) => KINDS[type] ?? type),
          who: [...new Set(who)],
        },
      ];
    });
  });
}
