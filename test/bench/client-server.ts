// The least a server can be that every client library understands: READY, and each request's own activity back, one
// write a frame. `node client-server.js PATH`
import { createServer } from 'node:net';

const HEADER_BYTES = 8;
const HANDSHAKE = 0;
const FRAME = 1;
const CLOSE = 2;
const user = { id: '300000000000000100', username: 'river', discriminator: '0', avatar: 'none', bot: false };
const config = { cdn_host: 'localhost', api_endpoint: '//localhost/api', environment: 'production' };
const ready = { cmd: 'DISPATCH', evt: 'READY', nonce: null, data: { v: 1, config, user } };

createServer((socket) => {
  let pending: Buffer = Buffer.alloc(0);
  const send = (message: object): void => {
    const body = Buffer.from(JSON.stringify(message));
    const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length);
    frame.writeUInt32LE(FRAME, 0);
    frame.writeUInt32LE(body.length, 4);
    body.copy(frame, HEADER_BYTES);
    socket.write(frame);
  };
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES) {
      const opcode = pending.readUInt32LE(0);
      const end = HEADER_BYTES + pending.readUInt32LE(4);
      if (pending.length < end) return;
      const text = pending.toString('utf8', HEADER_BYTES, end);
      pending = pending.subarray(end);
      if (opcode === HANDSHAKE) send(ready);
      else if (opcode === CLOSE) socket.end();
      else if (opcode === FRAME) {
        const { cmd, nonce, args } = JSON.parse(text) as {
          cmd: string;
          nonce: string;
          args: { activity: object };
        };
        send({
          cmd,
          nonce,
          evt: null,
          data: { application_id: '1', name: 'River', type: 0, ...args.activity },
        });
      }
    }
  });
}).listen(process.argv[2]);
