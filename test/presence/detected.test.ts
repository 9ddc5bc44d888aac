import { expect, it } from 'vitest';
import { textPattern } from '../../src/presence/pattern.ts';
import { Presences } from '../../src/presence/presences.ts';

const GAME = '1';

/** Presences of a detected game, and of the same game that connects. */
function setup() {
  const presences = new Presences({ now: () => 1, applicationName: () => undefined, shown: 'all' });
  const sent: unknown[] = [];
  const open = (session: string, isDetected: boolean, clientId = GAME): void =>
    presences.open({
      session,
      clientId,
      pid: isDetected ? 10 : 20,
      isDetected,
      programs: () => [],
      changed: (standing) => void sent.push([session, standing.kind]),
      shownAt: () => [],
    });
  open('detected', true);
  presences.set('detected', { name: 'Game' });
  const kinds = () => presences.list().map(({ app, standing }) => [app.session, standing.kind]);
  return { presences, sent, open, kinds };
}

it('a detected game waits from the first update of its own connection to the end of its activity', () => {
  const { presences, sent, open, kinds } = setup();
  open('own', false);
  expect(kinds()).toEqual([['detected', 'shown']]);
  presences.set('own', { details: 'level 1' });
  expect(kinds()).toEqual([
    ['own', 'shown'],
    ['detected', 'waiting'],
  ]);
  expect(presences.list()[1]?.standing).toEqual({
    kind: 'waiting',
    waitsFor: 'own',
    reason: { kind: 'connected' },
  });
  presences.set('own', null);
  presences.set('own', { details: 'level 2' });
  presences.close('own');
  expect(sent).toEqual(['waiting', 'shown', 'waiting', 'shown'].map((kind) => ['detected', kind]));
});

it('a detected game does not show what a rule hides of its own connection', () => {
  const { presences, sent, open, kinds } = setup();
  const hidden = { place: 'f:1', conditions: [['details', textPattern('secret')]], hide: true } as const;
  presences.setRules({ rules: [hidden], otherwise: 'show' });
  open('own', false);
  presences.set('own', { details: 'secret' });
  expect(kinds()).toEqual([
    ['detected', 'waiting'],
    ['own', 'hidden'],
  ]);
  expect(sent).toEqual([['detected', 'waiting']]);
});

it('a detected game is shown again once the process of its own connection has ended', () => {
  const { presences, open, sent } = setup();
  open('own', false);
  presences.set('own', { details: 'level 1' });
  presences.sweep((pid) => pid !== 20);
  expect(sent).toEqual([
    ['detected', 'waiting'],
    ['detected', 'shown'],
    ['own', 'hidden'],
  ]);
  presences.close('detected');
  open('third', false, '2');
  expect(presences.set('third', { details: 'x' }).kind).toBe('shown');
});

it('a detected game does not wait for another game', () => {
  const { presences, open, kinds } = setup();
  open('other', true);
  presences.set('other', { name: 'Game' });
  open('app', false, '2');
  presences.set('app', { details: 'x' });
  expect(kinds().map(([, kind]) => kind)).toEqual(['shown', 'shown', 'shown']);
});
