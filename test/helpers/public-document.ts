import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';

const path =
  process.env['OPENAPI_DOCUMENT'] ??
  fileURLToPath(new URL('../../../shared/data/openapi.json', import.meta.url));

/** Where the platform's public OpenAPI document lies; undefined where it is not beside the checkout. */
export const publicDocument: string | undefined = existsSync(path) ? path : undefined;

interface Document {
  readonly components: { readonly responses: Readonly<Record<string, Answered>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Answered | { readonly $ref: string }>>;
}

interface Answered {
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Where the document keeps the answers that many operations have. */
const SHARED = ['components', 'responses'];

/** Judges answers by the public document. */
export interface Judge {
  /** Verb, path and name of every operation. */
  readonly operations: readonly string[];
  /**
   * What is wrong with an answer: a line for each place, such as `/user/id must be string`. Nothing where the document does
   * not know the operation, and nothing of what `DIFFERENCES` explains.
   */
  faults(operationId: string, status: number, body: unknown): readonly string[];
}

/** Reads the document. Throws where it is not. */
export function publicJudge(): Judge {
  const document = JSON.parse(readFileSync(publicDocument ?? path, 'utf8')) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'document');
  const places = new Map<string, string>();
  /** What is answered with a status, by operation. */
  const statuses = new Map<string, readonly string[]>();
  /** What is answered with a body that is no JSON. */
  const others = new Set<string>();
  const operations: string[] = [];
  for (const [template, methods] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      if (method === 'parameters') continue;
      operations.push(`${described.operationId} ${method.toUpperCase()} ${template}`);
      statuses.set(described.operationId, Object.keys(described.responses));
      for (const [status, said] of Object.entries(described.responses)) {
        const shared = '$ref' in said ? (said.$ref.split('/').at(-1) ?? '') : undefined;
        const above =
          shared === undefined ? ['paths', template, method, 'responses', status] : [...SHARED, shared];
        const { content } =
          shared === undefined ? (said as Answered) : { ...document.components.responses[shared] };
        if (content !== undefined && content['application/json'] === undefined) {
          others.add(`${described.operationId} ${status}`);
        }
        if (content?.['application/json'] === undefined) continue;
        const parts = [...above, 'content', 'application/json', 'schema'];
        places.set(`${described.operationId} ${status}`, `document#/${parts.map(pointer).join('/')}`);
      }
    }
  }
  return {
    operations,
    faults(operationId, status, body) {
      return found(operationId, status, body).filter(
        (fault) => !DIFFERENCES.some((one) => isOf(one, operationId, status, fault)),
      );
    },
  };

  function found(operationId: string, status: number, body: unknown): readonly string[] {
    const known = statuses.get(operationId);
    if (known === undefined) return [];
    const said = [String(status), `${String(status)[0]}XX`].find((one) => known.includes(one));
    if (said === undefined) return [`has no answer ${status}`];
    if (others.has(`${operationId} ${said}`)) return typeof body === 'string' ? [] : ['has no JSON'];
    const place = places.get(`${operationId} ${said}`);
    if (place === undefined) return body === undefined || body === '' ? [] : [`has no body with ${status}`];
    const validate = ajv.getSchema(place);
    if (validate === undefined) return [`has no schema at ${place}`];
    if (validate(body) === true) return [];
    // Of all that is said about one place, the last is about the whole of it.
    const byPlace = new Map(
      (validate.errors ?? []).map(({ instancePath, message }) => [instancePath, message] as const),
    );
    return [...byPlace].map(([at, message]) => `${at} ${message}`);
  }
}

function isOf(one: Difference, operationId: string, status: number, fault: string): boolean {
  const { operations } = one;
  return (
    (operations === 'any' || operations.includes(operationId)) &&
    one.status.test(String(status)) &&
    one.fault.test(fault)
  );
}

function pointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** A difference between our answers and the document, and why it stands. */
interface Difference {
  /** Of the ledger of the public contract. */
  readonly row: string;
  readonly why: string;
  readonly operations: readonly string[] | 'any';
  readonly status: RegExp;
  /** What the judge says of it. */
  readonly fault: RegExp;
}

/** Every difference there is. */
const DIFFERENCES: readonly Difference[] = [
  {
    row: 'U-2',
    why: 'eligible_oauth2_scopes has scopes that are newer than the document',
    operations: [
      'get_my_application',
      'update_my_application',
      'get_application',
      'update_application',
      'get_my_oauth2_application',
    ],
    status: /^200$/,
    fault: /^\/eligible_oauth2_scopes\/\d+ /,
  },
  {
    row: '3.3',
    why: 'the code of a fault in a field is a text in every captured answer, and a number in the document',
    operations: 'any',
    status: /^4/,
    fault: /^\/errors/,
  },
  {
    row: 'P-4',
    why: 'lines of a list that name nobody are told in a shape of their own, which the document does not have',
    operations: ['create_channel_invite', 'update_invite_target_users'],
    status: /^400$/,
    fault: /^ must have required property 'message'$/,
  },
  {
    row: 'ours',
    why: 'a field that is public and not offered answers 501 and is named, which the platform has no need of',
    operations: 'any',
    status: /^501$/,
    fault: /^has no answer 501$/,
  },
];
