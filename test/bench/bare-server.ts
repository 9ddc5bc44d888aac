// The least a server of this protocol in Node can be: 8-byte framing, JSON parsed and printed again, no checks.
// `node bare-server.js PATH`
import { createServer } from 'node:net';

const HEADER_BYTES = 8;
const FRAME = 1;

createServer((socket) => {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + pending.readUInt32LE(4);
      if (pending.length < end) return;
      const message: unknown = JSON.parse(pending.toString('utf8', HEADER_BYTES, end));
      pending = pending.subarray(end);
      const body = Buffer.from(JSON.stringify(message));
      const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length);
      frame.writeUInt32LE(FRAME, 0);
      frame.writeUInt32LE(body.length, 4);
      body.copy(frame, HEADER_BYTES);
      socket.write(frame);
    }
  });
}).listen(process.argv[2]);
