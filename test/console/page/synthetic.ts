import type { Page } from 'playwright-core';
import type { Opened } from './opened.ts';

/** Replaces the stream of events by one that `send` below fills. */
const STREAM = `
  window.EventSource = class extends EventTarget {
    constructor() {
      super();
      window.emitEvent = (type, data) => this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
      setTimeout(() => window.emitEvent('state', { bridge: 'up' }));
    }
  };
  let seq = 0;
  /** Sends so many requests with their answers, each an entry; every tenth fails, every fiftieth is an event alone. */
  window.sendRows = (count, app = '300000000000000001') => {
    const entries = [];
    const frame = (direction, body, opcode = 1) => {
      seq += 1;
      const text = JSON.stringify(body);
      entries.push({ kind: 'frame', session: 'synthetic', direction, opcode, text, bytes: text.length, seq, at: Date.now() });
    };
    if (seq === 0) frame('in', { v: 1, client_id: app }, 0);
    for (let row = 0; row < count; row += 1) {
      const nonce = String(seq) + '-0123-4567-89ab';
      if (row % 50 === 0) {
        frame('out', { cmd: 'DISPATCH', evt: 'SPEAKING_START', data: { user_id: '1' }, nonce: null });
        continue;
      }
      frame('in', { cmd: 'SET_ACTIVITY', args: { pid: row, activity: { state: 'number ' + seq, details: 'in a boat that rows home over the sea', assets: { large_image: 'boat' } } }, nonce });
      if (row % 10 === 0) frame('out', { cmd: 'SET_ACTIVITY', evt: 'ERROR', data: { code: 4000, message: 'no boat' }, nonce });
      else frame('out', { cmd: 'SET_ACTIVITY', evt: null, data: { state: 'number ' + seq }, nonce });
    }
    for (let from = 0; from < entries.length; from += 1000)
      window.emitEvent('journal', { entries: entries.slice(from, from + 1000), next: seq, dropped: 0 });
  };
`;

/** A page of the console whose events come from the test: any number of rows, at any speed. */
export async function syntheticTraffic({
  page: first,
  origin,
}: Pick<Opened, 'page' | 'origin'>): Promise<Page> {
  const page = await first.context().newPage();
  await page.addInitScript(STREAM);
  await page.goto(`${origin}/#/traffic`);
  await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor();
  return page;
}

/** Sends so many rows in events of 1,000 entries, as the console does. */
export async function sendRows(page: Page, count: number): Promise<void> {
  await page.evaluate(`window.sendRows(${count})`);
}
