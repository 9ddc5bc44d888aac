import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { attachSchema } from '../../../src/core/attach/schema.ts';
import { CLIENT_ID } from '../../helpers/app-peer.ts';
import { attachBridge, person } from '../../helpers/attach-bridge.ts';
import { type JsonSchema, malformed, problemsOf } from '../../helpers/json-schema.ts';
import { PlainWebSocket } from '../../helpers/plain-web-socket.ts';

const file = new URL('../../../src/attach/schema.json', import.meta.url);
const { $defs } = JSON.parse(readFileSync(file, 'utf8')) as { $defs: Record<string, JsonSchema> };
const problems = (name: string, value: unknown) => problemsOf($defs[name] as JsonSchema, value);

describe('the schema of the attach protocol', () => {
  it('equals the output of npm run gen', () => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(attachSchema());
    for (const [name, schema] of Object.entries($defs)) expect([name, malformed(schema)]).toEqual([name, []]);
  });

  it('accepts the messages between a bridge and a client', async () => {
    const { run, url, app } = await attachBridge();
    const early = await app();
    await early.call('SET_ACTIVITY', { pid: 1, activity: { state: 'shown' } });
    const { code } = (await run('attach.pair', { name: 'web' })) as { code: string };
    const socket = new PlainWebSocket(url());
    await socket.opened();
    const say = (name: string, message: object): void => {
      const whole = { jsonrpc: '2.0', ...message };
      expect(problems(name, whole)).toEqual([]);
      socket.send(whole);
    };
    const methods = new Set<string>();
    const hear = async () => {
      const message = (await socket.next()) as { id: number; method: string };
      expect(problems('bridgeMessage', message)).toEqual([]);
      methods.add(message.method);
      return message;
    };
    const commands = ['AUTHENTICATE', 'AUTHORIZE'];
    say('clientHello', { id: 'any', method: 'hello', params: { v: 1, code, user: person, commands } });
    expect(problems('bridgeHello', await socket.next())).toEqual([]);
    const peer = await app();
    await hear();
    peer.request('AUTHENTICATE', { access_token: 'x' });
    const application = { id: CLIENT_ID, name: 'App' };
    const granted = { application, scopes: ['rpc'], expires: '2099-01-01T00:00:00.000Z' };
    say('clientMessage', { id: (await hear()).id, result: granted });
    await peer.answer();
    peer.request('SUBSCRIBE', {}, { evt: 'GUILD_CREATE' });
    say('clientMessage', { id: (await hear()).id, result: [] });
    await peer.answer();
    say('clientMessage', {
      method: 'event',
      params: { evt: 'GUILD_CREATE', data: { id: '1', name: 'x' }, filter: {} },
    });
    await peer.answer();
    await peer.call('UNSUBSCRIBE', {}, { evt: 'GUILD_CREATE' });
    await hear();
    await peer.call('SET_ACTIVITY', { pid: 2, activity: { state: 'more' } });
    await hear();
    const third = await app();
    await hear();
    third.request('AUTHORIZE', { client_id: CLIENT_ID, scopes: ['rpc'] });
    await hear();
    third.end();
    while (methods.size < 7) await hear();
    say('clientMessage', { method: 'user', params: { user: person } });
    say('clientMessage', { id: 99, error: { code: 4003, message: 'no' } });
    say('clientMessage', { method: 'token_revoked', params: { token: 'x' } });
    expect(await peer.closed()).toMatchObject({ code: 4003 });
    expect([...methods].sort()).toEqual([
      ...['call', 'presence', 'session_closed', 'session_opened', 'subscribe', 'unsubscribe', 'withdrawn'],
    ]);
  });

  it.each([
    ['clientHello', { jsonrpc: '2.0', id: 1, method: 'hello', params: { v: 2, commands: [] } }],
    ['clientMessage', { jsonrpc: '2.0', method: 'shutdown', params: {} }],
    ['clientMessage', { jsonrpc: '1.0', id: 1, result: null }],
    ['bridgeMessage', { jsonrpc: '2.0', id: 1, method: 'call', params: {} }],
  ])('rejects a wrong %s: %j', (name, message) => {
    expect(problems(name, message)).not.toEqual([]);
  });
});
