import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { TestEmulator } from '../../../src/testing/testing.ts';
import { FrameDecoder } from '../../../src/wire/decoder.ts';
import { encodeFrame } from '../../../src/wire/frame.ts';

/** How long an answer may take (ms). */
const PATIENCE_MS = 10_000;

/** An app on the socket of a bridge. */
export interface ConnectedApp {
  send(cmd: string, args: object): void;
  /** The next answer to a command; those before it are passed over. */
  answer(cmd: string): Promise<Record<string, unknown>>;
  end(): void;
}

/** Connects an app and waits for READY. */
export async function connectClient(
  { endpoint }: Pick<TestEmulator, 'endpoint'>,
  clientId = '300000000000000001',
): Promise<ConnectedApp> {
  const socket = createConnection(endpoint);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const decoder = new FrameDecoder(1024 * 1024);
  const came: Record<string, unknown>[] = [];
  let wake = (): void => {};
  socket.on('data', (chunk) => {
    decoder.append(chunk);
    for (let frame = decoder.take(); frame !== undefined; frame = decoder.take()) {
      came.push(JSON.parse(Buffer.from(frame.body).toString()) as Record<string, unknown>);
    }
    wake();
  });
  const next = async (cmd: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const index = came.findIndex((payload) => payload['cmd'] === cmd);
      if (index !== -1) return came.splice(0, index + 1).at(-1) ?? {};
      const isLate = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(true), PATIENCE_MS);
        wake = () => {
          clearTimeout(timer);
          resolve(false);
        };
      });
      if (isLate) throw new Error(`no answer to ${cmd}, but ${JSON.stringify(came)}`);
    }
  };
  socket.write(encodeFrame(0, JSON.stringify({ v: 1, client_id: clientId })).bytes);
  await next('DISPATCH');
  let nonce = 0;
  return {
    send: (cmd, args) => {
      nonce += 1;
      socket.write(encodeFrame(1, JSON.stringify({ cmd, args, nonce: String(nonce) })).bytes);
    },
    answer: next,
    end: () => socket.destroy(),
  };
}
