// The least a server of this protocol in Node can be: 8-byte framing, JSON parsed and printed again, no checks.
// SUBSCRIBE and SET_VOICE_SETTINGS are understood, so that an event to many can be measured: printed once, written to
// each. `node bare.js PATH`
import { createServer, type Socket } from 'node:net';

const HEADER_BYTES = 8;
const FRAME = 1;
const subscribers = new Set<Socket>();

createServer((socket) => {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('close', () => subscribers.delete(socket));
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + pending.readUInt32LE(4);
      if (pending.length < end) return;
      const message = JSON.parse(pending.toString('utf8', HEADER_BYTES, end)) as {
        cmd?: string;
        args?: unknown;
      };
      pending = pending.subarray(end);
      socket.write(frameOf(message));
      if (message.cmd === 'SUBSCRIBE') subscribers.add(socket);
      else if (message.cmd === 'SET_VOICE_SETTINGS') tellAll(message.args);
    }
  });
}).listen(process.argv[2]);

function frameOf(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length);
  frame.writeUInt32LE(FRAME, 0);
  frame.writeUInt32LE(body.length, 4);
  body.copy(frame, HEADER_BYTES);
  return frame;
}

function tellAll(data: unknown): void {
  const frame = frameOf({ cmd: 'DISPATCH', data, evt: 'VOICE_SETTINGS_UPDATE', nonce: null });
  for (const socket of subscribers) socket.write(frame);
}
