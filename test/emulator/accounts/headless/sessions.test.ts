import { describe, expect, it } from 'vitest';
import { presenceOf } from '../../../../src/emulator/users/presence/statuses.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';
import { players } from '../../../helpers/players.ts';

const PATH = '/users/@me/headless-sessions';
const MINUTE = 60_000;
const activity = (more: object = {}) => ({
  name: 'Harbour',
  type: 0,
  application_id: APP,
  platform: 'desktop',
  ...more,
});

async function playing(scopes?: readonly string[]) {
  const platform = await players();
  const otter = await platform.person(ids.otter, scopes);
  const { emulator } = platform;
  const shown = () => presenceOf(emulator.tables, ids.otter);
  const show = (more: object = {}, token?: string) =>
    otter.ask(`POST ${PATH}`, { json: { activities: [activity(more)], ...(token ? { token } : {}) } });
  return { platform, emulator, otter, shown, show };
}

describe('a headless session [K-10]', () => {
  it('displays an activity for 20 minutes, and longer when it is renewed', async () => {
    const { emulator, shown, show } = await playing();
    expect(shown().status).toBe('offline');
    const made = await show({ state: 'In the bay' });
    expect(made.status).toBe(200);
    expect(made.body.activities).toMatchObject([
      { name: 'Harbour', state: 'In the bay', platform: 'desktop' },
    ]);
    expect(shown()).toMatchObject({
      status: 'online',
      client_status: { desktop: 'online' },
      activities: [{ name: 'Harbour', application_id: APP }],
    });
    expect([...emulator.tables.session_presences].map(({ session }) => session)).toEqual([
      expect.stringMatching(/^h:[0-9a-f]{32}$/),
    ]);
    emulator.clock.advance(19 * MINUTE);
    const renewed = await show({ state: 'At sea' }, made.body.token);
    expect(renewed.body.token).toBe(made.body.token);
    emulator.clock.advance(19 * MINUTE);
    expect(shown().activities).toMatchObject([{ state: 'At sea' }]);
    emulator.clock.advance(MINUTE);
    expect(shown().status).toBe('offline');
    expect((await show({}, made.body.token)).body.errors.token._errors[0].code).toBe(
      'HEADLESS_SESSION_UNKNOWN',
    );
  });

  it('can be ended only with its token, by its own user', async () => {
    const { platform, otter, shown, show } = await playing();
    const { body } = await show();
    const heron = await platform.person(ids.heron);
    for (const [who, token] of [
      [heron, body.token],
      [otter, 'x'.repeat(48)],
    ] as const) {
      const no = await who.refused(`POST ${PATH}/delete`, { json: { token } });
      expect(no.status).toBe(400);
    }
    expect(shown().status).toBe('online');
    expect((await otter.ask(`POST ${PATH}/delete`, { json: { token: body.token } })).status).toBe(204);
    expect(shown().status).toBe('offline');
  });

  it('uses the name of its application for an activity without a name', async () => {
    const { shown, show } = await playing();
    await show({ name: '' });
    expect(shown().activities).toMatchObject([{ name: 'Harbour Example' }]);
  });

  it('sets the client status of its platform', async () => {
    const { shown, show } = await playing();
    for (const [platform, client] of [
      ['ps5', 'embedded'],
      ['android', 'mobile'],
      ['meta_quest', 'vr'],
    ]) {
      await show({ platform });
      expect(shown().client_status).toHaveProperty(client ?? '', 'online');
    }
  });

  it('ends with the token that created it, and does not reveal its join secret', async () => {
    const { platform, emulator, otter, shown, show } = await playing();
    const secrets = { join: 'let-me-in' };
    const { body } = await show({ party: { id: 'crew' }, secrets });
    expect(JSON.stringify([body, shown()])).not.toContain('let-me-in');
    await emulator.links.end(otter.id, APP);
    expect(shown().status).toBe('offline');
    expect(platform.lines.join('\n')).not.toContain(body.token);
  });

  it('is closed as the oldest one when the user starts a ninth', async () => {
    const { emulator, show } = await playing();
    const first = await show();
    for (let n = 0; n < 8; n += 1) await show();
    expect(emulator.tables.session_presences.size).toBe(8);
    expect((await show({}, first.body.token)).status).toBe(400);
  });

  it('needs activities.write, and one activity of its own application on a platform', async () => {
    const { platform, otter } = await playing();
    const blind = await platform.person(ids.otter, ['identify']);
    expect((await blind.refused(`POST ${PATH}`, { json: { activities: [activity()] } })).body.code).toBe(
      50026,
    );
    for (const activities of [
      [],
      [activity(), activity()],
      [activity({ application_id: ids.lighthouse })],
      [activity({ platform: 'toaster' })],
      [activity({ name: 'x'.repeat(129) })],
      [activity({ type: 9 })],
      'none',
      null,
    ]) {
      expect((await otter.refused(`POST ${PATH}`, { json: { activities } })).body.code).toBe(50035);
    }
  });
});
