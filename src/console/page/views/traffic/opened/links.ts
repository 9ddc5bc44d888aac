import type { JournalEntry } from '../../../../../journal/entry.ts';
import type { Exchange } from '../../../../../journal/exchange.ts';
import { CALLBACK } from '../../../../../journal/exchange-facts.ts';

/** What a row has to do with another row. */
export interface RowLink {
  readonly text: string;
  readonly row: Exchange;
}

/** Close code of an app whose rights were revoked. */
const REVOKED = '4003';
/** Maximum number of rows that are searched, from the newest. */
const MAX_SEARCHED = 20_000;

/** Rows that a row led to, or that led to it: an interaction and the HTTP request that answered it. */
export function linksOf(row: Exchange, rows: readonly Exchange[]): readonly RowLink[] {
  const interaction = interactionOf(row);
  if (interaction !== undefined) {
    const found = search(rows, (one) => one.kind === 'http' && CALLBACK.exec(one.name)?.[1] === interaction);
    return found === undefined ? [] : [{ text: 'The request that answered it', row: found }];
  }
  const answered = row.kind === 'http' ? CALLBACK.exec(row.name)?.[1] : undefined;
  if (answered === undefined) return [];
  const found = search(rows, (one) => interactionOf(one) === answered);
  return found === undefined ? [] : [{ text: 'The interaction that it answers', row: found }];
}

/** Whether the row is a request for rights or the end of them, which the page of grants shows. */
export function isAboutGrant(row: Exchange): boolean {
  const { kind, name } = row;
  return (kind === 'rpc' && (name === 'AUTHORIZE' || name === 'AUTHENTICATE')) || isRevoked(row);
}

/** Whether the row is the end of a connection whose app lost its rights. */
export function isRevoked({ kind, code, peer }: Exchange): boolean {
  return kind === 'session' && code === REVOKED && peer.app !== undefined;
}

function search(rows: readonly Exchange[], matches: (row: Exchange) => boolean): Exchange | undefined {
  for (let at = rows.length - 1; at >= Math.max(0, rows.length - MAX_SEARCHED); at -= 1) {
    const row = rows[at];
    if (row !== undefined && matches(row)) return row;
  }
  return undefined;
}

/** Id of the interaction that a row brings to its application; undefined for any other row. */
export function interactionOf({ kind, name, request, answer }: Exchange): string | undefined {
  if (kind === 'gateway' && name === 'INTERACTION_CREATE') return idIn(answer, 'd');
  return kind === 'webhook' && name === 'INTERACTION' ? idIn(request) : undefined;
}

function idIn(entry: JournalEntry | undefined, member?: string): string | undefined {
  if (entry === undefined || !('text' in entry)) return undefined;
  try {
    const payload = JSON.parse(entry.text) as Readonly<Record<string, unknown>>;
    const value = member === undefined ? payload : (payload[member] as typeof payload | undefined);
    const id = value?.['id'];
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
