import { type Exchange, firstOf } from '../../../../journal/exchange.ts';
import { objectIn } from '../../../../journal/exchange-facts.ts';
import type { Remark } from '../../parts/tree.ts';
import { leavesOf } from './leaves.ts';

/** Names of the statuses that the emulator sends. */
export const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  302: 'Found',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
};

/** Why a row failed; undefined where its entries do not say. */
export function reasonOf(row: Exchange): string | undefined {
  if (row.state !== 'failed') return undefined;
  const entry = row.answer ?? firstOf(row);
  switch (entry.kind) {
    case 'close':
      return entry.message;
    case 'frame':
      return messageIn(objectIn(entry.text)['data']);
    case 'http': {
      // The message of a refused form says only that it was refused.
      const [remark] = remarksIn(row);
      if (remark === undefined) return messageIn(objectIn(entry.response.body ?? ''));
      return [remark.path, remark.text].filter(Boolean).join(': ');
    }
    default:
      return undefined;
  }
}

/** What an answer refuses of its request, place by place. */
export function remarksIn({ state, request, answer }: Exchange): readonly Remark[] {
  if (state !== 'failed') return [];
  if (request?.kind === 'http')
    return leavesOf(objectIn(request.response.body ?? '')['errors']).flatMap(({ path, value }) => {
      const at = /^(?:(.+)\.)?_errors\.\d+\.message$/.exec(path);
      return at === null ? [] : [{ path: at[1] ?? '', text: String(value) }];
    });
  const message = answer?.kind === 'frame' ? messageIn(objectIn(answer.text)['data']) : undefined;
  const [, path, text] = /^(args[\w.[\]]*): (.*)$/s.exec(message ?? '') ?? [];
  return path === undefined || text === undefined
    ? []
    : [{ path: path.replaceAll(/\[(\d+)\]/g, '.$1'), text }];
}

function messageIn(value: unknown): string | undefined {
  const { message } = Object(value) as { readonly message?: unknown };
  return typeof message === 'string' ? message : undefined;
}
