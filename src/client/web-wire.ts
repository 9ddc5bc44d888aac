import { parsePayload } from './payload.ts';
import { OPEN, type TextSocket } from './text-socket.ts';
import { LINGER_MS, MAX_BODY_BYTES, MAX_UNSENT_BYTES, type Wire, type WireListener } from './wire.ts';

/** Normal closure (RFC 6455, 7.4.1), and the browser's code for a connection without a close frame (7.1.5). */
const NORMAL = 1000;
const NO_WORD = 1006;

/** Exchanges payloads on a WebSocket whose address contained the handshake. */
export function webWire(socket: TextSocket, listener: WireListener): Wire {
  let isOver = false;
  let settle = (): void => {};
  const closed = new Promise<void>((resolve) => {
    settle = resolve;
  });
  socket.onmessage = ({ data }) => {
    if (isOver) return;
    try {
      if (typeof data !== 'string') throw new Error('a message is not text');
      if (data.length > MAX_BODY_BYTES) throw new Error(`a message exceeds ${MAX_BODY_BYTES} bytes`);
      listener.payload(parsePayload(data, listener.json));
    } catch (error) {
      listener.broken(error as Error);
    }
  };
  socket.onclose = ({ code, reason }) => {
    settle();
    if (isOver) return;
    if (code === NO_WORD) listener.lost('Server hung up');
    else listener.closed({ code, message: reason });
  };
  return {
    send(payload) {
      if (socket.readyState === OPEN) socket.send(payload);
    },
    isOverloaded: () => socket.bufferedAmount > MAX_UNSENT_BYTES,
    end() {
      isOver = true;
      socket.close(NORMAL);
      // The wait is limited, because a browser may wait for the peer's close for ever.
      setTimeout(settle, LINGER_MS);
    },
    cut() {
      settle();
      if (isOver) return;
      listener.lost('Given up');
      isOver = true;
      socket.close(NORMAL);
    },
    closed,
  };
}
