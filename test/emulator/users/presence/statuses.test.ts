import { describe, expect, it } from 'vitest';
import type { GatewayListener } from '../../../../src/emulator/api/dispatch.ts';
import type { World } from '../../../../src/emulator/api/world.ts';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import { rowsOf } from '../../../../src/emulator/compose/fixture/fixture.ts';
import { platformWorld } from '../../../../src/emulator/compose/platform-world.ts';
import { presenceIn, presencesOf } from '../../../../src/emulator/guilds/members/gateway-presences.ts';
import type { Guild } from '../../../../src/emulator/guilds/records.ts';
import { silentLog } from '../../../../src/emulator/kernel/log.ts';
import { Presences } from '../../../../src/emulator/users/presence/presences.ts';
import { visibleActivities } from '../../../../src/emulator/users/presence/sent-activities.ts';
import { hideSession, setSessionPresence } from '../../../../src/emulator/users/presence/sessions.ts';
import { presenceOf } from '../../../../src/emulator/users/presence/statuses.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { patch } from '../../../helpers/patched.ts';

const CUSTOM = { name: 'Custom Status', type: 'custom', state: 'mending nets' };
const PLAYING = { name: 'Harbour', type: 'playing', state: 'In the bay' };
const crowd = Array.from({ length: 200 }, (_, n) => ({ id: String(9_000 + n), username: `crew${n}` }));

function world(change: object): World {
  return platformWorld(rowsOf(patch(defaultFixture(), change).fixture), silentLog, []);
}

function bank({ tables }: World): Guild {
  return tables.guilds.get(ids.riverBank) as Guild;
}

describe('the presence of a user', () => {
  it.each([
    ['everyone', 'small', true],
    ['everyone', 'large', true],
    ['friends_and_small_servers', 'small', true],
    ['friends_and_small_servers', 'large', false],
    ['friends', 'small', false],
    ['friends', 'large', false],
  ] as const)('has a custom status for %s in a %s guild: %s [V-3, O-15]', (privacy, size, isShown) => {
    const state = world({
      ...(size === 'large' ? { users: crowd } : {}),
      user_presences: [{ user: 'heron', custom_status_privacy: privacy, activities: [CUSTOM, PLAYING] }],
    });
    const { activities } = presenceIn(state.tables, bank(state), ids.heron);
    expect(activities.map(({ type }) => type)).toEqual(isShown ? [4, 0] : [0]);
    // Whoever is asked for the person alone is a friend.
    expect(presenceOf(state.tables, ids.heron).activities.map(({ type }) => type)).toEqual([4, 0]);
  });

  it('is sent for a guild only to sessions with the intent [V-3]', () => {
    const state = world({ user_presences: [{ user: 'heron', status: 'idle' }] });
    expect(presencesOf({ world: state }, bank(state), { intents: 0 })).toEqual([]);
    const told = presencesOf({ world: state }, bank(state), { intents: 1 << 8 });
    expect(told.find(({ user }) => user.id === ids.heron)).toEqual({
      user: { id: ids.heron },
      status: 'idle',
      client_status: { desktop: 'idle' },
      activities: [],
    });
  });

  it('combines all sessions, with the activity of an app and without join secrets [K-10, O-16, O-17]', () => {
    const state = world({ user_presences: [{ user: 'river', status: 'dnd' }] });
    const clock = new ManualClock();
    const assets = { large_image: 'tide', large_url: 'https://example.com/l', invite_cover_image: 'cover' };
    const activity = {
      application_id: ids.harbourExample,
      name: 'Harbour',
      type: 0,
      state_url: 'https://example.com/s',
      details_url: 'https://example.com/d',
      assets,
      secrets: { join: 'never told' },
      metadata: { button_urls: ['https://example.com/b'] },
      buttons: ['Look'],
    };
    new Presences(state, clock).set('app', activity);
    const session = { session: 's', user: ids.river, status: 'idle', client: 'mobile' } as const;
    setSessionPresence(state, { ...session, activities: [{ name: 'Elsewhere' }] }, clock.now());
    const { secrets: _secrets, metadata: _metadata, ...shown } = activity;
    expect(presenceOf(state.tables, ids.river)).toMatchObject({
      status: 'dnd',
      client_status: { desktop: 'dnd', mobile: 'idle' },
      activities: [
        { ...shown, created_at: clock.now() },
        { name: 'Elsewhere', type: 0, created_at: clock.now() },
      ],
    });
    expect(JSON.stringify(presenceOf(state.tables, ids.river))).not.toMatch(/never told|button_urls/);
    hideSession(state, 's');
    expect(presenceOf(state.tables, ids.river).client_status).toEqual({ desktop: 'dnd' });
  });

  it('is offline for an invisible user', () => {
    const state = world({
      user_presences: [{ user: 'river', status: 'invisible', activities: [PLAYING] }],
    });
    expect(presenceOf(state.tables, ids.river)).toEqual({
      status: 'offline',
      client_status: {},
      activities: [],
    });
  });

  it('has name, type, state and URL of a bot activity, and the allowed fields of a game activity [O-18]', () => {
    const sent = {
      name: 'Harbour',
      type: 1,
      state: 'In the bay',
      url: 'https://example.com/live',
      details: 'At anchor',
      details_url: 'x'.repeat(300),
      assets: { large_url: 'https://example.com/l', invite_cover_image: 'cover', other: 1 },
      secrets: { join: 'never told' },
    };
    const listener = { application: { id: ids.harbourExample } } as GatewayListener;
    const { details: _details, details_url: _url, assets: _assets, secrets: _secrets, ...plain } = sent;
    expect(visibleActivities({ ...listener, kind: 'bot', scopes: [] }, [sent, { name: 1 }, null])).toEqual([
      plain,
    ]);
    const game = { ...listener, kind: 'bearer', scopes: ['activities.write'] } as const;
    expect(visibleActivities(game, [sent])).toEqual([
      {
        ...plain,
        details: 'At anchor',
        assets: { large_url: 'https://example.com/l', invite_cover_image: 'cover' },
        application_id: ids.harbourExample,
      },
    ]);
    expect(visibleActivities({ ...game, scopes: ['identify'] }, [sent])).toEqual([]);
    const [custom] = visibleActivities({ ...listener, kind: 'bot', scopes: [] }, [
      { name: 'x', type: 4, state: 'y' },
    ]);
    expect(custom).toEqual({ name: 'Custom Status', type: 4, state: 'y' });
  });
});
