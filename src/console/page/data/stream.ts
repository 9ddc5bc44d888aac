import { takeSlot } from './long-slots.ts';
import type { Status } from './status.ts';

/** Handlers of the console's events. */
export interface StreamEvents {
  readonly journal: (data: string) => void;
  readonly status: (status: Status) => void;
  readonly state: (data: string) => void;
  /** The console does not answer. */
  readonly lost: () => void;
}

/** Duration of a turn from its first event, longest wait for that, and pause between two turns (ms). */
const TURN_MS = 500;
const FIRST_MS = 5000;
const PAUSE_MS = 2000;

/**
 * Follows the console's events for as long as the page is open. A page that is behind others, or that finds no free
 * connection, reads in turns what came since the last one.
 */
export async function followStream(events: StreamEvents): Promise<never> {
  let position: Position = { after: '0', pid: undefined };
  for (;;) {
    const ended = await openStream(events, position, document.hidden ? undefined : takeSlot());
    position = ended.position;
    if (ended.isDue) continue;
    await pause(PAUSE_MS);
  }
}

/** Number of the last entry that was read, and the process that numbered it. */
interface Position {
  readonly after: string;
  readonly pid: number | undefined;
}

/**
 * Reads the events until the turn is over, the page goes behind others, or the console refuses. The stream is a turn
 * until it has a slot, which is not waited for: the page shows nothing before the first events.
 */
function openStream(
  events: StreamEvents,
  { after: first, pid: known }: Position,
  slot: ReturnType<typeof takeSlot> | undefined,
): Promise<{ readonly position: Position; readonly isDue: boolean }> {
  return new Promise((resolve) => {
    let [after, pid] = [first, known];
    const source = new EventSource(`/events?after=${first}`);
    let state: 'turn' | 'held' | 'ended' = 'turn';
    let release = (): void => {};
    const end = (isDue = false): void => {
      state = 'ended';
      source.close();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hidden);
      release();
      resolve({ position: { after, pid }, isDue });
    };
    let timer = setTimeout(end, FIRST_MS);
    const hidden = (): void => {
      if (document.hidden) end(true);
    };
    void slot?.then((taken) => {
      if (taken === undefined) return;
      if (state === 'ended') return taken();
      state = 'held';
      release = taken;
      clearTimeout(timer);
      document.addEventListener('visibilitychange', hidden);
      hidden();
    });
    source.addEventListener('journal', ({ data, lastEventId }: MessageEvent<string>) => {
      if (lastEventId !== '') after = lastEventId;
      events.journal(data);
    });
    let isFirst = true;
    source.addEventListener('status', ({ data }: MessageEvent<string>) => {
      const status = JSON.parse(data) as Status;
      const { pid: present } = status;
      events.status(status);
      const isOther = pid !== undefined && pid !== present;
      // Another process numbers its entries from the start. Within a stream, the console begins there by itself.
      if (isOther) after = '0';
      pid = present;
      if (isOther && isFirst) end(true);
      isFirst = false;
    });
    source.addEventListener('state', ({ data }: MessageEvent<string>) => {
      events.state(data);
      if (state !== 'turn') return;
      clearTimeout(timer);
      timer = setTimeout(end, TURN_MS);
    });
    source.addEventListener('error', () => {
      events.lost();
      // After another refusal than that of a connection, the browser does not try again.
      if (state === 'turn' || source.readyState === EventSource.CLOSED) end();
    });
  });
}

/** Waits, or until the page comes to the front. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    document.addEventListener('visibilitychange', done);
  });
}
