import { expect, it } from 'vitest';
import { emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

const revoked = { code: 4003, message: 'Token revoked' };

it.each([
  ['user.ban', { user: 'river' }, true],
  ['user.ban', { user: 'river', until: '2080-01-31' }, true],
  ['user.unlink', { user: 'river', app: 'Harbour Example' }, false],
  ['user.remove-app', { user: ids.river, app: ids.harbourExample }, false],
] as const)(
  '%s %o closes the RPC sessions with a token of the user with 4003, and no others [T-3, T-4]',
  async (operation, args, all) => {
    const bridge = await emulatorBridge();
    const apps = [await bridge.app({ scopes: ['rpc'] }), await bridge.app({ scopes: ['rpc'] })];
    const other = await bridge.app({ clientId: ids.lighthouse, scopes: ['rpc'] });
    const anonymous = await bridge.app();
    await bridge.run(operation, args);
    for (const app of apps) expect(await app.closed()).toEqual(revoked);
    if (all) expect(await other.closed()).toEqual(revoked);
    else expect(await other.rest()).toEqual([]);
    expect(await anonymous.rest()).toEqual([]);
  },
);

it('an app of a banned user connects, and AUTHORIZE fails until the ban lifts', async () => {
  const bridge = await emulatorBridge();
  const app = await bridge.app({ scopes: ['rpc'] });
  await bridge.run('user.ban', { user: 'river' });
  await app.closed();
  const again = await bridge.app();
  const asked = { client_id: ids.harbourExample, scopes: ['rpc'] };
  expect(await again.call('AUTHORIZE', asked)).toMatchObject({
    evt: 'ERROR',
    data: { code: 5000, message: 'access_denied: The account of the user is banned.' },
  });
  await bridge.run('user.unban', { user: 'river' });
  expect((await again.call('AUTHORIZE', asked)).evt).toBeNull();
});

it('user.ban returns the user and the applications whose tokens were removed', async () => {
  const bridge = await emulatorBridge();
  await bridge.app({ scopes: ['rpc'] });
  expect(await bridge.run('user.ban', { user: 'river', until: '2080-01-31T01:00:00+01:00' })).toEqual({
    user: { id: ids.river, username: 'river' },
    applications: [{ id: ids.harbourExample, name: 'Harbour Example' }],
    identities: [],
    stored: true,
    until: '2080-01-31T00:00:00.000Z',
  });
});
