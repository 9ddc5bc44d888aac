import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectEndpoint } from '../../../src/cli/call/find-endpoint.ts';
import { connectTo, WireClient } from '../../../src/cli/call/wire-client.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import { FrameDecoder, framesOf } from '../../../src/wire/decoder.ts';
import { encodeFrame, type Frame } from '../../../src/wire/frame.ts';
import { temporaryPlace } from '../spawn.ts';

type Reply = (frame: { opcode: Opcode; body: Record<string, unknown> }, socket: Socket) => void;

/** A server that answers every frame as the test says. */
async function serve(path: string, reply: Reply): Promise<void> {
  const server = createServer((socket) => {
    const decoder = new FrameDecoder(1024 * 1024);
    socket.on('error', () => {});
    socket.on('data', (chunk: Uint8Array) => {
      for (const { opcode, body } of framesOf(decoder, chunk) as Iterable<Frame>) {
        reply(
          { opcode, body: JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown> },
          socket,
        );
      }
    });
    onTestFinished(() => void socket.destroy());
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
}

const send = (socket: Socket, opcode: Opcode, value: unknown) =>
  socket.write(encodeFrame(opcode, JSON.stringify(value)).bytes);

async function clientOf(reply: Reply) {
  const path = join(temporaryPlace().folder, 's');
  await serve(path, reply);
  const client = new WireClient(await connectTo(path));
  onTestFinished(() => client.close());
  return client;
}

describe('WireClient', () => {
  it('finds the answer by its nonce, among events and answers of others', async () => {
    const client = await clientOf(({ opcode, body }, socket) => {
      if (opcode === Opcode.HANDSHAKE)
        send(socket, Opcode.FRAME, { cmd: 'DISPATCH', evt: 'READY', data: { v: 1 } });
      else {
        send(socket, Opcode.FRAME, { cmd: 'DISPATCH', evt: 'E', data: 1 });
        send(socket, Opcode.FRAME, { cmd: body['cmd'], data: 'no', nonce: 'x' });
        send(socket, Opcode.FRAME, { cmd: body['cmd'], data: body['args'], nonce: body['nonce'] });
      }
    });
    expect((await client.handshake('7', 5000)).data).toEqual({ v: 1 });
    expect(await client.request({ cmd: 'ECHO', args: { a: 1 } }, 5000)).toMatchObject({
      cmd: 'ECHO',
      data: { a: 1 },
    });
    const events = client.events();
    expect((await events.next()).value).toMatchObject({ evt: 'E', data: 1 });
  });

  it('answers PING with the same body', async () => {
    let pong: unknown;
    const client = await clientOf(({ opcode, body }, socket) => {
      if (opcode === Opcode.HANDSHAKE) send(socket, Opcode.PING, { id: 5 });
      if (opcode === Opcode.PONG) {
        pong = body;
        send(socket, Opcode.FRAME, { cmd: 'DISPATCH', evt: 'READY', data: {} });
      }
    });
    await client.handshake('7', 5000);
    expect(pong).toEqual({ id: 5 });
  });

  it('tells why the other side ended the session', async () => {
    const client = await clientOf((_frame, socket) => {
      send(socket, Opcode.CLOSE, { code: 4000, message: 'Invalid Client ID' });
      socket.end();
    });
    await expect(client.handshake('x', 5000)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_REFUSED',
      message: 'the other side ended the session: 4000 Invalid Client ID.',
    });
  });

  it.each([
    ['nonsense', 'GARBAGE-'.repeat(4), 'does not speak this protocol'],
    ['an endless frame', '\u0001\u0000\u0000\u0000\u00ff\u00ff\u00ff\u007f', 'does not speak this protocol'],
    [
      'a body that is not JSON',
      '\u0001\u0000\u0000\u0000\u0002\u0000\u0000\u0000{x',
      'does not speak this protocol',
    ],
  ])('survives %s', async (_what, bytes, message) => {
    const client = await clientOf((_frame, socket) => socket.write(Buffer.from(bytes, 'latin1')));
    await expect(client.handshake('7', 5000)).rejects.toThrow(message);
  });

  it('waits no longer than told', async () => {
    const client = await clientOf(() => {});
    await expect(client.handshake('7', 20)).rejects.toMatchObject({ code: 'FOOTBRIDGE_TIMEOUT' });
    await expect(client.request({ cmd: 'GET_GUILDS', args: {} }, 20)).rejects.toThrow(
      'No answer to GET_GUILDS within 0.02 s',
    );
  });

  it('notices that the other side is gone', async () => {
    const client = await clientOf((_frame, socket) => socket.destroy());
    await expect(client.handshake('7', 5000)).rejects.toMatchObject({ code: 'FOOTBRIDGE_REFUSED' });
    expect(await client.events().next()).toMatchObject({ done: true });
  });
});

describe('connectEndpoint', () => {
  it('takes the first that answers in the folder of the environment', async () => {
    const { folder } = temporaryPlace();
    let greeted = 0;
    await serve(join(folder, 'discord-ipc-3'), () => {
      greeted += 1;
    });
    const socket = await connectEndpoint('linux', { XDG_RUNTIME_DIR: folder });
    onTestFinished(() => void socket.destroy());
    send(socket, Opcode.PING, 1);
    await expect.poll(() => greeted).toBe(1);
  });

  it('says what it tried', async () => {
    const { folder } = temporaryPlace();
    await expect(connectEndpoint('linux', { XDG_RUNTIME_DIR: folder })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_NO_DAEMON',
      message: `No endpoint answers (${folder}/discord-ipc-0 and 9 more: ENOENT). Start one with: footbridge run`,
    });
    await expect(connectEndpoint('linux', {}, join(folder, 'x'))).rejects.toThrow(`${folder}/x: ENOENT`);
    await expect(connectEndpoint('linux', {}, `/${'x'.repeat(200)}`)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_PATH_TOO_LONG',
    });
  });
});
