import { describe, expect, it } from 'vitest';
import { textPattern } from '../../src/presence/pattern.ts';
import { isRewriting, rewritten } from '../../src/presence/rewrite.ts';
import { bySpecificity, type Rule } from '../../src/presence/rule.ts';
import { appTexts, isApp, NO_RULING, rulingOf } from '../../src/presence/ruling.ts';
import { rule } from './rules.ts';

const APP = { clientId: '123', applicationName: 'Code', programs: ['code', '/usr/bin/code'] };
const ACTIVITY = {
  name: 'Editor',
  type: 0,
  details: 'secret.txt',
  details_url: 'https://example.com/secret',
  state: 'Workspace',
  assets: {
    large_image: 'i',
    large_text: 'TypeScript',
    large_url: 'https://example.com/ts',
    small_text: 'idle',
  },
  buttons: [{ label: 'Open', url: 'https://example.com' }],
  timestamps: { start: 1 },
};

const rulingFor = (rules: readonly Rule[], activity: object = ACTIVITY, app: object = {}) =>
  rulingOf(bySpecificity(rules), appTexts({ ...APP, ...app }), activity as never);
const isHidden = (...args: Parameters<typeof rulingFor>): boolean => rulingFor(...args).hide?.hidden ?? false;

describe('conditions of a rule', () => {
  it.each([
    [{ app: '123' }, true],
    [{ app: 'code' }, true],
    [{ app: 'Other' }, false],
    [{ program: '/usr/bin/*' }, true],
    [{ program: 'spotify' }, false],
    [{ name: 'Editor' }, true],
    [{ name: 'Code' }, false],
    [{ details: 're:secret' }, true],
    [{ state: 'work*' }, true],
    [{ text: 'typescript' }, true],
    [{ text: 'idle' }, true],
    [{ text: 'secret.txt' }, false],
    [{ app: 'Code', state: 'other' }, false],
    [{ app: 'Code', state: 'workspace', program: 'code' }, true],
  ])('%j matches: %s', (when, expected) => {
    expect(isHidden([rule(when, { hide: true })])).toBe(expected);
  });

  it('compare the type, which is "playing" where the app sets none', () => {
    expect(isHidden([rule({}, { type: 0, hide: true })], { details: 'x' })).toBe(true);
    expect(isHidden([rule({}, { type: 2, hide: true })], { details: 'x' })).toBe(false);
    expect(isHidden([rule({}, { type: 2, hide: true })], { type: 2 })).toBe(true);
  });

  it('take the name of the application for an activity without a name', () => {
    expect(isHidden([rule({ name: 'Code' }, { hide: true })], { details: 'x' })).toBe(true);
  });

  it.each([
    [['canary'], []],
    [['canary', 'vesktop'], ['vesktop']],
    [undefined, ['vesktop']],
  ])('while a name is not known, only %j adds no client to those of another rule', (only, expected) => {
    const rules = [rule({ details: 'secret*' }, { only: ['vesktop'] }), rule({ app: 'Code' }, { only })];
    expect(rulingFor(rules, ACTIVITY, { applicationName: undefined }).only).toEqual(expected);
  });

  it('protect while a name is not known: they hide, drop and restrict, and never show or rank', () => {
    const unnamed = { applicationName: undefined };
    expect(isHidden([rule({ app: 'Code' }, { hide: true })], ACTIVITY, unnamed)).toBe(true);
    expect(rulingFor([rule({ app: 'Code' }, { hide: true })], ACTIVITY, unnamed).hide?.isCertain).toBe(false);
    expect(rulingFor([rule({ app: 'Code' }, { drop: ['state'] })], ACTIVITY, unnamed).drop).toContain(
      'state',
    );
    expect(rulingFor([rule({ app: 'Code' }, { only: ['a'] })], ACTIVITY, unnamed).only).toEqual(['a']);
    const generous = [rule({ app: '*' }, { hide: true }), rule({ app: 'Code' }, { hide: false, rank: 5 })];
    expect(isHidden(generous, ACTIVITY, unnamed)).toBe(true);
    expect(rulingFor(generous, ACTIVITY, unnamed).rank).toBe(0);
    expect(isHidden([rule({ program: 'x' }, { hide: true })], ACTIVITY, { programs: [] })).toBe(true);
    expect(isHidden([rule({ name: 'x' }, { hide: true })], { details: 'x' }, unnamed)).toBe(true);
    expect(isHidden([rule({ app: '999' }, { hide: true })], ACTIVITY, unnamed), 'an id is no name').toBe(
      false,
    );
    for (const source of ['x999', '999x', '9'.repeat(21), '99*', 're:^99'])
      expect(isHidden([rule({ app: source }, { hide: true })], ACTIVITY, unnamed), source).toBe(true);
    expect(rulingFor([rule({ app: 'Code' }, { giveWayTo: ['x'] })], ACTIVITY, unnamed)).toBe(NO_RULING);
    const mixed = [rule({ app: 'Code' }, { giveWayTo: ['x'], rank: 3, drop: ['state'] })];
    expect(rulingFor(mixed, ACTIVITY, unnamed)).toMatchObject({ giveWayTo: [], rank: 0, isCertain: false });
    const other = [rule({ app: 'Code' }, { replace: { state: 'xx' } })];
    expect(rulingFor(other, ACTIVITY, unnamed).replace).toEqual({ state: 'xx' });
    const byName = rulingFor([rule({ name: 'x' }, { hide: true })], { details: 'x' }, unnamed);
    const byProgram = rulingFor([rule({ program: 'x' }, { hide: true })], ACTIVITY, { programs: [] });
    expect([byName.isCertain, byProgram.isCertain]).toEqual([false, false]);
    const one = [...mixed, rule({ app: '123' }, { rank: 1 })];
    expect(rulingFor(one, ACTIVITY, unnamed)).toMatchObject({ rank: 1, isCertain: true });
    const both = [rule({ app: 'Code', program: 'code' }, { hide: true })];
    expect(rulingFor(both, ACTIVITY, unnamed).hide?.isCertain, 'one of two is not known').toBe(false);
    expect(isHidden([rule({ app: 'Code', program: 'other' }, { hide: true })], ACTIVITY, unnamed)).toBe(
      false,
    );
  });

  it('know the app by its id or its name only', () => {
    for (const [source, expected] of [
      ['123', true],
      ['code', true],
      ['x', false],
      ['*', true],
    ] as const)
      expect(isApp(textPattern(source), appTexts(APP)), source).toBe(expected);
    expect(isApp(textPattern('code'), appTexts({ ...APP, applicationName: undefined })), 'not yet').toBe(
      false,
    );
  });

  it.each([
    [{}],
    [{ assets: null }],
    [{ assets: 'idle' }],
    [{ assets: {} }],
    [{ assets: { large_text: 3 } }],
  ])('find no text of pictures in %j', (activity) => {
    expect(isHidden([rule({ text: '*' }, { hide: true })], activity)).toBe(false);
    expect(isHidden([rule({ text: 're:' }, { hide: true })], activity)).toBe(false);
  });

  it.each([[{ details: 3 }], [{ details: null }], [{}], [{ details: ['x'] }]])(
    'find no details in %j',
    (activity) => {
      expect(isHidden([rule({ details: '*' }, { hide: true })], activity)).toBe(false);
    },
  );

  it('take a name that is no text for none', () => {
    expect(isHidden([rule({ name: 'Code' }, { hide: true })], { name: 3 })).toBe(true);
  });
});

