import { describe, expect, it } from 'vitest';
import { Opcode } from '../../src/wire/codes.ts';
import { connected } from '../helpers/connected-client.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Script, wellBehaved } from '../helpers/scripted-server.ts';

const refusing: Script = (frame, peer, connection) => {
  if (frame.opcode !== Opcode.FRAME) return wellBehaved(frame, peer, connection);
  const { cmd, nonce } = frame.body;
  peer.payload({ cmd, nonce, evt: 'ERROR', data: { code: 4006, message: 'no scope' } });
};

describe('subscribe', () => {
  it('sends SUBSCRIBE with its arguments and delivers events until its disposer is called', async () => {
    const { server, client } = await connected();
    const heard: unknown[] = [];
    const stop = await client.subscribe('GUILD_STATUS', { guild_id: '7' }, (data) => heard.push(data));
    expect(server.peer.requests()).toEqual([
      { cmd: 'SUBSCRIBE', evt: 'GUILD_STATUS', args: { guild_id: '7' }, nonce: expect.any(String) },
    ]);
    server.peer.dispatch('GUILD_STATUS', { guild: { id: '7' }, online: 0 });
    server.peer.dispatch('SOMETHING_ELSE', {});
    await eventually(() => expect(heard).toEqual([{ guild: { id: '7' }, online: 0 }]));
    await stop();
    await stop();
    await client.requestRaw('ECHO', {});
    expect(server.peer.requests('UNSUBSCRIBE')).toEqual([
      { cmd: 'UNSUBSCRIBE', evt: 'GUILD_STATUS', args: { guild_id: '7' }, nonce: expect.any(String) },
    ]);
    server.peer.dispatch('GUILD_STATUS', { guild: { id: '7' }, online: 0 });
    await client.requestRaw('ECHO', {});
    expect(heard).toHaveLength(1);
  });

  it('delivers an event that arrives before the response', async () => {
    const { client } = await connected((frame, peer, connection) => {
      if (frame.body.cmd === 'SUBSCRIBE') peer.dispatch('VOICE_SETTINGS_UPDATE', { mute: true });
      wellBehaved(frame, peer, connection);
    });
    const heard: unknown[] = [];
    await client.subscribe('VOICE_SETTINGS_UPDATE', {}, (data) => heard.push(data));
    expect(heard).toEqual([{ mute: true }]);
  });

  it('shares one subscription among handlers with the same arguments in any key order', async () => {
    const { server, client } = await connected();
    const heard: string[] = [];
    const args = { channel_id: '1', user_id: '2' };
    const first = await client.subscribeRaw('SPEAKING_START', args, () => heard.push('first'));
    const second = await client.subscribeRaw('SPEAKING_START', { user_id: '2', channel_id: '1' }, () =>
      heard.push('second'),
    );
    server.peer.dispatch('SPEAKING_START', {});
    await eventually(() => expect(heard).toEqual(['first', 'second']));
    await first();
    await client.requestRaw('ECHO', {});
    expect(server.peer.requests('UNSUBSCRIBE')).toEqual([]);
    await second();
    await client.requestRaw('ECHO', {});
    expect(server.peer.requests('UNSUBSCRIBE')).toHaveLength(1);
  });

  it('separates handlers with different arguments where the event names the argument', async () => {
    const { server, client } = await connected();
    const heard: string[] = [];
    await client.subscribe('SPEAKING_START', { channel_id: '1' }, () => heard.push('one'));
    await client.subscribe('SPEAKING_START', { channel_id: '2' }, () => heard.push('two'));
    await client.subscribe('SPEAKING_START', { channel_id: null }, () => heard.push('any'));
    server.peer.dispatch('SPEAKING_START', { channel_id: '2', user_id: '9' });
    server.peer.dispatch('SPEAKING_START', { user_id: '9' });
    await eventually(() => expect(heard).toEqual(['two', 'any', 'one', 'two', 'any']));
  });

  it('leaves no handler when the server refuses', async () => {
    const { server, client } = await connected(refusing);
    const heard: unknown[] = [];
    const refused = client.subscribe('GUILD_CREATE', {}, (data) => heard.push(data));
    await expect(refused).rejects.toMatchObject({ code: 4006, message: 'no scope' });
    server.peer.dispatch('GUILD_CREATE', {});
    await client.requestRaw('ECHO', {}).catch(() => {});
    expect(heard).toEqual([]);
    expect(server.peer.requests('UNSUBSCRIBE')).toEqual([]);
  });

  it('unsubscribes after its timeout', async () => {
    const { server, client } = await connected((frame, peer, connection) => {
      if (frame.body.cmd !== 'SUBSCRIBE') wellBehaved(frame, peer, connection);
    });
    const given = client.subscribe('GUILD_CREATE', {}, () => {}, { timeoutMs: 10 });
    await expect(given).rejects.toMatchObject({ code: 'FOOTBRIDGE_TIMEOUT' });
    await eventually(() => expect(server.peer.requests('UNSUBSCRIBE')).toHaveLength(1));
  });

  it('calls the handlers that were registered before an event, despite changes during the event', async () => {
    const { server, client } = await connected();
    const heard: string[] = [];
    const stop = await client.subscribe('GUILD_CREATE', {}, () => {
      heard.push('first');
      void stop();
    });
    await client.subscribe('GUILD_CREATE', {}, () => heard.push('second'));
    server.peer.dispatch('GUILD_CREATE', {});
    server.peer.dispatch('GUILD_CREATE', {});
    await eventually(() => expect(heard).toEqual(['first', 'second', 'second']));
  });
});

