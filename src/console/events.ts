import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ControlStatus } from '../control/routes.ts';
import type { JournalPage } from '../journal/journal.ts';
import { beginEvents } from './answer.ts';
import type { ConsoleBackend } from './backend.ts';
import { failureOf } from './calls.ts';

/** Time in which entries are gathered to be sent together (ms). */
const GATHER_MS = 100;
/** Interval of status polls (ms); between two polls the page waits for entries. */
const STATUS_MS = 2000;
/** Poll interval while no bridge answers (ms). */
const AWAY_MS = 500;
/** Maximum of entries in one event. */
const MAX_ENTRIES_PER_EVENT = 1000;
/** Interval of comments, which detect a closed reader (ms). */
const BEAT_MS = 15_000;

/** Page that receives events, and the signal that the page has closed. */
interface Reader {
  /** Sends an event, and waits for buffer space. Rejects once the page has closed. */
  sendEvent(event: 'journal' | 'status' | 'state', data: object, id?: number): Promise<void>;
  readonly left: AbortSignal;
}

/**
 * Streams the bridge to one page: journal entries after `after`, its status, and its stops and starts, until the page
 * closes or `over` aborts. A restarted bridge is followed from its first entry. Never rejects.
 */
export async function streamEvents(
  backend: ConsoleBackend,
  response: ServerResponse,
  after: number | undefined,
  over: AbortSignal,
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const left = AbortSignal.any([closed.signal, over]);
  beginEvents(response);
  const beat = setInterval(() => response.write(':\n\n'), BEAT_MS);
  const sendEvent: Reader['sendEvent'] = async (event, data, id) => {
    left.throwIfAborted();
    const head = id === undefined ? '' : `id: ${id}\n`;
    if (!response.write(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      await once(response, 'drain', { signal: left });
  };
  // `follow` rejects only when the page has closed.
  await follow(backend, { sendEvent, left }, after).catch(() => {});
  clearInterval(beat);
  response.end();
}

async function follow(backend: ConsoleBackend, reader: Reader, first: number | undefined): Promise<void> {
  let sentState: 'up' | 'down' | 'nothing' = 'nothing';
  let pid: number | undefined;
  let after = first;
  let sentStatus = '';
  let off = false;
  const sendState = async (bridge: 'up' | 'down', message?: string): Promise<void> => {
    if (sentState !== bridge)
      await reader.sendEvent('state', { bridge, ...(message === undefined ? {} : { message }) });
    sentState = bridge;
  };
  for (;;) {
    const status = await attempt(backend.status());
    if (status.kind === 'failed') {
      await sendState('down', status.message);
      // The page drops the status of a bridge that does not answer, so the next status is sent in any case.
      sentStatus = '';
      await delay(AWAY_MS, undefined, { signal: reader.left });
      continue;
    }
    const { value } = status;
    if (pid !== undefined && pid !== value.pid) {
      // The bridge was restarted between two polls and counts its entries from the start again.
      await sendState('down');
      sentStatus = '';
      after = 0;
    }
    pid = value.pid;
    await sendState('up');
    const lasting = JSON.stringify(withoutVolatile(value));
    if (lasting !== sentStatus) await reader.sendEvent('status', value);
    sentStatus = lasting;
    const journal = await sendEntries(backend, reader, after);
    // A bridge does not turn its journal on or off while it runs, but the next bridge may differ from the last.
    if (journal.kind === 'off' && !off)
      await reader.sendEvent('journal', { entries: [], next: 0, dropped: 0, off: journal.message });
    off = journal.kind === 'off';
    if (journal.kind === 'read') after = journal.next;
    else await delay(journal.kind === 'off' ? STATUS_MS : AWAY_MS, undefined, { signal: reader.left });
  }
}

type ReadResult =
  | { readonly kind: 'read'; readonly next: number | undefined }
  /** The bridge has no journal. */
  | { readonly kind: 'off'; readonly message: string }
  /** The request failed; the next poll of the status finds the reason. */
  | { readonly kind: 'failed' };

/** Sends entries until the next poll is due. */
async function sendEntries(
  backend: ConsoleBackend,
  reader: Reader,
  first: number | undefined,
): Promise<ReadResult> {
  const until = performance.now() + STATUS_MS;
  let next = first;
  for (;;) {
    const wait = Math.round(until - performance.now());
    if (wait <= 0) return { kind: 'read', next };
    const args = { limit: MAX_ENTRIES_PER_EVENT, wait, ...(next === undefined ? {} : { after: next }) };
    const read = await attempt(backend.call('journal.read', args, undefined));
    if (read.kind === 'failed')
      return read.code === 'FOOTBRIDGE_JOURNAL' ? { kind: 'off', message: read.message } : { kind: 'failed' };
    const page = read.value as JournalPage;
    next = page.next;
    const { entries, dropped } = page;
    if (entries.length > 0 || dropped > 0)
      await reader.sendEvent('journal', { entries, next, dropped }, next);
    // A full page means that more entries wait, and the journal stores a limited number of them.
    if (entries.length < MAX_ENTRIES_PER_EVENT) await delay(GATHER_MS, undefined, { signal: reader.left });
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

/** Status without values that change continuously. */
function withoutVolatile({ uptime: _uptime, rss: _rss, fds: _fds, ...lasting }: ControlStatus): object {
  return lasting;
}
