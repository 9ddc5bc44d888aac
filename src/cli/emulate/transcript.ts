import type { Transport } from '../../transport/transport.ts';
import { Opcode } from '../../wire/codes.ts';
import type { Connection, ConnectionListener } from '../../wire/connection.ts';
import type { Frame } from '../../wire/frame.ts';
import { printable } from '../style.ts';

/** Nonces are usually UUIDs; a longer one is cut. */
const MAX_WORD = 64;

/**
 * Writes one line for each request, answer, event, handshake and close that passes a transport. Only names, nonces
 * and codes: arguments and data may hold tokens.
 */
export function transcribe(transport: Transport, write: (line: string) => void): Transport {
  let count = 0;
  return {
    listen: (onConnection) =>
      transport.listen((connection) => {
        count += 1;
        const label = `#${count}`;
        onConnection(watched(connection, (text) => write(`${label} ${text}\n`)));
      }),
    stopAccepting: () => transport.stopAccepting(),
    close: () => transport.close(),
  };
}

function watched(connection: Connection, tell: (text: string) => void): Connection {
  return overlaid(connection, {
    start: (listener) => connection.start(watchedListener(listener, tell)),
    send: (frame) => {
      const text = describeFrame(frame, 'sent');
      if (text !== undefined) tell(`<- ${text}`);
      connection.send(frame);
    },
    close: (code, message) => {
      tell(`<- CLOSE ${code} ${word(message)}`);
      connection.close(code, message);
    },
  });
}

function watchedListener(listener: ConnectionListener, tell: (text: string) => void): ConnectionListener {
  return overlaid(listener, {
    frame: (frame) => {
      const text = describeFrame(frame, 'received');
      if (text !== undefined) tell(`-> ${text}`);
      listener.frame(frame);
    },
    broken: (error) => {
      tell(`-> broken: ${printable(error.message)}`);
      listener.broken(error);
    },
    ended: () => {
      tell('-> end of the connection');
      listener.ended();
    },
  });
}

/** The object with some methods replaced; the others run on the object itself, private fields and all. */
function overlaid<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get(target, key) {
      if (Object.hasOwn(methods, key)) return Reflect.get(methods, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Undefined for PING and PONG, which are noise. */
function describeFrame({ opcode, body }: Frame, direction: 'sent' | 'received'): string | undefined {
  switch (opcode) {
    case Opcode.HANDSHAKE:
      return `HANDSHAKE client_id=${word(bodyOf(body)['client_id'])}`;
    case Opcode.FRAME:
      return describePayload(bodyOf(body), direction);
    case Opcode.CLOSE:
      return `CLOSE ${word(bodyOf(body)['code'])}`;
    case Opcode.PING:
    case Opcode.PONG:
      return undefined;
  }
}

function describePayload(payload: Record<string, unknown>, direction: 'sent' | 'received'): string {
  const { cmd, evt, nonce, data } = payload;
  const parts = [word(cmd)];
  if (evt !== null && evt !== undefined && evt !== 'ERROR') parts.push(`evt=${word(evt)}`);
  if (nonce !== null && nonce !== undefined) parts.push(`nonce=${word(nonce)}`);
  if (direction === 'sent' && nonce !== null) parts.push(evt === 'ERROR' ? `ERROR ${errorCode(data)}` : 'ok');
  return parts.join(' ');
}

function errorCode(data: unknown): string {
  return word(Reflect.get(Object(data) as object, 'code'));
}

function bodyOf(body: Uint8Array): Record<string, unknown> {
  try {
    const value = JSON.parse(new TextDecoder().decode(body)) as unknown;
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function word(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
  return printable(text.slice(0, MAX_WORD));
}
