import { expect, it } from 'vitest';
import { Opcode } from '../../../src/wire/codes.ts';
import { frameBytes } from '../../helpers/frame-bytes.ts';
import { upstreamBridge } from '../../helpers/upstream-bridge.ts';

const ID = '207646673902501889';
const DATA = `{"id":${ID},"text":"\uE0001"}`;

it('the upstream core preserves the digits of numeric ids in READY, a request, its answer and an event', async () => {
  const ready = `{"cmd":"DISPATCH","evt":"READY","nonce":null,"data":{"v":1,"user":{"id":${ID}}}}`;
  const { client, raw } = await upstreamBridge({
    script: {
      handshake: (session) => void session.socket.write(frameBytes(Opcode.FRAME, ready)),
      request({ socket }, { cmd, nonce }) {
        socket.write(
          frameBytes(Opcode.FRAME, `{"cmd":"${cmd}","evt":null,"data":${DATA},"nonce":"${nonce}"}`),
        );
        const event = `{"cmd":"DISPATCH","evt":"ANY_EVENT","data":${DATA},"nonce":null}`;
        socket.write(frameBytes(Opcode.FRAME, event));
      },
    },
  });
  const link = raw();
  const next = async () => new TextDecoder().decode((await link.receive())?.body);
  link.write(frameBytes(Opcode.HANDSHAKE, '{"v":1,"client_id":"300000000000000001"}'));
  expect(await next()).toContain(`"user":{"id":${ID}}`);

  let sent = '';
  (await client.session(0)).socket.on('data', (chunk) => {
    sent += String(chunk);
  });
  link.write(frameBytes(Opcode.FRAME, `{"cmd":"GET_GUILD","args":{"guild_id":${ID}},"nonce":"1"}`));
  expect(await next()).toContain(`"data":${DATA}`);
  expect(await next()).toContain(`"data":${DATA}`);
  expect(sent).toContain(`"args":{"guild_id":${ID}}`);
});

it('the upstream core forwards texts that are not valid UTF-8, and warns once for each side', async () => {
  const garbled = (before: string, after: string) =>
    frameBytes(Opcode.FRAME, Buffer.concat([Buffer.from(before), Buffer.of(0xe9), Buffer.from(after)]));
  const { log, app } = await upstreamBridge({
    script: {
      request: ({ socket }, { cmd, nonce }) =>
        void socket.write(garbled(`{"cmd":"${cmd}","evt":null,"data":"caf`, `","nonce":"${nonce}"}`)),
    },
  });
  const peer = await app();
  for (const _ of [1, 2]) {
    peer.write(garbled('{"cmd":"GET_GUILD","nonce":"n","args":{"a":"', '"}}'));
    expect(await peer.answer()).toMatchObject({ data: 'caf\ufffd', nonce: 'n' });
  }
  const warnings = log.filter((line) => JSON.stringify(line).includes('UTF-8'));
  expect(warnings).toHaveLength(2);
});

it('the upstream core rejects an envelope with numbers in place of texts, with an answer that is JSON', async () => {
  const { app } = await upstreamBridge({ script: { request: () => {} } });
  const peer = await app();
  for (const request of [
    '{"cmd":12345678901234567890,"nonce":"1"}',
    '{"cmd":"GET_GUILD","nonce":12345678901234567890}',
  ]) {
    peer.write(frameBytes(Opcode.FRAME, request));
    expect(await peer.answer()).toMatchObject({ evt: 'ERROR', data: { code: 4000 } });
  }
});
