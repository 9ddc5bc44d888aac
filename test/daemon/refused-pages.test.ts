import { describe, expect, it } from 'vitest';
import { createOriginList } from '../../src/daemon/origin-list.ts';
import { remedyFor } from '../../src/daemon/refusal-remedy.ts';
import { RefusedPages, type TurnedAway } from '../../src/daemon/refused-pages.ts';
import { describeRefusal } from '../../src/journal/describe.ts';
import { Journal } from '../../src/journal/journal.ts';
import type { OriginPolicy } from '../../src/transport/gate.ts';

const APP = '300000000000000001';

function pageOf(more: Partial<TurnedAway> = {}): TurnedAway {
  return { over: 'websocket', why: 'origin', origin: 'https://a.example', clientId: APP, ...more };
}

function listed(allows: OriginPolicy = () => false) {
  const journal = new Journal();
  const clock = { now: 1_000_000 };
  const pages = new RefusedPages({
    allows,
    applicationName: (id) => (id === APP ? 'Tunes' : undefined),
    journal,
    now: () => clock.now,
  });
  return { pages, clock, entries: () => journal.read().entries };
}

describe('the list of refused pages', () => {
  it('names origin, application, command and count, newest first', () => {
    const { pages, clock } = listed();
    pages.add(pageOf());
    pages.add(pageOf({ origin: 'https://b.example', clientId: '7' }));
    clock.now += 5;
    pages.add(pageOf());
    expect(pages.list()).toEqual([
      {
        over: 'websocket',
        why: 'origin',
        origin: 'https://a.example',
        clientId: APP,
        application: 'Tunes',
        remedy: `footbridge origins add ${APP} https://a.example`,
        count: 2,
        at: 1_000_005,
      },
      expect.objectContaining({ origin: 'https://b.example', clientId: '7', application: null, count: 1 }),
    ]);
  });

  it('omits a page that was allowed later', () => {
    let list = createOriginList([]);
    const { pages } = listed((clientId, origin) => list.allows(clientId, origin));
    pages.add(pageOf());
    pages.add(pageOf({ why: 'host' }));
    list = createOriginList([{ clientId: APP, origin: 'https://a.example' }]);
    expect(pages.list().map(({ why }) => why)).toEqual(['host']);
  });

  it('drops a refusal that was not repeated for an hour', () => {
    const { pages, clock } = listed();
    pages.add(pageOf());
    clock.now += 3_600_000 - 1;
    expect(pages.list()).toHaveLength(1);
    clock.now += 1;
    expect(pages.list()).toEqual([]);
  });

  it('is limited, and one origin cannot displace the others with new client ids', () => {
    const { pages } = listed();
    pages.add(pageOf({ origin: 'https://honest.example' }));
    for (let id = 1; id <= 1000; id += 1) pages.add(pageOf({ clientId: String(id) }));
    expect(pages.list()).toHaveLength(9);
    expect(pages.list().at(-1)?.origin).toBe('https://honest.example');
    expect(pages.list()[0]?.clientId).toBe('1000');
    for (let i = 0; i < 1000; i += 1) pages.add(pageOf({ origin: `https://${i}.example` }));
    expect(pages.list()).toHaveLength(32);
    expect(pages.list()[0]?.origin).toBe('https://999.example');
    // A repetition needs no room.
    const origins = () => new Set(pages.list().map(({ origin }) => origin));
    const before = origins();
    pages.add(pageOf({ origin: 'https://990.example' }));
    expect(pages.list()[0]).toMatchObject({ origin: 'https://990.example', count: 2 });
    expect(origins()).toEqual(before);
  });
});

describe('the journal of refused pages', () => {
  it('has one entry for repetitions within ten seconds', () => {
    const { pages, clock, entries } = listed();
    for (let i = 0; i < 5; i += 1) pages.add(pageOf());
    clock.now += 10_000;
    pages.add(pageOf());
    expect(entries()).toMatchObject([
      { kind: 'refused', origin: 'https://a.example', application: 'Tunes', count: 1 },
      { kind: 'refused', origin: 'https://a.example', application: 'Tunes', count: 6 },
    ]);
  });

  it('is not filled by a page that sends a different client id each time', () => {
    const { pages, clock, entries } = listed();
    for (let id = 1; id <= 500; id += 1) pages.add(pageOf({ clientId: String(id) }));
    pages.add(pageOf({ origin: 'https://honest.example' }));
    expect(entries().map((entry) => 'origin' in entry && entry.origin)).toEqual([
      'https://a.example',
      'https://a.example',
      'https://honest.example',
    ]);
    for (let id = 1; id <= 500; id += 1) pages.add(pageOf({ origin: `https://${id}.example` }));
    expect(entries()).toHaveLength(10);
    // Set back.
    clock.now -= 3_600_000;
    pages.add(pageOf());
    expect(entries()).toHaveLength(11);
  });
});

describe('the remedy for a refused page', () => {
  it.each<[Partial<TurnedAway>, string | RegExp]>([
    [{}, `footbridge origins add ${APP} https://a.example`],
    [{ over: 'http' }, `footbridge origins add ${APP} https://a.example`],
    [{ clientId: undefined }, /^footbridge origins add CLIENT_ID https:\/\/a\.example \(/],
    [{ origin: 'http://[::1]:3000' }, `footbridge origins add ${APP} "http://[::1]:3000"`],
    [{ origin: 'null' }, /^it cannot be allowed: every sandboxed frame/],
    [{ origin: 'https://a.example/' }, /^it cannot be allowed: a browser sends it as https:\/\/a\.example/],
    [{ origin: undefined }, /^send one Origin header/],
    [{ why: 'host' }, /^connect to 127\.0\.0\.1/],
    [{ why: 'encoding' }, /^send encoding=json/],
    [{ over: 'postmessage' }, /^open the activity at its own address/],
    [{ over: 'postmessage', why: 'frame' }, /frame_id/],
  ])('matches the refusal %j', (more, expected) => {
    const { over, why, origin, clientId } = pageOf(more);
    expect(remedyFor({ over, why, origin: origin ?? null, clientId: clientId ?? null })).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });

  it.each([
    'https://a;id',
    'https://$(id).example',
    'https://`id`.example',
    "https://a'b.example",
    'https://a&b',
  ])('is never a command that a shell would read in another way: %s', (origin) => {
    expect(remedyFor({ over: 'websocket', why: 'origin', origin, clientId: APP })).not.toContain(
      'footbridge',
    );
  });
});

it('the text about a refused page is one line without control characters', () => {
  const text = describeRefusal({
    over: 'websocket',
    why: 'origin',
    origin: 'https://a.example',
    clientId: APP,
    application: 'Tu\u001b[31mnes\n',
    count: 3,
  });
  expect(text).toBe(`https://a.example for Tu?[31mnes? (${APP}) over websocket: origin not allowed, 3 times`);
});

it('a bridge without a journal lists refused pages', () => {
  const pages = new RefusedPages({
    allows: () => false,
    applicationName: () => undefined,
    journal: undefined,
  });
  const before = Date.now();
  pages.add(pageOf());
  const [page] = pages.list();
  expect(page).toMatchObject({ origin: 'https://a.example', application: null, count: 1 });
  expect(page?.at).toBeGreaterThanOrEqual(before);
});

it('a page without an origin is listed, whatever is allowed', () => {
  const { pages } = listed(() => true);
  pages.add(pageOf({ origin: undefined, clientId: undefined }));
  expect(pages.list()).toMatchObject([{ origin: null, clientId: null, application: null }]);
});
