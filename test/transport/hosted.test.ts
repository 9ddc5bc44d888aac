import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../src/server/server.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import { hostedSocket } from '../../src/transport/hosted.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { fakeCore } from '../helpers/fake-core.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

it('an app that begins to read late gets two answers that are larger together than what it may leave unread', async () => {
  const socket = await hostedSocket({ env: { XDG_RUNTIME_DIR: temporaryFolder() } }, defaultLimits);
  const name = 'x'.repeat(1_500_000);
  const core = fakeCore({
    handlers: {
      // Both requests are in flight before the first answer is unread.
      GET_GUILDS: async () => {
        await delay(20);
        return { guilds: [{ id: '1', name, icon_url: null }] };
      },
    },
    scopes: ['rpc'],
  });
  const server = await createServer({ transports: [socket], core });
  onTestFinished(() => server.close());
  const raw = await rawPeer(server.endpoints[0]?.path ?? '');
  const app = new AppPeer(raw);
  await app.handshake();
  raw.socket.pause();
  const requests = ['a', 'b'].map((nonce) => JSON.stringify({ cmd: 'GET_GUILDS', args: {}, nonce }));
  raw.write(Buffer.concat(requests.map((text) => frameBytes(Opcode.FRAME, text))));
  // Both answers are made by then, and most of them waits.
  await delay(300);
  raw.socket.resume();
  for (const nonce of ['a', 'b']) {
    const answer = await app.answer();
    expect([answer.nonce, answer.data.guilds[0].name.length]).toEqual([nonce, name.length]);
  }
});
