import { OPCODES } from './tables.ts';

const MAX_HEX = 16;
const MAX_TEXT = 160;

/** Hex of the first bytes, followed by `…` when there are more bytes. */
export function formatBytes(bytes: Uint8Array, max = MAX_HEX): string {
  const head = Buffer.from(bytes.subarray(0, max))
    .toString('hex')
    .replace(/(..)(?=.)/g, '$1 ');
  return `${bytes.byteLength} bytes <${head}${bytes.byteLength > max ? ' …' : ''}>`;
}

/** Text on one line, with control characters escaped, cut to a length. */
export function formatText(text: string, max = MAX_TEXT): string {
  const safe = text.slice(0, max).replace(/[^\x20-\x7e\u00a0-\u{10ffff}]/gu, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
  return text.length > max ? `${safe}…` : safe;
}

/** Value as JSON on one line, cut to a length. */
export function formatValue(value: unknown, max = MAX_TEXT): string {
  return value === undefined ? 'nothing' : formatText(JSON.stringify(value) ?? typeof value, max);
}

const SECRET = /"(access_token|refresh_token|id_token|code|code_verifier|client_secret)"(\s*:\s*)"[^"]*"?/g;

/** A frame as `FRAME(1) 27 bytes <01 00 …> {"cmd":…}`, without tokens and codes. */
export function formatFrame(opcode: number, body: Uint8Array, header?: Uint8Array): string {
  const name = Object.entries(OPCODES).find(([, value]) => value === opcode)?.[0] ?? 'unknown opcode';
  const plain = Buffer.from(body.subarray(0, 4 * MAX_TEXT)).toString('utf8');
  const text = formatText(plain.replace(SECRET, '"$1"$2"[hidden]"'));
  return `${name}(${opcode}) ${formatBytes(header === undefined ? body : Buffer.concat([header, body]))} ${text}`;
}
