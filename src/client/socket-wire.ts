import type { Duplex } from 'node:stream';
import { Opcode } from '../wire/codes.ts';
import { FrameDecoder } from '../wire/decoder.ts';
import { type Frame, HEADER_BYTES } from '../wire/frame.ts';
import { STREAM_NOTICE } from '../wire/streams.ts';
import { type JsonCodec, type JsonObject, parsePayload } from './payload.ts';
import { LINGER_MS, MAX_BODY_BYTES, MAX_UNSENT_BYTES, type Wire, type WireListener } from './wire.ts';

/**
 * Decoder for all wires: it has no state between two bodies. It replaces invalid bytes, because a chat client forwards
 * text that apps have cut or garbled.
 */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Performs the handshake on a socket, which may still be connecting, and exchanges frames on it. */
export function socketWire(socket: Duplex, clientId: string, listener: WireListener): Wire {
  const decoder = new FrameDecoder(MAX_BODY_BYTES);
  let isOver = false;

  const write = (opcode: Opcode, body: string | Uint8Array): void => {
    if (!socket.writable) return;
    const bytes = Buffer.from(body);
    // The buffer comes from Node's pool, unlike a server's frames, which many peers share and which may wait for long.
    const header = Buffer.allocUnsafe(HEADER_BYTES);
    header.writeInt32LE(opcode);
    header.writeInt32LE(bytes.length, 4);
    socket.write(Buffer.concat([header, bytes]));
  };
  const isOverloaded = (): boolean => socket.writableLength > MAX_UNSENT_BYTES;

  const onFrame = ({ opcode, body }: Frame): void => {
    if (opcode === Opcode.FRAME) listener.payload(parse(body, listener.json));
    else if (opcode === Opcode.CLOSE) listener.closed(parse(body, listener.json));
    else if (opcode === Opcode.PING) {
      if (isOverloaded()) throw new Error('PING flood');
      write(Opcode.PONG, body);
    } else if (opcode === Opcode.HANDSHAKE) throw new Error('a HANDSHAKE');
  };

  socket.on('data', (chunk: Uint8Array) => {
    if (isOver) return;
    try {
      decoder.append(chunk);
      for (let frame = decoder.take(); frame; frame = decoder.take()) {
        onFrame(frame);
        if (isOver) return;
      }
    } catch (error) {
      listener.broken(error as Error);
    }
  });
  socket.on('error', ({ message }) => listener.lost(message));
  const hungUp = (): void => listener.lost('Server hung up');
  socket.on('end', hungUp);
  socket.on('close', hungUp);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  // The handshake is short and all ASCII, so it is written as a string without a buffer.
  const hello = `{"v":1,"client_id":"${clientId}"}`;
  socket.write(`\0\0\0\0${String.fromCharCode(hello.length)}\0\0\0${hello}`, 'latin1');

  return {
    send: (payload) => write(Opcode.FRAME, payload),
    readsStreams: () => write(Opcode.PING, STREAM_NOTICE),
    isOverloaded,
    end(isPolite) {
      isOver = true;
      if (isPolite) write(Opcode.CLOSE, '{}');
      socket.end();
      const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      // A pending timer would hold the socket and its state in memory until it fires.
      void closed.then(() => clearTimeout(linger));
    },
    cut: () => void socket.destroy(),
    closed,
  };
}

function parse(body: Uint8Array, json: JsonCodec): JsonObject {
  return parsePayload(utf8.decode(body), json);
}