describe('the event stream', () => {
  it('yields the events of a subscription and unsubscribes when the loop exits', async () => {
    const { server, client } = await connected();
    const heard: unknown[] = [];
    const loop = (async () => {
      for await (const data of client.events('VOICE_CHANNEL_SELECT', {})) {
        heard.push(data.channel_id);
        if (heard.length === 3) break;
      }
    })();
    await eventually(() => expect(server.peer.requests('SUBSCRIBE')).toHaveLength(1));
    for (const channel_id of ['1', '2', null]) server.peer.dispatch('VOICE_CHANNEL_SELECT', { channel_id });
    await loop;
    expect(heard).toEqual(['1', '2', null]);
    await client.requestRaw('ECHO', {});
    expect(server.peer.requests('UNSUBSCRIBE')).toHaveLength(1);
  });

  it('buffers the newest events for a slow loop', async () => {
    const { server, client } = await connected();
    const events = client.events('VOICE_CHANNEL_SELECT', {}, { limit: 2 });
    const first = events.next();
    await eventually(() => expect(server.peer.requests('SUBSCRIBE')).toHaveLength(1));
    for (const channel_id of ['1', '2', '3', '4'])
      server.peer.dispatch('VOICE_CHANNEL_SELECT', { channel_id });
    await client.requestRaw('ECHO', {});
    expect((await first).value).toEqual({ channel_id: '3' });
    expect((await events.next()).value).toEqual({ channel_id: '4' });
    await events.return();
  });

  it('closes with the client or its signal, and throws the error of SUBSCRIBE', async () => {
    const { server, client } = await connected();
    const abort = new AbortController();
    const aborted = client.events('GUILD_CREATE', {}, { signal: abort.signal }).next();
    const closed = client.events('GUILD_CREATE', {}).next();
    const all = client[Symbol.asyncIterator]().next();
    await eventually(() => expect(server.peer.requests('SUBSCRIBE')).toHaveLength(2));
    await client.requestRaw('ECHO', {});
    abort.abort();
    expect(await aborted).toEqual({ done: true, value: undefined });
    await client.close();
    expect(await closed).toEqual({ done: true, value: undefined });
    expect(await all).toEqual({ done: true, value: undefined });
    await expect(client.events('GUILD_CREATE', {}).next()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_CLOSED',
    });
    expect(await client[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  });
});
