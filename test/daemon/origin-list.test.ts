import { describe, expect, it } from 'vitest';
import { isLocalError } from '../../src/base/local-error.ts';
import {
  ANY_APP,
  checkOriginEntry,
  createOriginList,
  expectsReadyUser,
  type OriginEntry,
  originPresets,
} from '../../src/daemon/origin-list.ts';
import { overlayApplication } from '../../src/emulator/accounts/oauth2/exchange.ts';

const APP = '207646673902501888';
const OTHER = '905987126099836938';

function failureOf(entry: OriginEntry): string {
  try {
    checkOriginEntry(entry);
  } catch (error) {
    if (isLocalError(error) && error.code === 'FOOTBRIDGE_ORIGIN') return error.message;
    throw error;
  }
  return 'accepted';
}

describe('an origin entry', () => {
  it.each([
    'http://localhost:3000',
    'https://streamkit.discord.com',
    'https://example.com:8443',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'https://xn--bcher-kva.example',
    'tauri://localhost',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  ])('accepts the origin %s', (origin) => {
    expect(failureOf({ clientId: APP, origin })).toBe('accepted');
  });
  it.each([
    ['https://example.com/', 'a browser sends it as https://example.com'],
    ['localhost:3000', 'for example http://localhost:3000'],
    ['127.0.0.1:80', 'for example http://127.0.0.1'],
    ['overlay.test', 'for example https://overlay.test'],
    ['a b', 'for example https://example.com'],
    ['https://example.com/overlay', 'a browser sends it as https://example.com'],
    ['https://example.com?x', 'a browser sends it as https://example.com'],
    ['HTTPS://Example.com', 'a browser sends it as https://example.com'],
    ['https://example.com:443', 'a browser sends it as https://example.com'],
    ['https://user@example.com', 'a browser sends it as https://example.com'],
    ['https://bücher.example', 'a browser sends it as https://xn--bcher-kva.example'],
    ['https://*.example.com', 'wildcards are not supported'],
    ['*', 'wildcards are not supported'],
    ['null', 'every sandboxed frame'],
    ['example.com', 'scheme://host[:port]'],
    ['https://', 'scheme://host[:port]'],
    ['file://', 'scheme://host[:port]'],
    ['tauri://localhost/x', 'scheme://host[:port]'],
    ['Tauri://localhost', 'scheme://host[:port]'],
    ['https://example.com\n', 'a browser sends it as https://example.com'],
    ['https://a b', 'scheme://host[:port]'],
    ['', 'scheme://host[:port]'],
    [`https://${'a'.repeat(300)}`, '255'],
  ])('rejects the origin %j with a reason', (origin, told) => {
    expect(failureOf({ clientId: APP, origin })).toContain(told);
  });
  it.each(['', '0', '01', 'abc', '-1', ' 1', '1'.repeat(21), '**'])('rejects the app id %j', (clientId) => {
    expect(failureOf({ clientId, origin: 'http://localhost:3000' })).toContain('is not an application id');
  });
  it('allows every app only for the site of the chat client', () => {
    expect(failureOf({ clientId: ANY_APP, origin: 'https://discord.com' })).toBe('accepted');
    expect(failureOf({ clientId: ANY_APP, origin: 'https://example.com' })).toContain('every app');
  });
});

