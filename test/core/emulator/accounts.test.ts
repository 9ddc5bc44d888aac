import { describe, expect, it } from 'vitest';
import { Opcode } from '../../../src/wire/codes.ts';
import { settled } from '../../helpers/app-peer.ts';
import { allScopes, emulatorBridge, eventsOf } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

const logout = { code: 1000, message: 'User logout' };

describe('an app that sends HANDSHAKE', () => {
  it('is ready in the same turn', async () => {
    const bridge = await emulatorBridge();
    bridge.connect().send(Opcode.HANDSHAKE, { v: 1, client_id: ids.harbourExample });
    expect(bridge.server.sessions()).toMatchObject([{ state: 'ready' }]);
  });
});

describe('the logged-in user', () => {
  it('can be switched: every session is closed with 1000 User logout, and apps reconnect as the new user', async () => {
    const bridge = await emulatorBridge();
    const apps = [await bridge.app({ scopes: ['rpc'] }), await bridge.app({ via: 'web' })];
    expect(await bridge.run('user.switch', { id: 'otter' })).toEqual({
      user: { id: ids.otter, username: 'otter' },
      loggedIn: true,
    });
    for (const app of apps) expect(await app.closed()).toEqual(logout);
    const again = bridge.connect();
    expect((await again.handshake()).data.user.username).toBe('otter');
    const authorized = await bridge.app({ scopes: ['rpc', 'relationships.read'] });
    const { data } = await authorized.call('GET_CHANNELS', { guild_id: ids.harbour });
    // What was hidden from River is in view now.
    expect(data.channels.map(({ name }: { name: string }) => name)).toContain('harbour-masters');
    expect((await authorized.call('GET_RELATIONSHIPS')).data).toEqual({ relationships: [] });
  });

  it('has a changed name in the READY of the next app', async () => {
    const bridge = await emulatorBridge();
    await bridge.connect().handshake();
    await bridge.emulator.apply({ users: [{ id: ids.river, username: 'rapids' }] });
    expect((await bridge.connect().handshake()).data.user.username).toBe('rapids');
  });

  it('is unchanged when user.switch names the same user', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app();
    await bridge.run('user.switch', { id: 'river' });
    expect(await app.rest()).toEqual([]);
    await expect(bridge.run('user.switch', { id: 'nobody' })).rejects.toThrow(/no user "nobody"/);
  });
});

describe('without a logged-in user', () => {
  it('sessions are closed, and no session opens until a user logs in', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app();
    expect(await bridge.run('user.log-out')).toMatchObject({ loggedIn: false });
    expect(await app.closed()).toEqual(logout);
    const refused = bridge.connect();
    refused.send(Opcode.HANDSHAKE, { v: 1, client_id: ids.harbourExample });
    expect(await refused.closed()).toEqual({ code: 1000, message: 'No user is logged in' });
    await bridge.run('user.log-in');
    expect((await (await bridge.app()).call('GET_USER', { id: ids.river })).data.username).toBe('river');
    await bridge.run('user.log-out');
    await bridge.run('user.log-in', { id: 'heron' });
    expect(await bridge.run('summary')).toMatchObject({ user: { username: 'heron' }, loggedIn: true });
  });
});

describe('a recorded command that the user allows', () => {
  it('changes the lock of the overlay', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app();
    await app.subscribe('OVERLAY_UPDATE', { pid: 4242 });
    expect(await eventsOf(app)).toMatchObject([{ data: { enabled: false, locked: true } }]);
    await app.call('SET_OVERLAY_LOCKED', { pid: 4242, locked: false });
    expect(await eventsOf(app)).toMatchObject([{ data: { enabled: false, locked: false } }]);
  });

  it('buys the offered SKU', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app({ clientId: ids.lighthouse });
    await app.subscribe('ENTITLEMENT_CREATE');
    expect((await app.call('VALIDATE_APPLICATION')).data.code).toBe(4015);
    const { data } = await app.call('START_PURCHASE', { sku_id: '77' });
    expect(data).toMatchObject([{ sku_id: '77', application_id: ids.lighthouse, user_id: ids.river }]);
    expect(await eventsOf(app)).toMatchObject([{ data: { entitlement: { sku_id: '77' } } }]);
    expect((await app.call('VALIDATE_APPLICATION')).evt).toBeNull();
  });

  it('changes nothing when the user denies it', async () => {
    const bridge = await emulatorBridge({ applications: [{ id: ids.harbourExample, consent: 'deny' }] });
    const app = await bridge.app();
    expect((await app.call('SET_OVERLAY_LOCKED', { pid: 4242, locked: false })).evt).toBe('ERROR');
    expect((await app.call('START_PURCHASE', { sku_id: '77' })).data.code).toBe(5008);
    expect(bridge.emulator.client.overlay(4242).locked).toBe(true);
    expect(bridge.emulator.store.entitlements(ids.harbourExample)).toHaveLength(1);
  });
});

