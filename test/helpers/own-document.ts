import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { platformDocument, platformRoutes } from '../../src/emulator/compose/reference.ts';
import { requestPathOf } from '../../src/emulator/serve/http/routes.ts';

interface Judge {
  readonly routes: ReturnType<typeof platformRoutes>;
  readonly ajv: Ajv2020;
  readonly document: ReturnType<typeof platformDocument>;
}

let made: Judge | undefined;

function judge(): Judge {
  if (made !== undefined) return made;
  const document = platformDocument('0.0.0');
  // Each answer is compiled for few tests: to optimize what is compiled takes longer than they do. A shape that many refer
  // to is compiled once.
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  ajv.addSchema(document, 'own');
  made = { routes: platformRoutes(), ajv, document };
  return made;
}

/**
 * What is wrong with an answer by the OpenAPI document that we print; undefined when nothing is, and for what is no operation
 * of ours. `path` is that of the request, without a query.
 */
export function ownFault(
  method: string,
  path: string,
  { status, headers, body }: { readonly status: number; readonly headers: Headers; readonly body: unknown },
): string | undefined {
  const { routes, ajv, document } = judge();
  const place = requestPathOf(path.replaceAll('%40', '@'));
  const found = routes.find(method, place);
  // Whatever concerns no operation is answered before one is looked for.
  if (found.kind !== 'found' || status === 501) return undefined;
  const { operation } = found;
  const key = `${operation.at === 'api' ? '/api/v10' : ''}${operation.path}`;
  const { responses = {} } = document.paths[key]?.[method.toLowerCase()] ?? {};
  const answered = responses as Readonly<
    Record<string, { readonly content?: Readonly<Record<string, unknown>> }>
  >;
  const said = Object.hasOwn(answered, String(status)) ? String(status) : 'default';
  if (said === 'default' && status < 400) return `${operation.id} answers no ${status}`;
  const { content } = answered[said] ?? {};
  if (content === undefined) return body === '' ? undefined : `${operation.id} has no body with ${status}`;
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (!Object.hasOwn(content, type))
    return `${operation.id} has no body of the kind "${type}" with ${status}`;
  const parts = ['paths', key, method.toLowerCase(), 'responses', said, 'content', type, 'schema'];
  const validate = ajv.getSchema(`own#/${parts.map(pointer).join('/')}`) as ValidateFunction | undefined;
  if (validate === undefined) return `${operation.id} has no schema for ${status}`;
  return validate(hasTwin(body) ? withoutTwins(body) : body)
    ? undefined
    : `${operation.id} answers ${status}: ${ajv.errorsText(validate.errors)}`;
}

/** Whether anything in an answer may be a twin: most have none, and are validated as they are. */
function hasTwin(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasTwin);
  for (const name in value) if (name.endsWith('_new') || hasTwin(Reflect.get(value, name))) return true;
  return false;
}

/** An answer of an older version as the document has it: twins in the place of their numbers. */
function withoutTwins(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTwins);
  if (typeof value !== 'object' || value === null) return value;
  const twins = new Set(
    Object.keys(value).filter((name) => name.endsWith('_new') && name.slice(0, -4) in value),
  );
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (twins.has(name) && name !== 'flags_new') return [];
      const twin = name === 'flags' ? undefined : Reflect.get(value, `${name}_new`);
      return [[name, typeof twin === 'string' ? twin : withoutTwins(inner)]];
    }),
  );
}

function pointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