it('the ruling without a matching rule is one object', () => {
  expect(rulingFor([rule({ app: 'x' }, { hide: true })])).toBe(NO_RULING);
  expect(NO_RULING).toEqual({
    hide: undefined,
    drop: new Set(),
    replace: {},
    only: undefined,
    giveWayTo: [],
    rank: 0,
    matched: [],
    isCertain: false,
  });
});

it('a rule says nothing of what it has no action for', () => {
  const [plain] = [rule({ app: 'Code' }, { rank: 1 })];
  expect(rulingFor(plain === undefined ? [] : [plain])).toEqual({
    ...NO_RULING,
    rank: 1,
    matched: [plain],
    isCertain: true,
  });
});

describe('the most specific rule', () => {
  it.each<[string, readonly Rule[], boolean]>([
    [
      'exact before wildcard',
      [rule({ app: 'Code' }, { hide: false }), rule({ app: 'C*' }, { hide: true })],
      false,
    ],
    [
      'exact before regex',
      [rule({ app: 'Code' }, { hide: false }), rule({ app: 're:C' }, { hide: true })],
      false,
    ],
    [
      'regex before wildcard',
      [rule({ app: 're:C' }, { hide: true }), rule({ app: 'C*' }, { hide: false })],
      true,
    ],
    [
      'one exact condition before several others',
      [
        rule({ app: 'Code' }, { hide: false }),
        rule({ app: 're:C', details: 're:s', state: 'W*' }, { hide: true }),
      ],
      false,
    ],
    [
      'more conditions before fewer',
      [rule({ app: 'Code', details: 're:s' }, { hide: true }), rule({ app: 'Code' }, { hide: false })],
      true,
    ],
    [
      'the type as an exact condition',
      [rule({ app: 'C*' }, { type: 0, hide: true }), rule({ app: 're:C' }, { hide: false })],
      true,
    ],
    [
      'two exact conditions before one and others',
      [
        rule({ app: 'Code', state: 'workspace' }, { hide: false }),
        rule({ app: 'Code', text: 're:i', details: 're:s' }, { hide: true }),
      ],
      false,
    ],
    [
      'more wildcards before fewer',
      [rule({ app: 'C*', state: 'W*' }, { hide: false }), rule({ app: 'C*' }, { hide: true })],
      false,
    ],
    [
      'the later of equals',
      [rule({ app: 'Code' }, { hide: true }), rule({ app: 'code' }, { hide: false })],
      false,
    ],
    [
      'the later of equals, hidden',
      [rule({ app: 'Code' }, { hide: false }), rule({ app: 'code' }, { hide: true })],
      true,
    ],
  ])('decides: %s', (_, rules, expected) => {
    expect(isHidden(rules)).toBe(expected);
  });

  it('decides each action by itself, and drops add up', () => {
    const ruling = rulingFor([
      rule({ app: 'C*' }, { drop: ['details'], only: ['a'], rank: 1, replace: { state: 'x', name: 'n' } }),
      rule({ app: 'Code' }, { drop: ['state'], rank: 2, replace: { state: 'y' } }),
    ]);
    expect([...ruling.drop].sort()).toEqual(['details', 'state']);
    expect(ruling).toMatchObject({ only: ['a'], rank: 2, replace: { state: 'y', name: 'n' } });
    expect(ruling.matched).toHaveLength(2);
  });
});

