import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';

const path =
  process.env['OPENAPI_DOCUMENT'] ??
  fileURLToPath(new URL('../../../shared/data/openapi.json', import.meta.url));

/** Where the platform's public OpenAPI document lies; undefined where it is not beside the checkout. */
export const publicDocument: string | undefined = existsSync(path) ? path : undefined;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** Judges answers by the public document. */
export interface Judge {
  /** Verb, path and name of every operation. */
  readonly operations: readonly string[];
  /** What is wrong with an answer, in words; undefined when nothing is, or when the document does not know the operation. */
  fault(operationId: string, status: number, body: unknown): string | undefined;
}

/** Reads the document. Throws where it is not. */
export function publicJudge(): Judge {
  const document = JSON.parse(readFileSync(publicDocument ?? path, 'utf8')) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const places = new Map<string, string>();
  const operations: string[] = [];
  for (const [template, methods] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      if (method === 'parameters') continue;
      operations.push(`${described.operationId} ${method.toUpperCase()} ${template}`);
      for (const [status, { content }] of Object.entries(described.responses)) {
        if (content?.['application/json'] === undefined) continue;
        const parts = [
          'paths',
          template,
          method,
          'responses',
          status,
          'content',
          'application/json',
          'schema',
        ];
        places.set(`${described.operationId} ${status}`, `document#/${parts.map(pointer).join('/')}`);
      }
    }
  }
  return {
    operations,
    fault(operationId, status, body) {
      const place =
        places.get(`${operationId} ${status}`) ?? places.get(`${operationId} ${String(status)[0]}XX`);
      if (place === undefined) return undefined;
      const validate = ajv.getSchema(place);
      if (validate === undefined) return `no schema at ${place}`;
      return validate(body) === true ? undefined : ajv.errorsText(validate.errors);
    },
  };
}

function pointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
