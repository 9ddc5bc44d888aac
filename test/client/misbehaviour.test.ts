import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Opcode } from '../../src/wire/codes.ts';
import { connected } from '../helpers/connected-client.ts';
import { eventually } from '../helpers/eventually.ts';
import { concatBytes, cutBytes, frameBytes, headerBytes } from '../helpers/frame-bytes.ts';
import { type ClientPeer, type Script, scriptedReady, wellBehaved } from '../helpers/scripted-server.ts';

function payload(parts: object): Uint8Array {
  return frameBytes(
    Opcode.FRAME,
    JSON.stringify({ cmd: 'DISPATCH', data: null, evt: null, nonce: null, ...parts }),
  );
}

/** Answers the handshake as usual and every request in its own way. */
function answering(
  answer: (request: { cmd: string; nonce: string; args: never }, peer: ClientPeer) => void,
): Script {
  return ({ opcode, body }, peer) => {
    if (opcode === Opcode.HANDSHAKE) peer.ready();
    else if (opcode === Opcode.FRAME) answer(body, peer);
  };
}

/** Writes one after the other, each as a packet of its own. */
async function trickle(peer: ClientPeer, chunks: readonly Uint8Array[], gapMs: number): Promise<void> {
  for (const chunk of chunks) {
    peer.write(chunk);
    await sleep(gapMs);
  }
}

describe('the client accepts from a server', () => {
  it('a response and events in one write, without a lost event', async () => {
    const heard: unknown[] = [];
    const { client } = await connected(
      answering(({ cmd, nonce }, peer) => {
        const events = [1, 2, 3].map((n) => payload({ evt: 'VOICE_SETTINGS_UPDATE', data: { n } }));
        peer.write(concatBytes(payload({ cmd, nonce, data: { evt: 'VOICE_SETTINGS_UPDATE' } }), ...events));
      }),
    );
    await client.subscribe('VOICE_SETTINGS_UPDATE', {}, (data) => heard.push(data));
    await eventually(() => expect(heard).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]));
  });

  it('four responses in one write, each for its own request', async () => {
    const held: Uint8Array[] = [];
    const { client } = await connected(
      answering(({ cmd, nonce, args }, peer) => {
        held.push(payload({ cmd, nonce, data: args }));
        if (held.length === 4) peer.write(concatBytes(...held));
      }),
    );
    const answers = await Promise.all([1, 2, 3, 4].map((n) => client.requestRaw('ECHO', { n })));
    expect(answers).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  });

  it('header and body in separate writes', async () => {
    const { client } = await connected(
      answering(({ cmd, nonce, args }, peer) => {
        void trickle(peer, cutBytes(payload({ cmd, nonce, data: args }), [8]), 5);
      }),
    );
    expect(await client.requestRaw('ECHO', { text: 'apart' })).toEqual({ text: 'apart' });
  });

  it('READY and responses in 64-byte chunks, also cut inside every character', async () => {
    const text = '𝄞 ÅÄÖ – 川のほとり '.repeat(20);
    const script: Script = ({ opcode, body }, peer) => {
      const bytes =
        opcode === Opcode.HANDSHAKE
          ? payload({ evt: 'READY', data: scriptedReady })
          : payload({ cmd: body.cmd, nonce: body.nonce, data: { text } });
      const size = opcode === Opcode.HANDSHAKE ? 64 : 7;
      const cuts = Array.from({ length: Math.floor(bytes.byteLength / size) }, (_, i) => (i + 1) * size);
      void trickle(peer, cutBytes(bytes, cuts), 0);
    };
    const { client } = await connected(script);
    expect(client.user).toEqual(scriptedReady.user);
    expect(await client.requestRaw('ECHO')).toEqual({ text });
  });

  it.each([16, 64, 70, 250, 5 * 1024])('a frame of %i KiB', async (kibibytes) => {
    const text = 'x'.repeat(kibibytes * 1024);
    const { client } = await connected(
      answering(({ cmd, nonce }, peer) => peer.payload({ cmd, nonce, data: { text } })),
    );
    expect(await client.requestRaw('ECHO')).toEqual({ text });
  });

  it('an event before the response that causes it', async () => {
    const { client } = await connected(
      answering(({ cmd, nonce, args }, peer) => {
        peer.dispatch('GUILD_STATUS', {});
        peer.payload({ cmd, nonce, data: args });
      }),
    );
    expect(await client.requestRaw('ECHO', { n: 1 })).toEqual({ n: 1 });
    expect(await client.requestRaw('ECHO', { n: 2 })).toEqual({ n: 2 });
  });
});

