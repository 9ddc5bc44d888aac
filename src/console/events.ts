import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ControlStatus } from '../control/routes.ts';
import type { JournalPage } from '../journal/journal.ts';
import { beginEvents } from './answer.ts';
import type { ConsoleBackend } from './backend.ts';
import { failureOf } from './calls.ts';

/** What comes within this is sent together (ms). */
const GATHER_MS = 100;
/** How often is looked how the bridge is (ms); between two looks it is waited for what passes. */
const STATUS_MS = 2000;
/** How often is looked whether it is back (ms). */
const AWAY_MS = 500;
/** Entries in one event. */
const MOST_AT_ONCE = 1000;
/** A comment so often, which finds out that nobody reads any more (ms). */
const BEAT_MS = 15_000;

/** What a page is told, and whether it still listens. */
interface Reader {
  /** Sends an event, and waits until there is room for another. Rejects once nobody reads. */
  tell(event: 'journal' | 'status' | 'state', data: object, id?: number): Promise<void>;
  readonly left: AbortSignal;
}

/**
 * Tells one page what passes the bridge, from after the entry `after` of its journal on, how it is, and when it goes and
 * comes: until the page leaves, or `over`. A bridge that has started again is followed from its first entry. Never rejects.
 */
export async function tellEvents(
  backend: ConsoleBackend,
  response: ServerResponse,
  after: number | undefined,
  over: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const left = AbortSignal.any([gone.signal, over]);
  beginEvents(response);
  const beat = setInterval(() => response.write(':\n\n'), BEAT_MS);
  const tell: Reader['tell'] = async (event, data, id) => {
    left.throwIfAborted();
    const head = id === undefined ? '' : `id: ${id}\n`;
    if (!response.write(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      await once(response, 'drain', { signal: left });
  };
  // All that it rejects with is that nobody reads.
  await follow(backend, { tell, left }, after).catch(() => {});
  clearInterval(beat);
  response.end();
}

async function follow(backend: ConsoleBackend, reader: Reader, first: number | undefined): Promise<void> {
  let told: 'up' | 'down' | 'nothing' = 'nothing';
  let pid: number | undefined;
  let after = first;
  let shown = '';
  let off = false;
  const tellState = async (bridge: 'up' | 'down', message?: string): Promise<void> => {
    if (told !== bridge)
      await reader.tell('state', { bridge, ...(message === undefined ? {} : { message }) });
    told = bridge;
  };
  for (;;) {
    const status = await attempt(backend.status());
    if (status.kind === 'failed') {
      await tellState('down', status.message);
      // A page forgets the status of a bridge that is away.
      shown = '';
      await delay(AWAY_MS, undefined, { signal: reader.left });
      continue;
    }
    const { value } = status;
    if (pid !== undefined && pid !== value.pid) {
      // It has gone and come between two looks, and counts from the start again.
      await tellState('down');
      shown = '';
      after = 0;
    }
    pid = value.pid;
    await tellState('up');
    const lasting = JSON.stringify(withoutPassing(value));
    if (lasting !== shown) await reader.tell('status', value);
    shown = lasting;
    const journal = await tellEntries(backend, reader, after);
    // Whether it keeps one does not change while it runs, but another may be the next.
    if (journal.kind === 'off' && !off)
      await reader.tell('journal', { entries: [], next: 0, dropped: 0, off: journal.message });
    off = journal.kind === 'off';
    if (journal.kind === 'read') after = journal.next;
    else await delay(journal.kind === 'off' ? STATUS_MS : AWAY_MS, undefined, { signal: reader.left });
  }
}

type Told =
  | { readonly kind: 'read'; readonly next: number | undefined }
  /** The bridge keeps no journal. */
  | { readonly kind: 'off'; readonly message: string }
  /** The next look finds out why. */
  | { readonly kind: 'failed' };

/** Tells what passes until it is time for the next look. */
async function tellEntries(
  backend: ConsoleBackend,
  reader: Reader,
  first: number | undefined,
): Promise<Told> {
  const until = performance.now() + STATUS_MS;
  let next = first;
  for (;;) {
    const wait = Math.round(until - performance.now());
    if (wait <= 0) return { kind: 'read', next };
    const args = { limit: MOST_AT_ONCE, wait, ...(next === undefined ? {} : { after: next }) };
    const read = await attempt(backend.call('journal.read', args, undefined));
    if (read.kind === 'failed')
      return read.code === 'FOOTBRIDGE_JOURNAL' ? { kind: 'off', message: read.message } : { kind: 'failed' };
    const page = read.value as JournalPage;
    next = page.next;
    const { entries, dropped } = page;
    if (entries.length > 0 || dropped > 0) await reader.tell('journal', { entries, next, dropped }, next);
    await delay(GATHER_MS, undefined, { signal: reader.left });
  }
}

type Attempt<T> =
  | { readonly kind: 'had'; readonly value: T }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

async function attempt<T>(work: Promise<T>): Promise<Attempt<T>> {
  try {
    return { kind: 'had', value: await work };
  } catch (error) {
    const { code, message } = failureOf(error);
    return { kind: 'failed', code, message };
  }
}

/** What changes by itself is no news. */
function withoutPassing({ uptime: _uptime, rss: _rss, fds: _fds, ...lasting }: ControlStatus): object {
  return lasting;
}
