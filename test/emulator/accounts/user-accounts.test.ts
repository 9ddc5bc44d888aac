import { expect, it } from 'vitest';
import { emulatorWorld, ids } from '../../helpers/emulator-world.ts';
import { rpcWorld } from '../../helpers/rpc-feed.ts';

it('accounts add, change and remove a friend', async () => {
  const { emulator, sent } = await rpcWorld();
  expect(emulator.accounts.befriend(ids.heron, 'dnd')).toMatchObject({ type: 1, status: 'dnd' });
  expect(emulator.accounts.befriend(ids.otter, 'online')).toMatchObject({ type: 3 });
  expect(emulator.accounts.befriend(ids.otter, 'online', 1)).toMatchObject({ type: 1 });
  expect(emulator.accounts.unfriend(ids.otter)).toBe(true);
  expect(emulator.accounts.unfriend(ids.otter)).toBe(false);
  expect(sent()).toMatchObject([
    { data: { user: { id: ids.heron }, presence: { status: 'dnd' } } },
    { data: { user: { id: ids.otter }, type: 3 } },
    { data: { user: { id: ids.otter }, type: 1 } },
    { data: { user: { id: ids.otter }, type: 0 } },
  ]);
  expect(emulator.accounts.relationship(ids.heron)?.activity).toMatchObject({ details: 'Feeding the fish' });
  expect(() => emulator.accounts.befriend(ids.river, 'online')).toThrow(/logged-in user/);
  expect(() => emulator.accounts.befriend('1', 'online')).toThrow(/no such user/);
});

it('accounts name a user by nickname, display name or username', async () => {
  const { emulator } = await emulatorWorld({ users: [{ id: ids.otter, global_name: null }] });
  expect(emulator.accounts.nameIn(ids.riverBank, ids.heron)).toBe('Heron on the Bank');
  expect(emulator.accounts.nameIn(ids.harbour, ids.heron)).toBe('Heron');
  expect(emulator.accounts.nameIn(ids.harbour, ids.otter)).toBe('otter');
});

it('accounts return the color of the highest role of a user that has a color', async () => {
  const role = (id: string, position: number, primary_color: number) => ({
    id,
    name: 'x',
    position,
    colors: { primary_color },
  });
  const { emulator } = await emulatorWorld({
    guilds: [
      {
        id: ids.riverBank,
        roles: [role('801', 1, 0x00_00_ff), role('802', 3, 0), role('803', 2, 0x0a_0b_0c)],
        members: [{ user: ids.otter, roles: ['801', '802', '803'] }],
      },
    ],
  });
  expect(emulator.accounts.colorIn(ids.riverBank, ids.otter)).toBe('#0a0b0c');
  expect(emulator.accounts.colorIn(ids.riverBank, ids.river)).toBeUndefined();
});

it('one account is logged in at a time, and each account has its own relationships', async () => {
  const { emulator, types } = await rpcWorld({ relationships: [{ of: 'heron', user: 'otter' }] });
  emulator.selectVoiceChannel(ids.lounge);
  types();
  emulator.accounts.logIn(ids.heron);
  expect(types()).toEqual([
    'CLOSE',
    'CHANNEL_CREATE',
    'VOICE_STATE_DELETE',
    'VOICE_CHANNEL_SELECT',
    // Now it is the voice settings that say whether Heron is muted.
    'VOICE_STATE_UPDATE',
    ...Array(5).fill('VOICE_CONNECTION_STATUS'),
  ]);
  // River's client hung up, and Heron's was in a channel all the time.
  expect(emulator.calls.in(ids.lounge)).toEqual([]);
  expect(emulator.selectedVoiceChannel()?.id).toBe(ids.quay);
  expect(emulator.accounts.relationships().map(({ user }) => user)).toEqual([ids.river, ids.otter]);
});

it('a logout leaves the call, and the user can log in again', async () => {
  const { emulator, types } = await rpcWorld();
  emulator.selectVoiceChannel(ids.lounge);
  types();
  emulator.accounts.logOut();
  expect(types()).toEqual(['CLOSE', 'VOICE_STATE_DELETE', 'VOICE_CHANNEL_SELECT', 'VOICE_CONNECTION_STATUS']);
  expect(emulator.accounts.loggedIn()).toBe(false);
  expect(() => emulator.selectVoiceChannel(ids.lounge)).toThrow(/not logged in/);
  emulator.accounts.logOut();
  expect(types()).toEqual([]);
  emulator.accounts.logIn(ids.river);
  expect(types()).toEqual([]);
  expect(() => emulator.accounts.logIn('1')).toThrow(/no such user/);
});

it('a logout withdraws the requests that wait for consent', async () => {
  const { emulator } = await emulatorWorld();
  const asked = emulator.oauth2.authorize({
    clientId: '42',
    scopes: ['rpc'],
    peer: { transport: 'ipc' },
    signal: new AbortController().signal,
  });
  const refused = expect(asked).rejects.toThrow();
  emulator.accounts.logOut();
  await refused;
  expect(emulator.requests.list()).toEqual([]);
});
