// `app.mjs ENDPOINT`: one app; prints how many ms it took from connect() to READY.
import { connect } from 'node:net';
import { Opcode } from '../../../src/wire/codes.ts';
import { FrameDecoder, framesOf } from '../../../src/wire/decoder.ts';
import { encodeFrame } from '../../../src/wire/frame.ts';

const decoder = new FrameDecoder(1 << 20);
const started = performance.now();
const socket = connect(process.argv[2] ?? '');
socket.write(encodeFrame(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: '300000000000000001' })).bytes);
socket.on('data', (chunk: Uint8Array) => {
  for (const { opcode, body } of framesOf(decoder, chunk)) {
    const text = new TextDecoder().decode(body);
    if (opcode === Opcode.FRAME && text.includes('READY'))
      process.stdout.write(`${performance.now() - started}\n`);
    else process.exitCode = 1;
    socket.destroy();
  }
});
socket.on('error', () => {
  process.exitCode = 1;
});