describe('an event about another user', () => {
  it('contains the activity of a friend only in the application of that activity', async () => {
    const bridge = await emulatorBridge();
    const own = await bridge.app({ scopes: allScopes });
    const other = await bridge.app({ clientId: ids.lighthouse, scopes: allScopes });
    for (const app of [own, other]) await app.subscribe('RELATIONSHIP_UPDATE');
    await bridge.run('relationship.set', { user: 'heron', status: 'dnd' });
    const activity = { application_id: ids.harbourExample, details: 'Feeding the fish' };
    expect(await eventsOf(own)).toMatchObject([{ data: { presence: { status: 'dnd', activity } } }]);
    expect(await eventsOf(other)).toMatchObject([{ data: { presence: { status: 'dnd', activity: null } } }]);
    await bridge.run('relationship.set', { user: 'heron', status: 'none' });
    expect(await eventsOf(own)).toMatchObject([{ data: { type: 0, user: { username: 'heron' } } }]);
  });

  it('is sent for every change of the presence of a friend', async () => {
    const bridge = await emulatorBridge();
    const own = await bridge.app({ scopes: allScopes });
    const other = await bridge.app({ clientId: ids.lighthouse, scopes: allScopes });
    for (const app of [own, other]) await app.subscribe('RELATIONSHIP_UPDATE');
    const game = { name: 'Harbour Example', application_id: ids.harbourExample, state: 'Rowing' };
    await bridge.run('emulator.apply', {
      patch: { user_presences: [{ user: ids.heron, status: 'dnd', activities: [game] }] },
    });
    const shown = { type: 0, application_id: ids.harbourExample, state: 'Rowing' };
    expect(await eventsOf(own)).toMatchObject([
      { data: { type: 1, user: { id: ids.heron }, presence: { status: 'dnd', activity: shown } } },
    ]);
    expect(await eventsOf(other)).toMatchObject([{ data: { presence: { status: 'dnd', activity: null } } }]);
    const { relationships } = (await own.call('GET_RELATIONSHIPS')).data;
    expect(relationships).toContainEqual(
      expect.objectContaining({ presence: { status: 'dnd', activity: expect.objectContaining(shown) } }),
    );
    // A person who is on no list of the logged-in user.
    await bridge.run('emulator.apply', { patch: { user_presences: [{ user: ids.otter, status: 'idle' }] } });
    const incoming = (await eventsOf(own)).map(({ data }) => data.type);
    expect(incoming).not.toContain(1);
  });

  it('is sent for a new name or nickname wherever the user is visible', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app({ scopes: allScopes });
    await app.subscribe('RELATIONSHIP_UPDATE');
    await app.subscribe('VOICE_STATE_UPDATE', { channel_id: ids.quay });
    await app.rest();
    await bridge.run('emulator.apply', { patch: { users: [{ id: ids.heron, global_name: 'Crane' }] } });
    expect((await eventsOf(app)).map(({ evt }) => evt)).toEqual([
      'RELATIONSHIP_UPDATE',
      'VOICE_STATE_UPDATE',
    ]);
    const members = [{ user: 'heron', nick: 'Chief' }];
    await bridge.run('emulator.apply', { patch: { guilds: [{ id: ids.harbour, members }] } });
    expect(await eventsOf(app)).toMatchObject([{ evt: 'VOICE_STATE_UPDATE', data: { nick: 'Chief' } }]);
    await settled();
  });
});
