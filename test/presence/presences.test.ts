import { describe, expect, it } from 'vitest';
import { Presences, type PresencesOptions } from '../../src/presence/presences.ts';
import type { Rule } from '../../src/presence/rule.ts';
import type { Standing } from '../../src/presence/standing.ts';
import { rule } from './rules.ts';

function scene(rules: readonly Rule[] = [], options: Partial<PresencesOptions> = {}) {
  let now = 1000;
  const presences = new Presences({
    now: () => now,
    applicationName: (id) => ({ '1': 'Game', '2': 'Music', '3': 'Editor' })[id],
    shown: 'all',
    ...options,
  });
  presences.setRules({ rules, otherwise: 'show' });
  const changes: [string, Standing['kind']][] = [];
  return {
    presences,
    changes,
    advance: (ms: number) => {
      now += ms;
    },
    open: (session: string, clientId = session, pid?: number): void => {
      presences.open({
        session,
        clientId,
        pid,
        programs: () => ['p'],
        changed: ({ kind }) => changes.push([session, kind]),
        shownAt: () => [],
      });
    },
    kinds: () =>
      Object.fromEntries(presences.list().map(({ app, standing }) => [app.session, standing.kind])),
    order: () => presences.list().map(({ app }) => app.session),
  };
}

describe('presences', () => {
  it('are shown as they are without rules, as the same object', () => {
    const { presences, open } = scene();
    open('1');
    const activity = { details: 'x' };
    const standing = presences.set('1', activity);
    expect(standing).toEqual({ kind: 'shown', activity, only: undefined, reason: { kind: 'no-rule' } });
    expect(standing.kind === 'shown' && standing.activity).toBe(activity);
    expect(presences.set('1', null)).toEqual({ kind: 'none' });
    expect(presences.list()).toEqual([]);
  });

  it('are hidden where no rule matches and such apps are hidden', () => {
    const { presences, open } = scene();
    open('1');
    open('2');
    presences.setRules({ rules: [rule({ app: 'Game' }, { rank: 1 })], otherwise: 'hide' });
    expect(presences.set('1', {})).toMatchObject({ kind: 'shown' });
    expect(presences.set('2', {})).toEqual({ kind: 'hidden', reason: { kind: 'otherwise' } });
  });

  it('are compared with the apps to which they give way once each, however many wait', () => {
    let count = 0;
    const matches = (): boolean => {
      count += 1;
      return false;
    };
    const counted = { kind: 'wildcard', source: 'x*', matches } as const;
    const { presences, open } = scene([{ ...rule({ app: '*' }, {}), giveWayTo: [counted] }]);
    for (let app = 0; app < 100; app += 1) {
      open(`${app}`);
      presences.set(`${app}`, {});
    }
    count = 0;
    presences.set('7', { details: 'x' });
    // Each app by its id, and three by their names.
    expect(count).toBe(103);
  });

  it('wait while an app to which they give way is shown, and come back when it ends', () => {
    const { presences, open, changes, kinds } = scene([rule({ app: 'Music' }, { giveWayTo: ['Game'] })]);
    open('2');
    open('1');
    presences.set('2', { details: 'song' });
    presences.set('1', { details: 'level' });
    expect(kinds()).toEqual({ '1': 'shown', '2': 'waiting' });
    expect(changes).toEqual([['2', 'waiting']]);
    presences.set('1', { details: 'level 2' });
    expect(changes, 'nothing new for others').toHaveLength(1);
    presences.close('1');
    expect(changes).toEqual([
      ['2', 'waiting'],
      ['2', 'shown'],
    ]);
  });

  it('do not give way to an app that is hidden, or clears its presence, or is their own', () => {
    const { presences, open, kinds } = scene([
      rule({ app: 'Music' }, { giveWayTo: ['*'] }),
      rule({ app: 'Game', details: 'private' }, { hide: true }),
    ]);
    open('2');
    open('2b', '2');
    open('1');
    presences.set('2', {});
    presences.set('2b', {});
    presences.set('1', { details: 'private' });
    expect(kinds()).toEqual({ '1': 'hidden', '2': 'shown', '2b': 'shown' });
    presences.set('1', { details: 'open' });
    expect(kinds()).toEqual({ '1': 'shown', '2': 'waiting', '2b': 'waiting' });
    presences.set('1', null);
    expect(kinds()).toEqual({ '2': 'shown', '2b': 'shown' });
  });

  it('show the one that changed last of a circle of patterns', () => {
    const { presences, open, kinds, advance } = scene([rule({ app: 're:.' }, { giveWayTo: ['*'] })]);
    open('1');
    open('2');
    presences.set('1', { details: 'a' });
    advance(1);
    presences.set('2', { details: 'b' });
    expect(kinds()).toEqual({ '1': 'waiting', '2': 'shown' });
    advance(1);
    presences.set('1', { details: 'c' });
    expect(kinds()).toEqual({ '1': 'shown', '2': 'waiting' });
  });

  it('come in the order of rank, then of the last change; a repetition with another time is none', () => {
    const { presences, open, order, advance } = scene([rule({ app: 'Editor' }, { rank: 5 })]);
    for (const id of ['1', '2', '3']) open(id);
    presences.set('1', { details: 'a', timestamps: { start: 1 } });
    advance(10);
    presences.set('2', { details: 'b' });
    advance(10);
    presences.set('3', { details: 'c' });
    advance(10);
    presences.set('1', { details: 'a', timestamps: { start: 2 } });
    expect(order()).toEqual(['3', '2', '1']);
    presences.set('1', { details: 'new' });
    expect(order()).toEqual(['3', '1', '2']);
  });

  it('show only the first where one is shown at a time', () => {
    const { presences, open, kinds, changes, advance } = scene([], { shown: 'one' });
    open('1');
    open('2');
    presences.set('1', { details: 'a' });
    advance(1);
    presences.set('2', { details: 'b' });
    expect(kinds()).toEqual({ '1': 'waiting', '2': 'shown' });
    presences.close('2');
    expect(changes).toEqual([
      ['1', 'waiting'],
      ['1', 'shown'],
    ]);
  });

  it('are hidden by a pause, an absence and the end of their process, whatever the app sets meanwhile', () => {
    const { presences, open, changes, advance } = scene();
    open('1', '1', 77);
    presences.set('1', { details: 'a' });
    presences.pause(5000);
    expect(presences.set('1', { details: 'b' })).toEqual({
      kind: 'hidden',
      reason: { kind: 'paused', until: 5000 },
    });
    advance(4000);
    expect(presences.set('1', { details: 'c' })).toMatchObject({ kind: 'shown' });
    presences.resume();
    presences.setAway(true);
    expect(presences.set('1', { details: 'd' })).toEqual({ kind: 'hidden', reason: { kind: 'away' } });
    presences.setAway(false);
    presences.sweep((pid) => pid === 77);
    expect(presences.list()[0]?.standing).toMatchObject({ kind: 'shown' });
    presences.sweep(() => false);
    expect(presences.list()[0]?.standing).toEqual({ kind: 'hidden', reason: { kind: 'ended' } });
    expect(presences.set('1', { details: 'e' })).toEqual({ kind: 'hidden', reason: { kind: 'ended' } });
    expect(changes.map(([, kind]) => kind)).toEqual(['hidden', 'hidden', 'shown', 'hidden']);
  });

  it('are judged again with new rules; only what others see is notified', () => {
    const { presences, open, changes } = scene();
    open('1');
    open('2');
    presences.set('1', { details: 'secret', state: 's' });
    presences.set('2', { details: 'fine' });
    presences.setRules({ rules: [rule({ details: 'secret' }, { drop: ['details'] })], otherwise: 'show' });
    expect(changes).toEqual([['1', 'shown']]);
    expect(presences.list().find(({ app }) => app.session === '1')?.standing).toMatchObject({
      activity: { state: 's' },
    });
    presences.setRules({ rules: [rule({ details: 'secret' }, { drop: ['details'] })], otherwise: 'show' });
    expect(changes, 'the same rules again').toHaveLength(1);
    expect(presences.unused).toEqual([]);
    presences.setRules({ rules: [rule({ app: 'Nobody' }, { hide: true })], otherwise: 'show' });
    expect(changes).toEqual([
      ['1', 'shown'],
      ['1', 'shown'],
    ]);
    expect(presences.unused).toHaveLength(1);
  });

  it('are tried without being shown', () => {
    const { presences } = scene([rule({ details: 'secret' }, { hide: true })]);
    const facts = { clientId: '1', applicationName: 'Game', programs: [] };
    expect(presences.try(facts, { details: 'secret' })).toMatchObject({ kind: 'hidden' });
    expect(presences.try(facts, { details: 'open' })).toMatchObject({ kind: 'shown' });
    expect(presences.list()).toEqual([]);
  });

  it('notify who waits for a change', async () => {
    const { presences, open } = scene();
    const before = presences.revision;
    const waiting = presences.change(60_000);
    open('1');
    presences.set('1', {});
    await waiting;
    await presences.change(1);
    expect(presences.revision).toBe(before + 1);
  });
});

