import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseDocument,
  printDocument,
} from '../../../../../src/emulator/accounts/oauth2/storage/document.ts';
import { emptyState, type StoredState } from '../../../../../src/emulator/accounts/oauth2/storage/state.ts';
import { digest } from '../../../../../src/emulator/kernel/secrets.ts';

const state: StoredState = {
  grants: [
    {
      id: 'abc23',
      userId: '200000000000000001',
      clientId: '300000000000000001',
      transport: 'ipc',
      scopes: ['identify', 'rpc'],
      always: true,
      decidedBy: { kind: 'person', via: 'terminal', pid: 4242 },
      grantedAt: 1_800_000_000_000,
    },
    {
      id: 'abc24',
      userId: '200000000000000001',
      clientId: '300000000000000002',
      transport: 'websocket http://localhost:3000',
      scopes: ['rpc.voice.read'],
      always: false,
      decidedBy: { kind: 'policy' },
      grantedAt: 1_800_000_000_001,
    },
  ],
  tokens: [
    {
      userId: '200000000000000001',
      clientId: '300000000000000001',
      scopes: ['identify', 'rpc'],
      issuedAt: 1_800_000_000_000,
      access: [{ hash: digest('a'), expires: 1_800_604_800_000 }],
      refresh: { hash: digest('r'), expires: 1_807_776_000_000 },
      spent: [digest('s')],
    },
  ],
  keys: [{ kty: 'RSA', kid: 'k', n: 'n', e: 'AQAB', d: 'd' }],
};
const text = printDocument(state);

it('parseDocument reads the output of printDocument', () => {
  expect(parseDocument(text)).toEqual({ kind: 'state', state, minor: 0 });
  expect(parseDocument(printDocument(emptyState))).toMatchObject({ kind: 'state', state: emptyState });
});

it('parseDocument and printDocument do not change the file of this version [R22]', async () => {
  // A golden file: if it stops being readable, the version has to change.
  const golden = await readFile(new URL('./state-1.0.json', import.meta.url), 'utf8');
  expect(parseDocument(golden)).toEqual({ kind: 'state', state, minor: 0 });
  expect(JSON.parse(text)).toEqual(JSON.parse(golden));
});

it('parseDocument preserves the fields of a newer minor version', () => {
  const newer = {
    ...state,
    links: [{ id: 1 }],
    grants: state.grants.map((grant) => ({ ...grant, note: 'n' })),
  };
  const parsed = parseDocument(printDocument(newer, 7));
  expect(parsed).toEqual({ kind: 'state', state: newer, minor: 7 });
});

describe('a damaged file', () => {
  it('is read as the original state or not at all, whatever the damage', () => {
    const edit = fc.record({
      at: fc.nat(text.length),
      remove: fc.nat(12),
      insert: fc.oneof(
        fc.string({ maxLength: 12, size: 'max' }),
        fc.constantFrom('"', '}', ',', '0', '1', '9', 'true', 'null', '\0', '\ud800', text),
      ),
    });
    let bad = 0;
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let damaged = text;
        for (const { at, remove, insert } of edits) {
          damaged = damaged.slice(0, at) + insert + damaged.slice(at + remove);
        }
        const parsed = parseDocument(damaged);
        if (parsed.kind === 'state') expect(parsed.state).toEqual(state);
        else bad += 1;
      }),
      { numRuns: 500 },
    );
    expect(bad).toBeGreaterThan(300);
  });

  it('is not read when a single digit of an id differs', () => {
    const flipped = text.replace('300000000000000001', '300000000000000007');
    expect(parseDocument(flipped)).toEqual({ kind: 'bad', reason: 'its checksum is wrong' });
  });

  it.each([
    '',
    'null',
    '[]',
    '"x"',
    '1',
    '{}',
    '{"version":0}',
    '{"version":2,"minor":0}',
    '{"version":"1"}',
    '{"version":1}',
    '{"version":1,"minor":-1}',
    '{"version":1,"minor":0}',
    '{"version":1,"minor":0,"sha256":null,"state":{}}',
    '\ufeff{}',
    '['.repeat(100_000),
  ])('is not read: %.40j', (damaged) => {
    expect(parseDocument(damaged).kind).toBe('bad');
  });

  it.each([
    ['{"version":2}', 'it was written by a newer release (version 2)'],
    ['{"version":0}', 'it has no known version'],
    ['{"version":"2"}', 'it has no known version'],
    ['{"minor":0}', 'it has no known version'],
    ['{"version":1}', 'it has no minor version'],
    ['{"version":1,"minor":"0"}', 'it has no minor version'],
    ['{"version":1,"minor":0.5}', 'it has no minor version'],
    ['{"version":1,"minor":-1}', 'it has no minor version'],
    ['{"version":1,"minor":0,"sha256":"x","state":{}}', 'its checksum is wrong'],
    ['{', 'it is not JSON'],
  ])('belongs to the emulator, and is bad: %s (%s)', (damaged, reason) => {
    expect(parseDocument(damaged)).toEqual({ kind: 'bad', reason });
  });

  it.each([
    ['1', 'it is not an object'],
    ['null', 'it is not an object'],
    ['{}', 'it is not one of ours'],
    ['{"a":1}', 'it is not one of ours'],
  ])('belongs to another program: %s (%s)', (damaged, reason) => {
    expect(parseDocument(damaged)).toEqual({ kind: 'bad', reason, foreign: true });
  });
});

describe('a state with a correct checksum is refused for', () => {
  const grant = state.grants[0] as object;
  const family = state.tokens[0] as object;
  it.each<[string, unknown]>([
    ['no state', null],
    ['missing lists', {}],
    ['a list that is none', { ...state, grants: {} }],
    ['a grant that is null', { ...state, grants: [null] }],
    ['a grant without scopes', { ...state, grants: [{ ...grant, scopes: undefined }] }],
    ['a scope that is none', { ...state, grants: [{ ...grant, scopes: ['a b'] }] }],
    ['a client id that is none', { ...state, grants: [{ ...grant, clientId: '0' }] }],
    ['nobody who decided', { ...state, grants: [{ ...grant, decidedBy: { kind: 'app' } }] }],
    ['a person without via', { ...state, grants: [{ ...grant, decidedBy: { kind: 'person' } }] }],
    ['always as a text', { ...state, grants: [{ ...grant, always: 'true' }] }],
    ['a time that is none', { ...state, grants: [{ ...grant, grantedAt: 1.5 }] }],
    ['a token that is not a hash', { ...state, tokens: [{ ...family, refresh: { hash: 'x', expires: 1 } }] }],
    ['a token of no deputy', { ...state, tokens: [{ ...family, deputy: 'app' }] }],
    ['an expiry that is missing', { ...state, tokens: [{ ...family, access: [{ hash: digest('a') }] }] }],
    ['a key without its private part', { ...state, keys: [{ kty: 'RSA', kid: 'k', n: 'n', e: 'e' }] }],
  ])('%s', (_, damaged) => {
    expect(parseDocument(printDocument(damaged as StoredState)).kind).toBe('bad');
  });
});
