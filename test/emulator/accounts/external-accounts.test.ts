import { describe, expect, it } from 'vitest';
import type { External } from '../../../src/emulator/accounts/external.ts';
import { memoryStore } from '../../../src/emulator/accounts/oauth2/storage/store.ts';
import type { ApiError } from '../../../src/emulator/api/api-error.ts';
import { createEmulator } from '../../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { readFixture } from '../../../src/emulator/compose/fixture/toml.ts';
import { emulatorWorld, ids } from '../../helpers/emulator-world.ts';

const app = ids.harbourExample;
const steam = (externalUserId: string, name: string | null = null): External => ({
  provider: 'STEAM',
  externalUserId,
  name,
});

function refused(attempt: () => unknown): unknown {
  try {
    attempt();
  } catch (error) {
    const { status, body } = error as ApiError;
    return { status, ...body };
  }
  return 'nothing';
}

describe('an external identity [4.3]', () => {
  it('has one provisional account, whose name follows the provider', async () => {
    const { emulator } = await emulatorWorld();
    const first = emulator.external.provisional(app, steam('7', 'Gull'));
    expect(first).toMatchObject({ bot: false, flags: 1 << 23, global_name: 'Gull' });
    expect(emulator.external.provisional(app, steam('7', 'Tern'))).toMatchObject({
      id: first.id,
      global_name: 'Tern',
    });
    // One that does not say keeps the name.
    expect(emulator.external.provisional(app, steam('7'))).toMatchObject({
      id: first.id,
      global_name: 'Tern',
    });
    expect(emulator.external.provisional(app, steam('8')).id).not.toBe(first.id);
    expect(emulator.external.provisional(ids.lighthouse, steam('7')).id).not.toBe(first.id);
  });

  it('is linked at once, and the data of its provisional account moves before that account is removed', async () => {
    const { emulator, clock } = await emulatorWorld();
    const provisional = emulator.external.provisional(app, steam('7'));
    await emulator.apply({
      relationships: [
        { of: provisional.id, user: ids.otter, type: 'friend' },
        { of: provisional.id, user: ids.river, type: 'friend' },
        { of: ids.otter, user: provisional.id, type: 'friend' },
      ],
      messages: [{ id: '9', channel: ids.general, author: provisional.id, content: 'x' }],
      guilds: [
        { id: ids.riverBank, owner: provisional.id, channels: [{ id: ids.lounge, deny: [provisional.id] }] },
      ],
      me: provisional.id,
    });
    emulator.external.link(app, steam('7'), ids.heron);
    expect(emulator.external.linkOf(app, ids.heron)).toMatchObject({
      status: 'merging',
      source: provisional.id,
    });
    expect(emulator.user(provisional.id)).toBeDefined();
    expect(refused(() => emulator.external.link(app, steam('7'), ids.heron))).toMatchObject({ status: 423 });
    clock.advance(1_000);
    expect(emulator.external.linkOf(app, ids.heron)).toMatchObject({ status: 'linked', source: null });
    expect(emulator.user(provisional.id)).toBeUndefined();
    const { relationships, messages, guilds, channels } = emulator.tables;
    expect(relationships.get(ids.heron, ids.otter)).toMatchObject({ type: 1 });
    expect(relationships.get(ids.otter, ids.heron)).toMatchObject({ type: 1 });
    expect(messages.get('9')).toMatchObject({ author: ids.heron });
    expect(guilds.get(ids.riverBank)).toMatchObject({ owner: ids.heron });
    expect(channels.get(ids.lounge)).toMatchObject({ deny: [ids.heron] });
    expect(emulator.me().id).toBe(ids.heron);
    // Linking it again with the same person is nothing new.
    emulator.external.link(app, steam('7'), ids.heron);
    expect(emulator.external.linkOf(app, ids.heron)).toMatchObject({ status: 'linked' });
  });

  it('does not overwrite data that the linked account already has', async () => {
    const { emulator, clock } = await emulatorWorld();
    const provisional = emulator.external.provisional(app, steam('7'));
    await emulator.apply({ relationships: [{ of: provisional.id, user: ids.otter, type: 'friend' }] });
    emulator.external.link(app, steam('7'), ids.river);
    clock.advance(1_000);
    // River has had a request of otter's.
    expect(emulator.tables.relationships.get(ids.river, ids.otter)).toMatchObject({ type: 3 });
  });

  it('cannot be linked with two users, nor a user with two identities of one application', async () => {
    const { emulator } = await emulatorWorld();
    emulator.external.link(app, steam('7'), ids.heron);
    const conflict = {
      status: 400,
      code: 530010,
      user_id: ids.heron,
      provider_type: 'STEAM',
      provider_id: null,
      provider_issued_user_id: '7',
    };
    expect(refused(() => emulator.external.provisional(app, steam('7')))).toMatchObject(conflict);
    expect(refused(() => emulator.external.link(app, steam('7'), ids.otter))).toMatchObject(conflict);
    expect(refused(() => emulator.external.link(app, steam('8'), ids.heron))).toMatchObject({ code: 530023 });
    const other = emulator.external.provisional(app, steam('9'));
    expect(refused(() => emulator.external.link(app, steam('7'), other.id))).toMatchObject({ code: 530016 });
    emulator.external.link(ids.lighthouse, steam('7'), ids.heron);
  });

  it('names the issuer in a conflict', async () => {
    const { emulator } = await emulatorWorld();
    const external = { provider: 'https://id.example.com', externalUserId: 'a b', name: null };
    emulator.external.link(app, external, ids.heron);
    expect(refused(() => emulator.external.provisional(app, external))).toMatchObject({
      provider_type: 'OIDC',
      provider_id: 'https://id.example.com',
      provider_issued_user_id: 'a b',
    });
  });

  it('has a new provisional account with its playing friends when the link is severed', async () => {
    const { emulator } = await emulatorWorld({
      relationships: [
        { of: ids.heron, user: ids.otter, type: 'friend' },
        { of: ids.otter, user: ids.river, type: 'blocked' },
        { of: ids.otter, user: ids.heron, type: 'blocked' },
      ],
    });
    const mate = emulator.external.provisional(app, steam('8'));
    await emulator.apply({ relationships: [{ of: ids.heron, user: mate.id, type: 'friend' }] });
    emulator.external.link(app, steam('7'), ids.heron);
    emulator.external.sever(app, ids.heron);
    const [identity] = [...emulator.tables.external_identities].filter((one) => one.external_user_id === '7');
    const after = identity?.user ?? '';
    expect(identity).toMatchObject({ status: 'provisional', source: null });
    expect(after).not.toBe(ids.heron);
    expect(emulator.user(after)).toMatchObject({ global_name: 'Heron', flags: 1 << 23 });
    const { relationships } = emulator.tables;
    expect([...relationships.by('of', after)]).toMatchObject([{ user: mate.id, type: 1 }]);
    expect(relationships.get(mate.id, after)).toMatchObject({ type: 1 });
    // Otter blocked heron, and does not play: no friend of the new account, and no friend to it.
    expect(relationships.get(ids.otter, after)).toMatchObject({ type: 2 });
    expect(relationships.get(ids.heron, ids.otter)).toBeDefined();
    // Nothing else of heron's is linked, so severing again changes nothing.
    emulator.external.sever(app, ids.heron);
    expect(emulator.external.find(app, steam('7'))?.user).toBe(after);
    emulator.external.link(app, steam('7'), ids.heron);
  });

  it('loses no data when it is severed during a merge', async () => {
    const { emulator, clock } = await emulatorWorld();
    const provisional = emulator.external.provisional(app, steam('7'));
    await emulator.apply({
      messages: [{ id: '9', channel: ids.general, author: provisional.id, content: 'x' }],
    });
    emulator.external.link(app, steam('7'), ids.heron);
    emulator.external.sever(app, ids.heron);
    expect(emulator.tables.messages.get('9')).toMatchObject({ author: ids.heron });
    const [identity] = emulator.tables.external_identities;
    clock.advance(10_000);
    expect([...emulator.tables.external_identities]).toEqual([identity]);
    expect(identity).toMatchObject({ status: 'provisional' });
  });

  it('cannot be merged until its restriction is lifted', async () => {
    const { emulator } = await emulatorWorld({
      external_identities: [
        {
          application: app,
          provider: 'STEAM',
          external_user_id: '7',
          user: 'otter',
          status: 'restricted',
          source: 'heron',
        },
      ],
    });
    expect(emulator.external.provisional(app, steam('7')).id).toBe(ids.otter);
    expect(refused(() => emulator.external.link(app, steam('7'), ids.river))).toEqual({
      status: 400,
      code: 530017,
      message: 'Merge source user is banned',
    });
    emulator.external.lift(ids.river);
    expect(refused(() => emulator.external.link(app, steam('7'), ids.river))).toMatchObject({ code: 530017 });
    emulator.external.lift(ids.heron);
    emulator.external.link(app, steam('7'), ids.river);
  });

  it('completes its merge also when a fixture or an import lists it as merging', async () => {
    const { emulator, clock } = await emulatorWorld();
    const provisional = emulator.external.provisional(app, steam('7'));
    emulator.external.link(app, steam('7'), ids.heron);
    const text = emulator.exportState();
    emulator.reset();
    expect(emulator.tables.external_identities.size).toBe(0);
    clock.advance(5_000);
    emulator.importState(text, 'x');
    expect(emulator.external.linkOf(app, ids.heron)).toMatchObject({
      status: 'merging',
      source: provisional.id,
    });
    clock.advance(1_000);
    expect(emulator.external.linkOf(app, ids.heron)).toMatchObject({ status: 'linked' });
    expect(emulator.user(provisional.id)).toBeUndefined();

    const written = await emulatorWorld({
      external_identities: [
        {
          application: app,
          provider: 'APPLE',
          external_user_id: '7',
          user: 'river',
          status: 'merging',
          source: 'otter',
        },
      ],
    });
    written.clock.advance(1_000);
    expect(written.emulator.user(ids.otter)).toBeUndefined();
  });

  it('never has the account id of an identity from before a restart, at any time of the clock', async () => {
    const storage = memoryStore();
    const begin = async () => {
      const emulator = await createEmulator({ fixture: defaultFixture(), storage });
      emulator.clock.freeze();
      emulator.clock.set(Date.parse('2026-01-01T00:00:00Z'));
      return emulator;
    };
    const before = await begin();
    const first = before.external.provisional(app, steam('7'));
    const ask = { userId: first.id, clientId: app, issuer: 'i', renewable: true };
    const { access_token } = await before.oauth2.issueProvisional(ask);
    await before.close();
    const after = await begin();
    expect(after.external.provisional(app, steam('8')).id).not.toBe(first.id);
    expect(after.oauth2.introspect(access_token)).toEqual({ state: 'invalid', reason: 'user-removed' });
    await after.close();
  });

  it('is restored with its tokens after a restart from an exported state', async () => {
    const storage = memoryStore();
    const before = await createEmulator({ fixture: defaultFixture(), storage });
    const user = before.external.provisional(app, steam('7', 'Gull'));
    before.external.link(ids.lighthouse, steam('8'), ids.heron);
    const ask = { userId: user.id, clientId: app, issuer: 'i', renewable: true };
    const { access_token, refresh_token = '' } = await before.oauth2.issueProvisional(ask);
    const text = before.exportState();
    await before.close();
    // Without its account a token is good for nothing, and it is not forgotten either.
    const without = await createEmulator({ fixture: defaultFixture(), storage });
    expect(without.oauth2.introspect(access_token)).toEqual({ state: 'invalid', reason: 'user-removed' });
    without.importState(text, 'x');
    expect(without.oauth2.introspect(access_token)).toMatchObject({ state: 'active', userId: user.id });
    await without.close();
    const after = await createEmulator({ fixture: await readFixture([text], 'x'), storage });
    expect(after.oauth2.introspect(access_token)).toMatchObject({ state: 'active', userId: user.id });
    expect(after.external.provisional(app, steam('7'))).toEqual(user);
    expect(after.external.linkOf(ids.lighthouse, ids.heron)).toMatchObject({ status: 'linked' });
    const client = { clientId: app, clientSecret: 'any' };
    expect((await after.oauth2.refresh(client, { refreshToken: refresh_token })).scope).toBe(
      'sdk.social_layer',
    );
    // A new account never has an id that was given before.
    expect(after.external.provisional(app, steam('9')).id).not.toBe(user.id);
    await after.close();
  });
});