describe('the origin list', () => {
  const list = createOriginList([
    { clientId: APP, origin: 'http://localhost:3000' },
    { clientId: APP, origin: 'http://localhost:3000' },
    { clientId: ANY_APP, origin: 'https://discord.com' },
  ]);

  it('allows an origin for its app alone', () => {
    expect(list.allows(APP, 'http://localhost:3000')).toBe(true);
    expect(list.allows(OTHER, 'http://localhost:3000')).toBe(false);
    expect(list.allows(OTHER, 'https://discord.com')).toBe(true);
  });
  it('allows an origin without an app only when some app has it', () => {
    expect(list.allows(undefined, 'http://localhost:3000')).toBe(true);
    expect(list.allows(undefined, 'http://localhost:3001')).toBe(false);
  });
  it.each([
    'http://localhost:300',
    'http://localhost:30000',
    'http://LOCALHOST:3000',
    'http://localhost:3000/',
  ])('compares exactly, and does not allow %s', (origin) => {
    expect(list.allows(APP, origin)).toBe(false);
    expect(list.allows(undefined, origin)).toBe(false);
  });
  it('contains each entry once, in order', () => {
    expect(list.entries).toEqual([
      { clientId: APP, origin: 'http://localhost:3000' },
      { clientId: ANY_APP, origin: 'https://discord.com' },
    ]);
  });
  it('rejects an app id that contains an origin', () => {
    expect(list.allows(`${APP} http://localhost:3000`, '')).toBe(false);
    expect(list.allows('__proto__', 'constructor')).toBe(false);
  });
  it('allows no origin when it is empty', () => {
    const empty = createOriginList([]);
    expect(empty.allows(APP, 'http://localhost:3000')).toBe(false);
    expect(empty.allows(undefined, 'http://localhost:3000')).toBe(false);
  });
  it.each(Object.entries(originPresets))('accepts the preset %s unchanged', (_name, { entries, summary }) => {
    expect(createOriginList(entries).entries).toEqual(entries);
    expect(summary).not.toBe('');
  });
});

it('READY names the user only to the origins of the stream-kit preset, for its own application', () => {
  const entries = originPresets['streamkit']?.entries ?? [];
  expect(entries.map(({ clientId }) => clientId)).toEqual([overlayApplication, overlayApplication]);
  for (const { clientId, origin } of entries) {
    expect(expectsReadyUser(clientId, origin)).toBe(true);
    for (const other of [OTHER, ANY_APP, undefined]) expect(expectsReadyUser(other, origin)).toBe(false);
  }
  expect(expectsReadyUser(APP, 'https://api.overlayed.dev')).toBe(false);
});

it.each([
  ['localhost', 'http://localhost'],
  ['LOCALHOST:3000', 'http://localhost:3000'],
  ['localhost:99999', 'https://example.com'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['my-127.example', 'https://my-127.example'],
  ['my-localhost', 'https://my-localhost'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ['[::A]', 'http://[::a]'],
  ['[::1]:300000', 'https://example.com'],
  ['x[::1]', 'https://example.com'],
  ['[::1]x', 'https://example.com'],
  ['a/b', 'https://example.com'],
  ['a.example:300000', 'https://example.com'],
  ['a.example/', 'https://example.com'],
  ['!a.example', 'https://example.com'],
])('the host %j without a scheme is refused with the example %s', (origin, example) => {
  expect(failureOf({ clientId: APP, origin })).toBe(
    `${JSON.stringify(origin)} is not an origin: it has no scheme, or more than scheme, host and port. ` +
      `Write scheme://host[:port] as a browser sends it, for example ${example}.`,
  );
});

it('an origin has at most 255 characters, and a longer one is quoted in part', () => {
  const origin = (length: number): string => `app://${'a'.repeat(length - 6)}`;
  expect(failureOf({ clientId: APP, origin: origin(255) })).toBe('accepted');
  expect(failureOf({ clientId: APP, origin: origin(256) })).toBe(
    `"${origin(80)}…" is not an origin: it has more than 255 characters. Write scheme://host[:port] as a browser sends it.`,
  );
  expect(failureOf({ clientId: 'x'.repeat(80), origin: 'http://a' })).toContain(`"${'x'.repeat(80)}" is not`);
  expect(failureOf({ clientId: 'x'.repeat(81), origin: 'http://a' })).toContain(
    `"${'x'.repeat(80)}…" is not`,
  );
});

it.each(['http://a', 'https://a', 'a://b', 'a+b.c-1://x.y:12345', 'tauri://[::1]:80'])(
  '%s is an origin',
  (origin) => {
    expect(failureOf({ clientId: APP, origin })).toBe('accepted');
  },
);

it.each(['HTTP://a', 'http:a', 'http://a:80', 'https://A'])('%s is named as a browser sends it', (origin) => {
  expect(failureOf({ clientId: APP, origin })).toMatch(/: a browser sends it as https?:\/\/a\. Write/);
});
