import { parseLargeAsText } from '../../../../../base/exact-json.ts';
import { describedText } from '../../../../../journal/describe.ts';
import type { JournalEntry } from '../../../../../journal/entry.ts';
import { type Exchange, entriesOf } from '../../../../../journal/exchange.ts';
import type { Remark } from '../../../parts/tree.ts';
import { remarksIn, STATUS_TEXTS } from '../refusal.ts';

/** One side of a row: the request, the answer, or an entry alone. */
export interface Side {
  readonly title: string;
  /** Line above the content, such as the route or the status; empty where there is none. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** The parsed content; a text that is no JSON is itself. Undefined for a side without content. */
  readonly value: unknown;
  /** The content as it was recorded. */
  readonly text: string;
  /** Length of the content as sent, in bytes; undefined where the journal does not say. */
  readonly bytes: number | undefined;
  /** What the answer refuses of the request. */
  readonly remarks?: readonly Remark[];
}

/** The sides of a row, the request first. */
export function sidesOf(row: Exchange): readonly Side[] {
  const remarks = remarksIn(row);
  const sides = entriesOf(row)
    .flatMap((entry) => sidesIn(entry, row))
    .map((one) => (one.title === 'Request' ? { ...one, remarks } : one));
  if (row.state === 'open') return [...sides, without('No answer yet.')];
  if (row.state !== 'unanswered') return sides;
  const why =
    row.request === undefined
      ? 'The bot did not answer within 3 seconds.'
      : 'The connection ended before an answer came.';
  return [...sides, without(why)];
}

function without(line: string): Side {
  return { title: 'Answer', line, headers: undefined, value: undefined, text: '', bytes: undefined };
}

function sidesIn(entry: JournalEntry, row: Exchange): readonly Side[] {
  switch (entry.kind) {
    case 'frame':
    case 'gateway': {
      const { direction, text, bytes } = entry;
      const answer = row.request === undefined ? 'Event' : 'Answer';
      return [
        {
          title: direction === 'in' ? 'Request' : answer,
          line: '',
          headers: undefined,
          ...content(text),
          bytes,
        },
      ];
    }
    case 'http': {
      const { method, path, status, request, response } = entry;
      return [
        side('Request', `${method} ${path}`, request),
        side('Answer', `${status}${STATUS_TEXTS[status] ? ` ${STATUS_TEXTS[status]}` : ''}`, response),
      ];
    }
    case 'webhook': {
      const { url, text, outcome } = entry;
      const line = outcome.kind === 'answered' ? String(outcome.status) : outcome.reason;
      return [
        { title: 'Request', line: `POST ${url}`, headers: undefined, ...content(text), bytes: text.length },
        without(line),
      ];
    }
    default: {
      const { seq: _seq, at: _at, ...facts } = entry;
      const text = JSON.stringify(facts, null, 2);
      return [
        {
          title: 'Entry',
          line: describedText(entry),
          headers: undefined,
          value: facts,
          text,
          bytes: undefined,
        },
      ];
    }
  }
}

function side(
  title: string,
  line: string,
  {
    headers,
    body,
    bytes,
  }: { readonly headers: Readonly<Record<string, string>>; readonly body?: string; readonly bytes: number },
): Side {
  return {
    title,
    line,
    headers,
    ...(body === undefined ? { value: undefined, text: '' } : content(body)),
    bytes,
  };
}

function content(text: string): Pick<Side, 'value' | 'text'> {
  try {
    return { value: parseLargeAsText(text), text };
  } catch {
    return { value: text, text };
  }
}
