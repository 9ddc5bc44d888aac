import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { Console } from '../../src/console/console.ts';
import { Journal } from '../../src/journal/journal.ts';
import { connected, entered, openConsole, type PlayedBridge, playedBridge, SECRET } from './door.ts';

/** An event as a page reads it. */
interface Told {
  readonly event: string;
  readonly id?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A page that follows the bridge. */
interface Page {
  readonly socket: Socket;
  /** All that it was told so far. */
  told(event?: string): readonly Told[];
}

async function follow(served: Console, query = '', lines: readonly string[] = []): Promise<Page> {
  const socket = await connected(served.port);
  const head = [`Host: 127.0.0.1:${served.port}`, await entered(served), ...lines].join('\r\n');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.write(`GET /events${query} HTTP/1.1\r\n${head}\r\n\r\n`);
  const told = (event?: string): readonly Told[] =>
    [...text.matchAll(/(?:id: (\d+)\n)?event: (\w+)\ndata: (.*)\n\n/g)]
      .map(([, id, name = '', data = '']) => ({
        event: name,
        ...(id === undefined ? {} : { id }),
        data: JSON.parse(data) as Told['data'],
      }))
      .filter((one) => event === undefined || one.event === event);
  await expect.poll(() => text).toContain('content-type: text/event-stream');
  return { socket, told };
}

/** Writes down one entry, whose session tells it from the others. */
function happens(bridge: PlayedBridge, session: string): void {
  bridge.journal?.add({ kind: 'end', session } as Parameters<Journal['add']>[0]);
}

function sessionsOf(page: Page): readonly unknown[] {
  return page
    .told('journal')
    .flatMap(({ data }) => (data['entries'] as { session: string }[]).map((one) => one.session));
}

it('the event stream sends the state of the bridge, then stored entries, then new entries', async () => {
  const bridge = playedBridge();
  happens(bridge, 'before');
  const page = await follow(await openConsole(bridge));
  await expect.poll(() => page.told()).toHaveLength(3);
  expect(page.told().map(({ event }) => event)).toEqual(['state', 'status', 'journal']);
  expect(page.told('state')).toEqual([{ event: 'state', data: { bridge: 'up' } }]);
  expect(page.told('status')[0]?.data['version']).toBe(SECRET);
  happens(bridge, 'after');
  await expect.poll(() => sessionsOf(page)).toEqual(['before', 'after']);
  expect(page.told('journal').map(({ id }) => id)).toEqual(['1', '2']);
});

it('the event stream groups entries that arrive together', async () => {
  const bridge = playedBridge();
  const page = await follow(await openConsole(bridge));
  await expect.poll(() => page.told('status')).toHaveLength(1);
  for (let one = 0; one < 300; one++) {
    happens(bridge, String(one));
    if (one % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await expect.poll(() => sessionsOf(page).length).toBe(300);
  expect(sessionsOf(page)).toEqual(Array.from({ length: 300 }, (_, one) => String(one)));
  expect(page.told('journal').length).toBeLessThanOrEqual(4);
});

it('the event stream resumes after the entry in its query or in Last-Event-ID', async () => {
  const bridge = playedBridge();
  const served = await openConsole(bridge);
  for (const session of ['a', 'b', 'c']) happens(bridge, session);
  const asked = await follow(served, '?after=1');
  await expect.poll(() => sessionsOf(asked)).toEqual(['b', 'c']);
  const again = await follow(served, '?after=1', ['Last-Event-ID: 2']);
  await expect.poll(() => sessionsOf(again)).toEqual(['c']);
});

it('the event stream reports how many entries were dropped', async () => {
  const bridge = playedBridge();
  bridge.journal = new Journal({ entries: 2 });
  for (const session of ['a', 'b', 'c']) happens(bridge, session);
  const page = await follow(await openConsole(bridge));
  await expect.poll(() => page.told('journal')).toHaveLength(1);
  expect(page.told('journal')[0]?.data).toMatchObject({ dropped: 1, next: 3 });
});

it('the event stream reports a stop and a return of the bridge, and follows the new bridge from its first entry', async () => {
  const bridge = playedBridge();
  for (const session of ['a', 'b']) happens(bridge, session);
  const page = await follow(await openConsole(bridge));
  await expect.poll(() => sessionsOf(page)).toEqual(['a', 'b']);
  bridge.pid = undefined;
  // Whoever waits is cut, too.
  happens(bridge, 'c');
  await expect
    .poll(() => page.told('state').at(-1)?.data, { timeout: 5000 })
    .toEqual({
      bridge: 'down',
      message: 'No bridge runs here',
    });
  bridge.journal = new Journal();
  happens(bridge, 'new');
  bridge.pid = 42;
  await expect.poll(() => page.told('state').at(-1)?.data, { timeout: 5000 }).toEqual({ bridge: 'up' });
  // What the old one kept last nobody could read any more.
  await expect.poll(() => sessionsOf(page).filter((one) => one !== 'c')).toEqual(['a', 'b', 'new']);
});

it('the event stream starts without a bridge', async () => {
  const bridge = playedBridge();
  bridge.pid = undefined;
  const page = await follow(await openConsole(bridge));
  await expect.poll(() => page.told('state').map(({ data }) => data['bridge'])).toEqual(['down']);
  bridge.pid = 41;
  await expect.poll(() => page.told('state').map(({ data }) => data['bridge'])).toEqual(['down', 'up']);
});

it('the event stream reports once that a bridge has no journal, and continues to send its status', async () => {
  const bridge = playedBridge();
  bridge.journal = undefined;
  const page = await follow(await openConsole(bridge));
  await expect.poll(() => page.told('journal')).toHaveLength(1);
  expect(page.told('journal')[0]?.data).toEqual({
    entries: [],
    next: 0,
    dropped: 0,
    off: 'It keeps no journal',
  });
  bridge.pid = 43;
  await expect.poll(() => page.told('status').at(-1)?.data['pid'], { timeout: 5000 }).toBe(43);
  expect(page.told('journal')).toHaveLength(1);
});
