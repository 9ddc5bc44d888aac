import type { Readable, Writable } from 'node:stream';
import { printable, printableLines } from '../../base/text.ts';
import { proseWithoutSecrets } from '../../journal/without-secrets.ts';

/** Version of the link protocol. Ends with different versions do not talk. */
const LINK_VERSION = 1;

/** Start of a hello line of any version. */
const NAME = 'footbridge-forward/';

/** Bytes that a command may print before its hello line, such as the greeting of a remote shell. */
const MAX_NOISE_BYTES = 4096;

/** Maximum length of the text in a message that quotes these bytes (characters). */
const MAX_QUOTED = 200;

/** Time in which an end that no longer reads may still print the reason (ms). */
const LAST_TEXT_MS = 500;

/** What an end says of itself. */
export interface Hello {
  /** `apps`: this end accepts apps and opens sessions; `bridge`: it connects them. */
  readonly side: 'apps' | 'bridge';
  /** Rights that the end with the apps asks for. */
  readonly rights: 'presence' | 'full';
  /** Name that the end with the apps proposes for them; at most 64 printable characters without blanks at its ends. */
  readonly name: string;
}

/** What was read: the hello of the other end, with what was read behind it and what it printed before it. */
export type HelloResult =
  | { readonly kind: 'hello'; readonly hello: Hello; readonly early: Uint8Array; readonly noise: string }
  /** A hello that cannot be used, or none at all; `fault` is a clause after "the other end". */
  | { readonly kind: 'wrong hello' | 'no hello'; readonly fault: string };

/** Returns the hello line of this end. */
export function helloLine({ side, rights, name }: Hello): string {
  return `${NAME}${LINK_VERSION} ${side} ${rights} ${JSON.stringify(name.slice(0, 64))}\n`;
}

/** Reads a hello line; a text tells the fault of the other end. Undefined for a line that is none. */
export function parseHello(line: string): Hello | string | undefined {
  const start = line.indexOf(NAME);
  if (start < 0) return undefined;
  const [version = '', side, rights, ...rest] = line
    .slice(start + NAME.length)
    .trimEnd()
    .split(' ');
  if (version !== String(LINK_VERSION)) {
    return `speaks version ${printable(version.slice(0, 20))} of the forward protocol, and this end version ${LINK_VERSION}: install the same release of Footbridge at both ends`;
  }
  const name = nameIn(rest.join(' '));
  if (
    (side !== 'apps' && side !== 'bridge') ||
    (rights !== 'presence' && rights !== 'full') ||
    name === undefined
  )
    return `sent the hello line ${printable(JSON.stringify(line.slice(start, start + 80)))}, which is not valid`;
  return { side, rights, name };
}

function nameIn(text: string): string | undefined {
  try {
    const name: unknown = JSON.parse(text);
    return typeof name === 'string' && name.length <= 64 ? printable(name) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the hello line of the other end, which has to come within `timeoutMs`. The input is paused afterwards. `output`
 * is watched for its end alone.
 */
export function readHello(input: Readable, output: Writable, timeoutMs: number): Promise<HelloResult> {
  return new Promise((resolve) => {
    let read: Buffer = Buffer.alloc(0);
    const done = (result: HelloResult): void => {
      clearTimeout(timer);
      clearTimeout(lastText);
      input.pause();
      input.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd);
      output.off('error', onOutputError);
      // An error may follow until a link listens.
      input.on('error', () => {});
      output.on('error', () => {});
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk]);
      const result = helloIn(read);
      if (result !== undefined) done(result);
    };
    const fail = (what: string): void => {
      const text = quoted(read);
      done({ kind: 'no hello', fault: text === '' ? what : `${what} after it printed ${text}` });
    };
    const onEnd = (): void => fail('ended before it said hello');
    let lastText: NodeJS.Timeout | undefined;
    // An end that has not read this end's hello may have printed the reason, which is not read yet.
    const onOutputError = (): void => {
      lastText ??= setTimeout(onEnd, LAST_TEXT_MS);
    };
    const timer = setTimeout(() => fail(`did not say hello within ${timeoutMs / 1000} s`), timeoutMs);
    input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd);
    output.on('error', onOutputError);
    input.resume();
  });
}

function helloIn(read: Buffer): HelloResult | undefined {
  let start = 0;
  for (;;) {
    const end = read.indexOf(0x0a, start);
    if (end < 0 || start > MAX_NOISE_BYTES) break;
    const hello = parseHello(read.subarray(start, Math.min(end, start + 512)).toString('utf8'));
    if (typeof hello === 'string') return { kind: 'wrong hello', fault: hello };
    if (hello !== undefined) {
      const noise = start === 0 ? '' : quoted(read.subarray(0, start));
      return { kind: 'hello', hello, early: read.subarray(end + 1), noise };
    }
    start = end + 1;
  }
  if (read.length <= MAX_NOISE_BYTES) return undefined;
  return { kind: 'no hello', fault: `printed ${quoted(read)} and more, and no hello` };
}

/** Start of a text of the other end, in quotes, on one line and without secrets; empty for a text of blanks. */
function quoted(bytes: Buffer): string {
  const text = proseWithoutSecrets(printableLines(bytes.toString('utf8').replaceAll('\r\n', '\n')))
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' / ');
  return text === '' ? '' : `"${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}"`;
}
