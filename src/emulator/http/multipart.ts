import { Busboy } from '@fastify/busboy';

/** No form of ours has more; the body as a whole is bounded before it gets here. */
const LIMITS = {
  fields: 32,
  parts: 32,
  files: 0,
  fieldNameSize: 256,
  headerPairs: 16,
  headerSize: 4096,
} as const;

/**
 * Reads a multipart/form-data body (RFC 7578) of plain fields. Undefined for anything that is not exactly that: no boundary,
 * an unterminated part, a file, a part without a name, more than 32 parts.
 */
export async function parseMultipart(
  body: Buffer,
  contentType: string,
): Promise<[name: string, value: string][] | undefined> {
  return new Promise((resolve) => {
    const fields: [string, string][] = [];
    let parser: InstanceType<typeof Busboy>;
    const refuse = (): void => resolve(undefined);
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { ...LIMITS, fieldSize: body.length },
      });
    } catch {
      // It says so of a boundary that is missing.
      return refuse();
    }
    parser.on('field', (name: string | undefined, value, nameCut, valueCut) => {
      if (name === undefined || nameCut || valueCut) refuse();
      else fields.push([name, value]);
    });
    parser.on('file', (_name, stream: NodeJS.ReadableStream) => {
      stream.resume();
      refuse();
    });
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) parser.on(limit, refuse);
    parser.on('error', refuse);
    parser.on('finish', () => resolve(fields));
    parser.end(body);
  });
}