describe('the client handles from a server', () => {
  it('a response without evt, and data null for a set activity', async () => {
    const { client } = await connected(
      answering(({ cmd, nonce }, peer) => peer.send(Opcode.FRAME, { cmd, nonce, data: null })),
    );
    expect(await client.setActivity({ details: 'By the river' })).toBeNull();
  });

  it('a response without data', async () => {
    const { client } = await connected(
      answering(({ cmd, nonce }, peer) => peer.send(Opcode.FRAME, { cmd, nonce })),
    );
    expect(await client.request('GET_GUILDS')).toBeNull();
  });

  it.each([1, '"0b9a"', null, { v: 1 }, 'x'.repeat(1000)])(
    'an unexpected PING %j, with a PONG of the same body',
    async (body) => {
      const { server, client } = await connected(wellBehaved);
      server.peer.send(Opcode.PING, body);
      expect(await client.requestRaw('ECHO', { n: 1 })).toEqual({ n: 1 });
      expect(server.peer.received.filter(({ opcode }) => opcode === Opcode.PONG)).toEqual([
        { opcode: Opcode.PONG, body },
      ]);
    },
  );

  it('an unexpected PONG, and responses to requests that were never sent', async () => {
    const { server, client } = await connected(wellBehaved);
    server.peer.send(Opcode.PONG, 'what');
    server.peer.payload({ cmd: 'GET_GUILDS', nonce: '99', data: {} });
    server.peer.payload({ cmd: 'GET_GUILDS', nonce: '__proto__', data: {} });
    server.peer.send(Opcode.FRAME, { nonce: 7, evt: 5, data: [] });
    server.peer.send(Opcode.FRAME, [1, 2]);
    server.peer.send(Opcode.FRAME, null);
    expect(await client.requestRaw('ECHO', { n: 1 })).toEqual({ n: 1 });
  });

  it('a payload that is neither DISPATCH nor ERROR, and emits no event for it', async () => {
    const { server, client } = await connected(wellBehaved);
    const heard: unknown[] = [];
    client.on('dispatch', (event, data) => heard.push([event, data]));
    await client.subscribe('GUILD_CREATE', {}, (data) => heard.push(data));
    for (const cmd of ['SUBSCRIBE', 'GET_GUILDS', 'dispatch', undefined, null, 5])
      server.peer.send(Opcode.FRAME, { cmd, evt: 'GUILD_CREATE', nonce: 'late', data: 'no event' });
    server.peer.payload({ cmd: 'GET_GUILDS', evt: 'ERROR', data: { code: 1000, message: 'of nobody' } });
    await client.requestRaw('ECHO', {});
    expect(heard).toEqual([['ERROR', { code: 1000, message: 'of nobody' }]]);
  });

  it('silence, which fails only the unanswered request', async () => {
    const { client } = await connected(
      answering(({ cmd, nonce, args }, peer) => {
        if (cmd !== 'GET_GUILDS') peer.payload({ cmd, nonce, data: args });
      }),
    );
    await expect(client.request('GET_GUILDS', {}, { timeoutMs: 10 })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_TIMEOUT',
    });
    expect(await client.requestRaw('ECHO', { n: 1 })).toEqual({ n: 1 });
  });

  it('a response to each of two hundred updates that were sent without waiting', async () => {
    const { server, client } = await connected(wellBehaved);
    const updates = Array.from({ length: 200 }, (_, i) => client.setActivity({ details: `update ${i}` }));
    expect(await Promise.all(updates)).toHaveLength(200);
    expect(server.peer.requests('SET_ACTIVITY')).toHaveLength(200);
  });

  it('events and requests before READY', async () => {
    const { client } = await connected(({ opcode }, peer) => {
      if (opcode !== Opcode.HANDSHAKE) return;
      peer.dispatch('GUILD_CREATE', {});
      peer.send(Opcode.PING, 1);
      peer.payload({ cmd: 'SET_ACTIVITY', nonce: '1', data: {} });
      peer.ready();
    });
    expect(client.state).toBe('ready');
  });

  it.each([
    ['no data', undefined],
    ['text', 'ready'],
    ['no user and no config', { v: 1 }],
    ['no user', { v: 1, config: scriptedReady.config }],
    ['a user without an avatar', { ...scriptedReady, user: { id: '1', username: 'x' } }],
  ])('READY with %s', async (_what, data) => {
    const { client } = await connected(({ opcode, body }, peer) => {
      if (opcode === Opcode.HANDSHAKE) peer.send(Opcode.FRAME, { cmd: 'DISPATCH', evt: 'READY', data });
      else wellBehaved({ opcode, body }, peer, 0);
    });
    expect(client.state).toBe('ready');
    expect(await client.setActivity({ details: 'By the river' })).toEqual({ details: 'By the river' });
  });

  it('a second READY, which changes nothing', async () => {
    const { server, client } = await connected(wellBehaved);
    server.peer.payload({ evt: 'READY', data: { user: { id: '9' } } });
    await client.requestRaw('ECHO', {});
    expect(client.user).toEqual(scriptedReady.user);
  });
});