describe('an open set of presences', () => {
  const only = [rule({ app: 'x' }, { rank: 1 })];
  it.each<[string, boolean, ((one: Presences) => void)[], Partial<PresencesOptions>?]>([
    ['without rules', true, []],
    ['with a rule', false, [(one) => one.setRules({ rules: only, otherwise: 'show' })]],
    ['where unmatched apps are hidden', false, [(one) => one.setRules({ rules: [], otherwise: 'hide' })]],
    ['after a pause without end', false, [(one) => one.pause(null)]],
    ['after a pause with an end', false, [(one) => one.pause(2000)]],
    ['after a pause and its end', true, [(one) => one.pause(null), (one) => one.resume()]],
    ['while the user is away', false, [(one) => one.setAway(true)]],
    ['when the user is back', true, [(one) => one.setAway(true), (one) => one.setAway(false)]],
    ['where one is shown at a time', false, [], { shown: 'one' }],
  ])('is open %s: %s', (_, expected, changes, options = {}) => {
    const { presences } = scene([], options);
    for (const change of changes) change(presences);
    expect(presences.isOpen).toBe(expected);
  });

  it('is open before any rules are set, and knows its rules and its pause', () => {
    const presences = new Presences({ now: () => 1, applicationName: () => undefined, shown: 'all' });
    expect(presences.isOpen).toBe(true);
    expect(presences.rules).toEqual({ rules: [], otherwise: 'show' });
    expect(presences.paused).toBeUndefined();
    presences.pause(7);
    expect(presences.paused).toBe(7);
    const rules = { rules: only, otherwise: 'hide' } as const;
    presences.setRules(rules);
    expect(presences.rules).toBe(rules);
  });
});

