import { describe, expect, it, onTestFinished } from 'vitest';
import { adminDeclarations } from '../../src/daemon/operations.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { expectDeclared } from '../helpers/declared-result.ts';
import { rawPeer } from '../helpers/raw-peer.ts';

const APP = '300000000000000001';
const LOUNGE = '500000000000000005';
const GUILD = '400000000000000001';

/** Those that examples of commands call, whose results are judged there, and those that other tests of this kind call. */
const ELSEWHERE = [
  // No bridge in a test has a console.
  'console.address',
  // No bridge in a test has a configuration file, and the other lives as long as a connection.
  'endpoints.reload',
  'endpoints.open',
  'presence.set',
  // It needs a browser.
  'message.picture',
  // A platform that answers plays these, and judges each result.
  'interaction.use',
  'interaction.autocomplete',
  'interaction.click',
  'interaction.choose',
  'interaction.submit',
  'interaction.show',
  // One command calls all of these.
  'invite.hold-job',
  'invite.advance-job',
  'invite.fail-job',
];

describe('the result of an operation', () => {
  it('has its declared shape, for each operation that no command calls by itself', async () => {
    const emulator = await startEmulator({ consent: 'ask' });
    onTestFinished(() => emulator.close());
    const called = new Set<string>();
    const operations: { call(name: string, args: object): Promise<unknown> } = emulator.operations;
    const call = async <T>(name: string, args: object = {}): Promise<T> => {
      const result = await operations.call(name, args);
      expectDeclared(name, result);
      called.add(name);
      return result as T;
    };
    const app = new AppPeer(await rawPeer(emulator.endpoint));
    await app.handshake(APP);
    app.request('SET_ACTIVITY', { pid: process.pid, activity: { details: 'x', nobody: 1 } });
    await app.answer();
    app.request('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    await expect.poll(() => emulator.operations.call('requests.list')).toHaveLength(1);
    const [asked] = await call<{ id: string }[]>('requests.list');
    await call('requests.approve', { id: asked?.id, always: true });
    await app.answer();
    app.request('AUTHORIZE', { client_id: APP, scopes: ['guilds'] });
    await expect.poll(() => emulator.operations.call('requests.list')).toHaveLength(1);
    const [second] = await call<{ id: string }[]>('requests.list');
    await call('requests.deny', { id: second?.id });
    await app.answer();
    await call('requests.history');
    await call('bridge.facts');
    const [grant] = await call<{ id: string }[]>('grants.list');
    await call('link.ask', { app: APP });
    await call('grants.revoke', { id: grant?.id });
    await call('requests.history');

    await call('summary');
    await call('emulator.show');
    await call('emulator.show', { format: 'toml' });
    await fetch(`${emulator.api}/v10/nothing`);
    await call('emulator.missing');
    await call('emulator.violations');
    await call('emulator.allow', { rule: 'unknown-route', where: 'GET /nothing' });
    const { state } = await call<{ state: string }>('emulator.export');
    await call('emulator.apply', { patch: { guilds: [{ id: GUILD, name: 'Other Bank' }] } });
    await call('emulator.import', { state });
    await call('emulator.settle', { quiet: '0ms' });
    await call('clock.skip', { within: '1s' });
    await call('emulator.seed');
    const { name } = await call<{ name: string }>('world.add');
    await call('world.list');
    await call('world.show', { name });
    await call('world.endpoint', { name });
    await call('activity.doubts');
    await call('overlay.set', { pid: 1, enabled: true });

    const { id } = await call<{ id: string }>('channel.say', { channel: 'general', text: 'Hello' });
    await call('channel.view', { channel: 'general', user: 'otter' });
    await call('message.view', { message: id });
    await call('file.read', { address: '/avatars/200000000000000001.png' });
    await call('interaction.suggest', { channel: 'general', kind: 'mentionable' });
    await call('channel.read', { channel: 'general' });
    await call('message.edit', { id, text: 'Hello again' });
    await call('message.delete', { id });
    const lobby = await call<{ id: string }>('lobby.join', { app: APP, secret: 'berth', user: 'otter' });
    const member = { lobby: lobby.id, user: 'otter' };
    const written = await call<{ id: string }>('lobby.say', { ...member, text: 'Hello' });
    await call('lobby.edit-message', { id: written.id, text: 'Hello again' });
    await call('lobby.delete-message', { id: written.id });
    await call('lobby.join-call', member);
    await call('lobby.leave-call', member);
    await call('lobby.leave', member);

    const event = {
      id: '91',
      name: 'Regatta',
      type: 'voice',
      channel: LOUNGE,
      start: '2090-01-01T00:00:00Z',
      end: null,
    };
    await call('emulator.apply', { patch: { guilds: [{ id: GUILD, scheduled_events: [event] }] } });
    await call('event.interest', { id: '91', user: 'otter', on: true });

    await call('gateway.sessions');
    await call('gateway.reconnect', { app: APP });
    await call('gateway.cut', { app: APP });
    await call('webhooks.list');
    await call('interaction.list');
    await call('fault.add', { fault: 'drop', command: 'GET_GUILD' });
    await call('fault.list');
    await call('fault.remove');
    await call('journal.read', { limit: 5 });
    await call('record.start');
    await call('record.show');
    await call('record.stop');
    const page = { clientId: APP, origin: 'http://localhost:3000' };
    await call('origins.add', page);
    await call('origins.list');
    await call('origins.remove', page);
    await call('endpoints.list');
    const own = { clientId: APP, activity: { details: 'On a walk' } };
    await call('presence.test', own);
    await call('presence.hold', { ...own, until: null });
    await call('presence.list');
    await call('presence.pause', { until: null });
    await call('presence.list');
    await call('presence.resume');
    await call('presence.clear');
    await call('presence.reload');
    const shown = call('voice.show');
    await expect.poll(() => emulator.operations.call('requests.list')).toHaveLength(1);
    const [voice] = await call<{ id: string }[]>('requests.list');
    await call('requests.approve', { id: voice?.id });
    await shown;
    await call('voice.change', { mute: true });

    const needed = adminDeclarations.filter(
      ({ name, command }) => command === undefined && !ELSEWHERE.includes(name),
    );
    const left = needed.map(({ name }) => name as string).filter((name) => !called.has(name));
    expect(left).toEqual([]);
  });
});
