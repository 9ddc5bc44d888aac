import { describe } from '../../../../journal/describe.ts';
import type { JournalEntry } from '../../../../journal/entry.ts';
import { type Exchange, firstOf } from '../../../../journal/exchange.ts';
import { CALLBACK, objectIn } from '../../../../journal/exchange-facts.ts';
import { callbackText, eventText, interactionText } from '../../../../journal/interaction-text.ts';
import { reasonOf } from './refusal.ts';

/** Maximum length of a text beside the name (characters). */
const MAX_DETAIL = 200;

/** Names of requests that write a message, or edit one. */
const MESSAGE =
  /^(POST|PATCH) \/(?:channels\/\d+\/messages(?:\/\d+)?|webhooks\/\d+\/[^/]+(?:\/messages\/[^/]+)?)$/;

const KIND_TEXTS: Readonly<Partial<Record<Exchange['kind'], string>>> = { rpc: 'RPC', http: 'HTTP' };

/** Kind of a row in words. */
export function kindText({ kind }: Exchange): string {
  return KIND_TEXTS[kind] ?? kind;
}

/** Result of a row in words; empty for a row that is neither a request nor an answer. */
export function resultText({ state, code }: Exchange): string {
  switch (state) {
    case 'open':
      return 'waits';
    case 'unanswered':
      return 'no answer';
    case 'failed':
      return code === '' ? 'failed' : code;
    case 'ok':
    case 'none':
    case 'warning':
      return code;
  }
}

/** Text beside the name of a row. */
export interface RowDetail {
  readonly text: string;
  /** Whether the text is the content of a row that did not fail, which says more than its name. */
  readonly isContent: boolean;
}

/** Why a request failed, else its content, else the begin of its arguments or its data. */
export function detailOf(row: Exchange): RowDetail {
  const reason = reasonOf(row);
  const content = reason === undefined ? contentText(row) : undefined;
  const text = reason ?? content ?? restText(firstOf(row));
  return { text: text.slice(0, MAX_DETAIL), isContent: content !== undefined && row.state !== 'failed' };
}

/** Status and duration of an exchange over HTTP have columns of their own. */
function restText(entry: JournalEntry): string {
  return entry.kind === 'http' ? (entry.path.split('?')[1] ?? '') : describe(entry).detail;
}

/** Events of the gateway whose content is a sentence. */
const EVENTS = /^(?:INTERACTION|MESSAGE|GUILD)_(?:CREATE|UPDATE)$/;

/** Interaction, message or guild of a row, as a sentence; undefined for any other row. */
export function contentText({ kind, name, request, answer }: Exchange): string | undefined {
  if (kind === 'gateway' && EVENTS.test(name) && answer?.kind === 'gateway') {
    const data = objectIn(answer.text)['d'];
    return name === 'INTERACTION_CREATE' ? interactionText(data) : eventText(name, data);
  }
  if (kind === 'webhook' && name === 'INTERACTION' && request?.kind === 'webhook')
    return interactionText(objectIn(request.text));
  if (request?.kind !== 'http') return undefined;
  const body = objectIn(request.request.body ?? '');
  if (CALLBACK.test(name)) return callbackText(body);
  const method = MESSAGE.exec(name)?.[1];
  return method === undefined ? undefined : callbackText({ type: method === 'POST' ? 4 : 7, data: body });
}

/** Duration such as `0.4 ms`, `12 ms`, `1.2 s`; empty where there is none. */
export function durationText(ms: number | undefined): string {
  if (ms === undefined) return '';
  if (ms >= 9999.5) return `${Math.round(ms / 1000)} s`;
  if (ms >= 999.5) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 9.95 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** Size such as `312 B`, `1.2 kB`; empty for nothing. */
export function sizeText(bytes: number): string {
  if (bytes === 0) return '';
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