describe('the reason of a standing', () => {
  it('names the rules that decide', () => {
    const [hide, drop, wait] = [
      rule({ details: 'secret' }, { hide: true }),
      rule({ app: 'Game' }, { drop: ['state'] }),
      rule({ app: 'Music' }, { giveWayTo: ['Game'] }),
    ];
    const { presences, open } = scene([hide, drop, wait]);
    open('1');
    open('2');
    expect(presences.set('1', { details: 'secret' })).toEqual({
      kind: 'hidden',
      reason: { kind: 'rules', rules: [hide] },
    });
    expect(presences.set('1', { details: 'open' })).toMatchObject({
      reason: { kind: 'rules', rules: [drop] },
    });
    expect(presences.set('2', {})).toEqual({
      kind: 'waiting',
      waitsFor: '1',
      reason: { kind: 'rules', rules: [wait] },
    });
    open('9');
    // The name of its application is not known, so the rule that drops protects, and the one that waits does nothing.
    expect(presences.set('9', { state: 's' })).toMatchObject({
      activity: {},
      reason: { kind: 'rules', rules: [drop] },
    });
    presences.setRules({ rules: [wait], otherwise: 'show' });
    expect(presences.set('9', {})).toMatchObject({ kind: 'shown', reason: { kind: 'no-rule' } });
  });

  it('hides what no rule matches for certain where such apps are hidden', () => {
    const { presences, open } = scene();
    presences.setRules({ rules: [rule({ app: 'Game' }, { drop: ['state'] })], otherwise: 'hide' });
    open('9');
    expect(presences.set('9', { state: 's' })).toEqual({ kind: 'hidden', reason: { kind: 'otherwise' } });
    open('1');
    expect(presences.set('1', { state: 's' })).toMatchObject({ kind: 'shown', activity: {} });
  });

  it('names a rule that may match once a name is known', () => {
    const hide = rule({ app: 'Secret' }, { hide: true });
    const { presences, open } = scene([hide]);
    open('9');
    expect(presences.set('9', {})).toEqual({ kind: 'hidden', reason: { kind: 'unknown', rule: hide } });
  });

  it('names the app that comes first where one is shown at a time', () => {
    const { presences, open, advance } = scene([], { shown: 'one' });
    open('1');
    open('2');
    presences.set('1', {});
    advance(1);
    presences.set('2', {});
    expect(presences.list()[1]?.standing).toEqual({
      kind: 'waiting',
      waitsFor: '2',
      reason: { kind: 'one' },
    });
  });
});

describe('the list of presences', () => {
  it('has those that are shown first, with the times of their first update and of their last change', () => {
    const { presences, open, order, advance } = scene([rule({ details: 'secret' }, { hide: true })]);
    for (const id of ['1', '2', '3']) open(id);
    presences.set('1', { details: 'a' });
    advance(5);
    presences.set('2', { details: 'secret' });
    advance(5);
    presences.set('3', { details: 'secret' });
    expect(order()).toEqual(['1', '3', '2']);
    presences.set('1', { details: 'b' });
    expect(presences.list()[0]).toMatchObject({ since: 1000, changedAt: 1010, activity: { details: 'b' } });
    advance(5);
    presences.set('1', null);
    presences.set('1', { details: 'b' });
    expect(presences.list()[0]).toMatchObject({ since: 1015, changedAt: 1015 });
  });

  it('asks for the program of an app once, and again when rules or names change', () => {
    const { presences } = scene([rule({ program: 'p' }, { hide: true })]);
    let asked = 0;
    const programs = () => {
      asked += 1;
      return ['p'];
    };
    presences.open({ session: '1', clientId: '1', pid: 1, programs, changed() {}, shownAt: () => [] });
    for (const details of ['a', 'b', 'c'])
      expect(presences.set('1', { details })).toMatchObject({ kind: 'hidden' });
    expect(asked).toBe(1);
    presences.refresh();
    expect(asked).toBe(2);
  });

  it('has nothing of an app that is not connected, and closes twice without harm', () => {
    const { presences, open, changes } = scene();
    expect(presences.set('1', {})).toEqual({ kind: 'none' });
    open('1');
    presences.set('1', {});
    const { revision } = presences;
    presences.close('1');
    presences.close('1');
    expect(presences.revision).toBe(revision + 1);
    expect(presences.list()).toEqual([]);
    open('2');
    presences.close('2');
    expect(presences.revision, 'an app that showed nothing').toBe(revision + 1);
    expect(changes).toEqual([]);
  });
});

