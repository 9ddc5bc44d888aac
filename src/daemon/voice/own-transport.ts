import { parsePayload } from '../../client/payload.ts';
import type { Transport as ClientTransport } from '../../client/transport.ts';
import type { Wire, WireListener } from '../../client/wire.ts';
import { type MemoryPeer, memoryTransport } from '../../transport/memory.ts';
import { Opcode } from '../../wire/codes.ts';
import type { Connection, PeerCredentials } from '../../wire/connection.ts';

/** Address of the bridge for its own app. */
const ADDRESS = 'the bridge itself';

/**
 * Creates the client's transport over which the bridge is an app of its own server: the session has the scopes, limits and
 * prompts of any local app. `accept` takes the server's end of a connection.
 */
export function ownTransport(
  core: string,
  peer: PeerCredentials,
  accept: (connection: Connection) => void,
): ClientTransport {
  const memory = memoryTransport(peer);
  // A client that attaches may obtain the token itself, which the protocol permits at a socket only. With other cores the
  // session stays apart from apps at the socket, which could otherwise use its consent by naming its application.
  const kind = core === 'attach' ? 'ipc' : 'memory';
  void memory.listen((connection) => accept({ ...connection, kind }));
  return {
    addresses: () => [ADDRESS],
    objection: () => undefined,
    dial(_address, clientId, listener) {
      return { wire: memoryWire(memory.connect(), clientId, listener), failure: () => undefined };
    },
    createWait: () => ({
      arm() {},
      disarm() {},
      take: () => false,
      hold() {},
      sleep: async () => {},
    }),
    maxRetryDelayMs: 0,
    isLocal: true,
    pid: peer.pid,
  };
}

/** Performs the handshake on a connection inside the process, and exchanges payloads on it. */
function memoryWire(peer: MemoryPeer, clientId: string, listener: WireListener): Wire {
  let isOver = false;
  const text = new TextDecoder();
  const read = async (): Promise<void> => {
    for (let frame = await peer.receive(); frame !== undefined; frame = await peer.receive()) {
      if (isOver) continue;
      const body = parsePayload(text.decode(frame.body), listener.json);
      if (frame.opcode === Opcode.FRAME) listener.payload(body);
      else if (frame.opcode === Opcode.CLOSE) listener.closed(body);
    }
    if (!isOver) listener.lost('The bridge ended the session');
  };
  const closed = read().catch((error: unknown) => {
    if (!isOver) listener.broken(error as Error);
  });
  peer.send(Opcode.HANDSHAKE, { v: 1, client_id: clientId });
  return {
    send: (payload) => peer.send(Opcode.FRAME, JSON.parse(payload)),
    // Frames inside the process never wait for a reader.
    isOverloaded: () => false,
    end() {
      isOver = true;
      peer.end();
    },
    cut() {
      peer.end();
    },
    closed,
  };
}