describe('a rewritten activity', () => {
  it.each<[string, object, object]>([
    ['drops a text with its link', { drop: ['details'] }, { details: undefined, details_url: undefined }],
    [
      'replaces a text and drops its link',
      { replace: { details: 'a file' } },
      { details: 'a file', details_url: undefined },
    ],
    ['drops the link alone', { drop: ['details_url'] }, { details_url: undefined }],
    ['drops every picture', { drop: ['assets'] }, { assets: undefined }],
    [
      'drops the text of a picture with its link',
      { drop: ['large_text'] },
      { assets: { large_image: 'i', small_text: 'idle' } },
    ],
    ['drops buttons', { drop: ['buttons', 'timestamps'] }, { buttons: undefined, timestamps: undefined }],
    ['replaces rather than drops', { drop: ['state'], replace: { state: 'zz' } }, { state: 'zz' }],
  ])('%s', (_, actions, changed) => {
    const ruling = rulingFor([rule({ app: 'Code' }, actions)]);
    const expected = Object.fromEntries(
      Object.entries({ ...ACTIVITY, ...changed }).filter(([, value]) => value !== undefined),
    );
    expect(rewritten(ACTIVITY, ruling)).toEqual(expected);
  });

  it('replaces a name that the app leaves to its application, and no other missing text', () => {
    const ruling = rulingFor([rule({ app: 'Code' }, { replace: { name: 'Work', state: 'zz' } })], {
      details: 'x',
    });
    expect(rewritten({ details: 'x' }, ruling)).toEqual({ name: 'Work', details: 'x' });
  });

  it.each([
    [{}, false],
    [{ drop: ['state'] as const }, true],
    [{ replace: { state: 'xx' } }, true],
    [{ hide: false }, false],
  ])('is made by the actions %j: %s', (actions, expected) => {
    expect(isRewriting(rulingFor([rule({ app: 'Code' }, { rank: 1, ...actions })]))).toBe(expected);
  });

  it('leaves a text away that the app has set to null, and a field that it has not set', () => {
    const ruling = rulingFor([rule({ app: 'Code' }, { drop: ['buttons'] })]);
    const activity = { details: null, state: 'st', party: undefined, assets: null, secrets: { join: 'j' } };
    expect(Object.keys(rewritten(activity, ruling))).toEqual(['state', 'secrets']);
  });

  it('has no field that is not known, and no text that is none', () => {
    const ruling = rulingFor([rule({ app: 'Code' }, { drop: ['details'] })]);
    const odd = {
      details: 'd',
      state: { text: 'd' },
      other: 'd',
      metadata: { d: 'd' },
      assets: 'd',
      type: 2,
    };
    expect(rewritten(odd, ruling)).toEqual({ type: 2 });
  });
});
