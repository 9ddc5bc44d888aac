import type { HttpPart, JournalEntry, Passed } from './entry.ts';
import { textWithoutSecrets } from './without-secrets.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Maximum length of a name or a message (characters). */
const MAX_TEXT = 4096;
/** A note of the journal in place of a body, such as `(image/png)`. */
const NOTE = /^\([^{}[\]"]{1,200}\)$/;

/**
 * An entry of a file of which only its shape was checked, with the known members alone and without secrets: a file may be
 * anybody's, and a reader of entries expects all members.
 */
export function plainEntry(entry: JournalEntry): JournalEntry {
  const fields = entry as unknown as Fields;
  const mark = fields['byHand'] === true ? ({ byHand: true } as const) : {};
  return { ...passedOf(entry, fields), ...mark, seq: entry.seq, at: entry.at } as JournalEntry;
}

function passedOf(entry: JournalEntry, fields: Fields): Passed {
  switch (entry.kind) {
    case 'connect': {
      const { pid } = entry;
      const through = typeof fields['entrance'] === 'string' ? { entrance: short(entry.entrance) } : {};
      const process = Number.isSafeInteger(pid) && pid !== undefined ? { pid } : {};
      return { kind: 'connect', session: short(entry.session), over: entry.over, ...process, ...through };
    }
    case 'frame': {
      const { direction, opcode } = entry;
      const text = textWithoutSecrets(entry.text);
      return {
        kind: 'frame',
        session: short(entry.session),
        direction,
        opcode,
        text,
        bytes: sizeOf(fields, text),
      };
    }
    case 'gateway': {
      const text = textWithoutSecrets(entry.text);
      const { direction } = entry;
      return {
        kind: 'gateway',
        session: short(entry.session),
        ...application(fields),
        direction,
        text,
        bytes: sizeOf(fields, text),
      };
    }
    case 'http': {
      const { method, path, status, request, response } = entry;
      const parts = { request: partOf(request), response: partOf(response) };
      return {
        kind: 'http',
        ...application(fields),
        method,
        path: short(path),
        status,
        ms: duration(fields),
        ...parts,
      };
    }
    case 'webhook':
      return {
        kind: 'webhook',
        application: short(entry.application),
        type: short(entry.type),
        url: short(entry.url),
        ms: duration(fields),
        text: typeof fields['text'] === 'string' ? textWithoutSecrets(entry.text) : '',
        outcome: outcomeOf(fields['outcome']),
      };
    case 'close':
      return {
        kind: 'close',
        session: short(entry.session),
        code: entry.code,
        message: short(entry.message),
      };
    case 'broken':
    case 'warning':
      return { kind: entry.kind, session: short(entry.session), message: short(entry.message) };
    case 'end':
      return { kind: 'end', session: short(entry.session) };
    case 'fault': {
      const session = typeof fields['session'] === 'string' ? { session: short(entry.session) } : {};
      return { kind: 'fault', fault: short(entry.fault), ...session, what: short(entry.what) };
    }
    case 'missing':
      return { kind: 'missing', what: short(entry.what), times: entry.times };
    case 'violation':
      return {
        kind: 'violation',
        rule: short(entry.rule),
        what: short(entry.what),
        where: short(entry.where),
      };
    case 'clock':
      return {
        kind: 'clock',
        from: short(entry.from),
        to: short(entry.to),
        frozen: fields['frozen'] === true,
      };
    case 'refused': {
      const { over, why, remedy } = entry;
      const count = Number.isSafeInteger(fields['count']) ? entry.count : 1;
      const [origin, clientId, name] = ['origin', 'clientId', 'application'].map((key) =>
        textOrNull(fields[key]),
      );
      return {
        kind: 'refused',
        over,
        why,
        remedy: short(remedy),
        count,
        origin: origin ?? null,
        clientId: clientId ?? null,
        application: name ?? null,
      };
    }
  }
}

function short(text: string | undefined): string {
  return (text ?? '').slice(0, MAX_TEXT);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? short(value) : null;
}

function application(fields: Fields): { readonly application?: string } {
  const id = fields['application'];
  return typeof id === 'string' ? { application: short(id) } : {};
}

function sizeOf(fields: Fields, text: string): number {
  const bytes = fields['bytes'];
  return typeof bytes === 'number' && bytes >= 0 ? bytes : text.length;
}

function duration(fields: Fields): number {
  const ms = fields['ms'];
  return typeof ms === 'number' && ms >= 0 ? ms : 0;
}

function partOf({ headers, body, bytes }: HttpPart): HttpPart {
  if (body === undefined) return { headers, bytes };
  return { headers, body: NOTE.test(body) ? body : textWithoutSecrets(body), bytes };
}

function outcomeOf(value: unknown): Extract<Passed, { readonly kind: 'webhook' }>['outcome'] {
  const { kind, status, reason } = Object(value) as Fields;
  if (kind === 'answered' && typeof status === 'number') return { kind, status };
  return { kind: 'failed', reason: textOrNull(reason) ?? 'not recorded' };
}
