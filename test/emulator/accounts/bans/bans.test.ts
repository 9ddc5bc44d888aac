import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileStore } from '../../../../src/emulator/accounts/oauth2/storage/file-store.ts';
import { emptyState } from '../../../../src/emulator/accounts/oauth2/storage/state.ts';
import { createEmulator } from '../../../../src/emulator/compose/create-emulator.ts';
import type { Emulator } from '../../../../src/emulator/compose/emulator.ts';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import { fixtureToToml, parseFixture } from '../../../../src/emulator/compose/fixture/toml.ts';
import { emulatorWorld, ids } from '../../../helpers/emulator-world.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { patch } from '../../../helpers/patched.ts';

const DAY = 86_400_000;
const client = { clientId: ids.harbourExample, clientSecret: 'any' };
const linked = (user: string, more: object = {}) => ({
  application: ids.harbourExample,
  provider: 'STEAM',
  external_user_id: '7',
  user,
  status: 'linked',
  ...more,
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bans-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An emulator that keeps its tokens in a folder, as one that is restarted does. */
async function start(folder: string, change: unknown = {}) {
  const clock = new ManualClock();
  const emulator = await createEmulator({
    fixture: patch(defaultFixture(), change).fixture,
    storage: fileStore(join(folder, 'tokens.json'), { clock }),
    consent: { policy: 'allow' },
    clock,
  });
  onTestFinished(() => emulator.close());
  return { emulator, clock };
}

async function tokens({ oauth2 }: Emulator) {
  const { code } = await oauth2.authorize({
    clientId: client.clientId,
    scopes: ['identify'],
    peer: { transport: 'ipc' },
    signal: new AbortController().signal,
  });
  return oauth2.exchangeCode(client, { code, issuer: 'http://127.0.0.1:1/api' });
}

function statusOf({ tables }: Emulator): string | undefined {
  const [identity] = tables.external_identities;
  return identity?.status;
}

describe('a ban', () => {
  it('survives a restart, and the tokens that it deleted stay deleted', async () => {
    const folder = await temporaryFolder();
    const { emulator } = await start(folder);
    const token = await tokens(emulator);
    expect(await emulator.links.ban(ids.river, null)).toMatchObject({
      applications: [ids.harbourExample],
      saved: { stored: true },
    });
    await emulator.close();
    const { emulator: next } = await start(folder);
    expect(next.oauth2.introspect(token.access_token).state).toBe('invalid');
    await expect(next.oauth2.refresh(client, { refreshToken: token.refresh_token })).rejects.toThrow(
      'invalid_grant',
    );
  });

  it('reports that its deleted tokens come back after a restart when the disk is full', async () => {
    const emulator = await createEmulator({
      fixture: defaultFixture(),
      storage: {
        load: async () => ({ kind: 'loaded', state: emptyState }),
        save: async () => ({ kind: 'failed', reason: 'no space left' }),
      },
      consent: { policy: 'allow' },
      clock: new ManualClock(),
    });
    onTestFinished(() => emulator.close());
    const token = await tokens(emulator);
    expect(await emulator.links.ban(ids.river, null)).toMatchObject({
      saved: { stored: false, reason: 'no space left', comesBack: true },
    });
    expect(emulator.oauth2.introspect(token.access_token).state).toBe('invalid');
  });

  it('survives export and import, with the restricted account and the time at which it lifts', async () => {
    const { emulator, clock } = await start(await temporaryFolder(), {
      external_identities: [linked('river')],
    });
    await emulator.links.ban(ids.river, clock.now() + DAY);
    const { emulator: next, clock: later } = await start(await temporaryFolder());
    next.importState(emulator.exportState(), 'state');
    expect([next.bans.isBanned(ids.river), statusOf(next)]).toEqual([true, 'restricted']);
    later.advance(DAY);
    expect([next.bans.isBanned(ids.river), statusOf(next)]).toEqual([false, 'provisional']);
  });

  it('survives a printed fixture', async () => {
    const { emulator } = await emulatorWorld();
    await emulator.links.ban(ids.otter, Date.UTC(2040, 0, 31));
    await emulator.links.ban(ids.heron, null);
    const read = await parseFixture(await fixtureToToml(emulator.toFixture()), 'printed');
    expect(read.account_bans).toEqual([
      { user: ids.otter, until: '2040-01-31T00:00:00.000Z' },
      { user: ids.heron, until: null },
    ]);
  });
});

describe('a ban in a fixture', () => {
  it('deletes stored tokens, and restricts the identities that the same fixture links', async () => {
    const folder = await temporaryFolder();
    const { emulator } = await start(folder);
    const token = await tokens(emulator);
    await emulator.close();
    const { emulator: next } = await start(folder, {
      account_bans: [{ user: 'river' }],
      external_identities: [linked('river'), linked('heron', { external_user_id: '8' })],
    });
    expect(next.oauth2.introspect(token.access_token).state).toBe('invalid');
    expect(next.oauth2.grants()).toEqual([]);
    expect([...next.tables.external_identities].map(({ status }) => status)).toEqual([
      'restricted',
      'linked',
    ]);
    next.bans.unban(ids.river);
    expect(next.oauth2.introspect(token.access_token).state).toBe('invalid');
    expect(statusOf(next)).toBe('provisional');
  });

  it('has no effect after its expiry, and is removed', async () => {
    const clock = new ManualClock();
    const { emulator } = await start(await temporaryFolder(), {
      account_bans: [{ user: 'river', until: new Date(clock.now() - 1).toISOString() }],
      external_identities: [linked('river')],
    });
    expect([emulator.tables.account_bans.size, statusOf(emulator)]).toEqual([0, 'linked']);
    await emulator.apply({ account_bans: [{ user: 'river', until: '2020-01-31T00:00:00Z' }] });
    expect([emulator.tables.account_bans.size, statusOf(emulator)]).toEqual([0, 'linked']);
    expect(await tokens(emulator)).toMatchObject({ token_type: 'Bearer' });
  });

  it('can be changed and removed by a patch', async () => {
    const { emulator, clock } = await emulatorWorld();
    await emulator.links.ban(ids.otter, clock.now() + DAY);
    await emulator.apply({
      account_bans: [{ user: 'otter', until: new Date(clock.now() + 2 * DAY).toISOString() }],
    });
    clock.advance(DAY);
    expect(emulator.bans.isBanned(ids.otter)).toBe(true);
    await emulator.apply({ account_bans: [{ user: 'otter', remove: true }] });
    expect([emulator.bans.isBanned(ids.otter), clock.pending]).toEqual([false, 0]);
    const tomorrow = patch(defaultFixture(), {
      account_bans: [{ user: 'otter', until: '2040-01-31T00:00:00Z' }],
    });
    emulator.transfer.load(tomorrow.fixture);
    expect([emulator.bans.isBanned(ids.otter), clock.pending]).toEqual([true, 1]);
    emulator.transfer.load(defaultFixture());
    expect([emulator.bans.isBanned(ids.otter), clock.pending]).toEqual([false, 0]);
  });
});

describe('the ban and link operations', () => {
  it('refuse a user who cannot be banned, is banned already, or is not banned, with a reason', async () => {
    const { emulator, clock } = await emulatorWorld({
      users: [{ id: '9', username: 'helper', bot: true }],
      external_identities: [linked('heron', { status: 'provisional' })],
    });
    const ban = (id: string, until: number | null = null) => emulator.links.ban(id, until);
    await expect(ban('8')).rejects.toThrow('user: there is no such user');
    await expect(ban('9')).rejects.toThrow('user: helper is a bot; only users can be banned');
    await expect(ban(ids.heron)).rejects.toThrow('heron is an account of a game alone');
    await expect(emulator.links.end(ids.heron, ids.harbourExample)).rejects.toThrow('of a game alone');
    await expect(ban(ids.otter, clock.now())).rejects.toThrow(
      `until: must be after ${new Date(clock.now()).toISOString()}, which is the time of the emulator`,
    );
    expect(() => emulator.bans.unban(ids.otter)).toThrow('user: otter is not banned');
    await ban(ids.otter, clock.now() + DAY);
    const until = new Date(clock.now() + DAY).toISOString();
    await expect(ban(ids.otter)).rejects.toThrow(`otter is banned already, until ${until}; unban them first`);
    expect([...emulator.tables.account_bans]).toEqual([{ user: ids.otter, until }]);
  });

  it('refuse to end a missing link, and name the existing links', async () => {
    const { emulator } = await emulatorWorld({ external_identities: [linked('otter')] });
    await expect(emulator.links.end(ids.otter, ids.lighthouse)).rejects.toThrow(
      'app: otter is not linked with Lighthouse Example, only with Harbour Example',
    );
    await expect(emulator.links.end(ids.river, '77')).rejects.toThrow(
      'app: river is not linked with 77, nor with any other application',
    );
    expect(statusOf(emulator)).toBe('linked');
  });
});

it('the removal of a banned user removes the ban, and no timer remains', async () => {
  const { emulator, clock } = await emulatorWorld();
  await emulator.links.ban(ids.otter, clock.now() + DAY);
  expect(clock.pending).toBe(1);
  await emulator.apply({ users: [{ id: ids.otter, remove: true }] });
  expect([emulator.tables.account_bans.size, clock.pending]).toEqual([0, 0]);
  await emulator.links.ban(ids.heron, clock.now() + DAY);
  await emulator.close();
  expect(clock.pending).toBe(0);
});
