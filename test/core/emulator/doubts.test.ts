import { describe, expect, it } from 'vitest';
import { ActivityLinter } from '../../../src/core/emulator/activity/linter.ts';
import type { AppPeer } from '../../helpers/app-peer.ts';
import { emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

const set = (app: AppPeer, activity: object) => app.call('SET_ACTIVITY', { pid: 1, activity });

const good = {
  ...{ name: 'Up', type: 0, state: 'on', details: 'x'.repeat(128), instance: true },
  ...{ state_url: 'https://example.test/', details_url: 'HTTP://example.test/' },
  timestamps: { start: 1, end: 2 },
  assets: { large_image: 'i'.repeat(300), small_image: 'https://example.test/i.png', large_text: 'two' },
  party: { id: 'the-party', size: [2, 2], privacy: 1 },
  buttons: [{ label: 'Go', url: 'https://example.test/' }],
  supported_platforms: ['desktop'],
  status_display_type: 1,
};

/** Each is taken by the real client, and has one thing wrong with it. */
const doubtful: readonly [field: string, activity: object][] = [
  ['activity.partyy', { partyy: { id: 'x' } }],
  ['activity.party.max', { party: { id: 'the-party', max: 4 } }],
  ['activity.buttons[1].href', { buttons: [good.buttons[0], { ...good.buttons[0], href: 'x' }] }],
  ['activity["a key"]', { 'a key': 1 }],
  ['activity.constructor', { constructor: 1 }],
  ['activity.party.size', { party: { size: [5, 2] } }],
  ['activity.party.size', { party: { size: [1, 2.5] } }],
  ['activity.buttons[0].url', { buttons: [{ label: 'Go', url: 'javascript:alert(1)' }] }],
  ['activity.state_url', { state: 'on', state_url: 'ftp://example.test/' }],
  ['activity.assets.small_url', { assets: { small_url: 'mailto:river@example.test' } }],
  ['activity.assets.large_image', { assets: { large_image: 'i'.repeat(301) } }],
  ['activity.assets.invite_cover_image', { assets: { invite_cover_image: 'file:///etc/passwd' } }],
  ['activity.name', { name: 'n' }],
  ['activity.secrets.join', { party: { id: 'room-7' }, secrets: { join: '{"room":"room-7"}' } }],
  ['activity.secrets.match', { party: { id: 'room-7' }, secrets: { match: 'JOIN_room-7' } }],
];

describe('activity_rules', () => {
  it('accepts by default what the real client accepts', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app();
    for (const [, activity] of doubtful) expect((await set(app, activity)).evt).toBeNull();
    expect(await bridge.run('activity.doubts')).toEqual([]);
  });

  it.each(doubtful)(
    'set to warn reports a warning for %s and accepts the activity',
    async (field, activity) => {
      const bridge = await emulatorBridge({ activity_rules: 'warn' });
      const app = await bridge.app();
      // Once for a session, however often it is said.
      for (const evt of [null, null]) expect((await set(app, activity)).evt).toBe(evt);
      const reason = expect.stringMatching(/^[^\n]{5,150}$/);
      expect(await bridge.run('activity.doubts')).toEqual([
        { session: expect.any(String), clientId: ids.harbourExample, field, reason },
      ]);
    },
  );

  it.each(doubtful)(
    'set to refuse rejects %s by name and preserves the visible activity',
    async (field, activity) => {
      const bridge = await emulatorBridge({ activity_rules: 'refuse' });
      const app = await bridge.app();
      expect((await set(app, good)).evt).toBeNull();
      const { evt, data } = await set(app, activity);
      expect([evt, data.code]).toEqual(['ERROR', 4000]);
      expect(data.message.startsWith(`args.${field}: `)).toBe(true);
      expect(bridge.emulator.presences.visible()[0]?.activity).toMatchObject({ name: 'Up' });
    },
  );

  it('set to refuse names up to eight fields at once', async () => {
    const { app } = await emulatorBridge({ activity_rules: 'refuse' });
    const keys = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, 1]));
    const { data } = await set(await app(), { ...keys, name: 'n' });
    expect(data.message).toContain('args.activity.k0: ');
    expect(data.message).toContain('args.activity.k7: ');
    expect(data.message).not.toContain('k8');
  });

  it('changes with a patch, and accepts a cleared activity', async () => {
    const { app, run } = await emulatorBridge();
    const one = await app();
    await run('emulator.apply', { patch: { activity_rules: 'refuse' } });
    expect((await set(one, { name: 'n' })).data.code).toBe(4000);
    expect((await one.call('SET_ACTIVITY', { pid: 1, activity: null })).evt).toBeNull();
    expect((await one.call('SET_ACTIVITY', { pid: 1 })).evt).toBeNull();
    await run('emulator.reset');
    expect((await set(one, { name: 'n' })).evt).toBeNull();
  });
});

it('the activity linter stores up to 100 warnings for a session and 1,000 in total', () => {
  let told = 0;
  const judge = new ActivityLinter(
    () => 'warn',
    () => {
      told += 1;
    },
  );
  const doubt = (id: string, count: number) => {
    for (let n = 0; n < count; n++) {
      judge.check({ id, clientId: '1' }, { rawArgs: { activity: { [`${id}${n}`]: 1 } } });
    }
  };
  doubt('one', 500);
  expect(judge.warnings).toHaveLength(100);
  for (let n = 0; n < 20; n++) doubt(`s${n}`, 100);
  expect(judge.warnings).toHaveLength(1000);
  expect(judge.warnings.at(-1)?.session).toBe('s19');
  expect(told).toBe(2100);
});