describe('a sweep', () => {
  it('looks only at processes that show something, each once', () => {
    const { presences, open } = scene();
    open('1', '1', 11);
    open('2', '2', 22);
    open('3', '3');
    presences.set('1', {});
    presences.set('3', {});
    const asked: number[] = [];
    const { revision } = presences;
    expect(presences.sweep((pid) => asked.push(pid) > 0)).toBe(true);
    expect(asked).toEqual([11]);
    expect(presences.revision, 'nothing has ended').toBe(revision);
    expect(presences.sweep(() => false)).toBe(false);
    expect(presences.revision).toBe(revision + 1);
    presences.sweep((pid) => asked.push(pid) > 0);
    expect(asked, 'it has ended already').toEqual([11]);
    expect(presences.list().map(({ standing }) => standing.kind)).toEqual(['shown', 'hidden']);
  });
});

it('an absence that is reported twice changes nothing the second time', () => {
  const { presences } = scene();
  presences.setAway(true);
  const { revision } = presences;
  presences.setAway(true);
  expect(presences.revision).toBe(revision);
});

it('a pause with an end is over at that time', () => {
  const { presences, open, advance } = scene();
  open('1');
  presences.pause(1001);
  expect(presences.set('1', {})).toMatchObject({ kind: 'hidden' });
  advance(1);
  expect(presences.set('1', {})).toMatchObject({ kind: 'shown' });
});

it('equal rewritings are one object, so that nobody is notified of them', () => {
  const rules = () => [rule({ app: 'Game' }, { drop: ['details'] })];
  const { presences, open, changes } = scene(rules());
  open('1');
  presences.set('1', { details: 'a', state: 's' });
  const before = presences.list()[0]?.standing;
  presences.setRules({ rules: rules(), otherwise: 'show' });
  const after = presences.list()[0]?.standing;
  expect(before?.kind === 'shown' && after?.kind === 'shown' && after.activity === before.activity).toBe(
    true,
  );
  expect(changes).toEqual([]);
  presences.setRules({ rules: [rule({ app: 'Game' }, { drop: ['state'] })], otherwise: 'show' });
  expect(changes).toHaveLength(1);
});

it('an app that waits lets those be shown that give way to it', () => {
  const { presences, open, kinds } = scene([
    rule({ app: 'Music' }, { giveWayTo: ['Editor'] }),
    rule({ app: 'Editor' }, { giveWayTo: ['Game'] }),
  ]);
  for (const id of ['1', '2', '3']) {
    open(id);
    presences.set(id, {});
  }
  expect(kinds()).toEqual({ '1': 'shown', '2': 'shown', '3': 'waiting' });
  presences.set('1', null);
  expect(kinds()).toEqual({ '2': 'waiting', '3': 'shown' });
});

it('a pause without an end hides until it is resumed', () => {
  const { presences, open, advance } = scene();
  open('1');
  presences.pause(null);
  advance(1e12);
  expect(presences.set('1', {})).toEqual({ kind: 'hidden', reason: { kind: 'paused', until: null } });
});

describe('where one presence is shown at a time', () => {
  it('the first that gives way to no other is shown', () => {
    const { presences, open, kinds, advance } = scene([rule({ app: 'Music' }, { giveWayTo: ['Game'] })], {
      shown: 'one',
    });
    open('1');
    open('2');
    presences.set('1', { details: 'level' });
    advance(1);
    presences.set('2', { details: 'song' });
    expect(kinds()).toEqual({ '1': 'shown', '2': 'waiting' });
  });

  it('an app that is hidden stays hidden, and does not wait', () => {
    const { presences, open } = scene([rule({ details: 'secret' }, { hide: true })], { shown: 'one' });
    open('1');
    open('2');
    presences.set('1', { details: 'secret' });
    presences.set('2', {});
    expect(presences.list().map(({ standing }) => standing.kind)).toEqual(['shown', 'hidden']);
  });
});