describe('the client closes the connection and reconnects after', () => {
  it.each<[string, Uint8Array]>([
    ['an opcode that there is none of', frameBytes(7, '{}')],
    ['a negative opcode', frameBytes(-1, '{}')],
    ['a HANDSHAKE', frameBytes(Opcode.HANDSHAKE, '{"v":1}')],
    ['a body that is not JSON', frameBytes(Opcode.FRAME, 'token-12345 is no json')],
    ['an empty body', frameBytes(Opcode.FRAME, '')],
    ['a CLOSE that is not JSON', frameBytes(Opcode.CLOSE, '{')],
    ['a body of 4 GiB', headerBytes(Opcode.FRAME, 0xffff_ffff)],
    ['a body of 17 MiB', headerBytes(Opcode.FRAME, 17 * 1024 * 1024)],
  ])('%s', async (_what, bytes) => {
    const { server, client } = await connected(wellBehaved);
    const lost = new Promise<Error>((resolve) => client.on('disconnected', resolve));
    const ready = new Promise((resolve) => client.on('ready', resolve));
    server.peer.write(bytes);
    expect(await lost).toMatchObject({
      code: 'FOOTBRIDGE_PROTOCOL',
      message: expect.not.stringContaining('12345'),
    });
    await ready;
    expect(await client.requestRaw('ECHO', { n: 1 })).toEqual({ n: 1 });
  });

  it('PING without end, from a server that does not read the responses', async () => {
    const { server, client } = await connected(wellBehaved);
    const lost = new Promise<Error>((resolve) => client.on('disconnected', resolve));
    const { peer } = server;
    peer.socket.pause();
    const ping = frameBytes(Opcode.PING, JSON.stringify('x'.repeat(64 * 1024)));
    const flood = setInterval(() => peer.write(ping), 0);
    onTestFinished(() => clearInterval(flood));
    expect(await lost).toMatchObject({ code: 'FOOTBRIDGE_PROTOCOL' });
  });

  it.each([{}, { code: 'x', message: 5 }, [], null])('CLOSE with the body %j', async (body) => {
    const { server, client } = await connected(wellBehaved);
    const lost = new Promise<Error>((resolve) => client.on('disconnected', resolve));
    server.peer.send(Opcode.CLOSE, body);
    expect(await lost).toMatchObject({
      code: 'FOOTBRIDGE_DISCONNECTED',
      reason: { code: undefined, message: '' },
    });
  });
});
