const mostParts = 32;

/** The boundary of a multipart/form-data content type, or undefined when it has none that RFC 2046 allows. */
function boundaryOf(contentType: string): string | undefined {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/**
 * Reads a multipart/form-data body (RFC 7578) of plain fields. Returns undefined for anything that is not
 * exactly that: no boundary, an unterminated part, a file, a part without a name, more than 32 parts.
 */
export function parseMultipart(
  body: Buffer,
  contentType: string,
): [name: string, value: string][] | undefined {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return undefined;
  // One character per byte, so that positions in the text are positions in the body.
  const text = body.toString('latin1');
  const pieces = `\r\n${text}`.split(`\r\n--${boundary}`);
  const [preamble, ...parts] = pieces;
  const end = parts.pop();
  if (preamble === undefined || parts.length > mostParts || end === undefined) return undefined;
  if (!/^--[ \t]*(\r\n|$)/.test(end)) return undefined;
  const fields: [string, string][] = [];
  for (const part of parts) {
    const start = part.indexOf('\r\n\r\n');
    if (start < 0 || !/^[ \t]*\r\n/.test(part)) return undefined;
    const disposition = part
      .slice(0, start)
      .split('\r\n')
      .find((line) => /^content-disposition:\s*form-data\s*;/i.test(line));
    const name = disposition === undefined ? undefined : /;\s*name="([^"]*)"/i.exec(disposition)?.[1];
    if (disposition === undefined || name === undefined || /;\s*filename\*?=/i.test(disposition)) {
      return undefined;
    }
    fields.push([utf8(name), utf8(part.slice(start + 4))]);
  }
  return fields;
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}
