import type { Transport } from '../../transport/transport.ts';
import type { Connection, ConnectionListener, TransportKind } from '../../wire/connection.ts';
import type { Frame } from '../../wire/frame.ts';

/** Something that passed a connection; `sent` is by the bridge. */
export type Passage =
  | { readonly kind: 'received' | 'sent'; readonly frame: Frame }
  | { readonly kind: 'closed'; readonly code: number; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'ended' };

/** Told of each passage, with the number of the connection in its transport, from 1. */
export type Watcher = (connection: number, kind: TransportKind, passage: Passage) => void;

/** A transport that tells what passes, and is otherwise the same. */
export function watch(transport: Transport, watcher: Watcher): Transport {
  let count = 0;
  return {
    listen: (onConnection) =>
      transport.listen((connection) => {
        count += 1;
        const number = count;
        onConnection(watched(connection, (passage) => watcher(number, connection.kind, passage)));
      }),
    stopAccepting: () => transport.stopAccepting(),
    close: () => transport.close(),
  };
}

function watched(connection: Connection, tell: (passage: Passage) => void): Connection {
  return overlaid(connection, {
    start: (listener) => connection.start(watchedListener(listener, tell)),
    send: (frame) => {
      tell({ kind: 'sent', frame });
      connection.send(frame);
    },
    close: (code, message) => {
      tell({ kind: 'closed', code, message });
      connection.close(code, message);
    },
  });
}

function watchedListener(listener: ConnectionListener, tell: (passage: Passage) => void): ConnectionListener {
  return overlaid(listener, {
    frame: (frame) => {
      tell({ kind: 'received', frame });
      listener.frame(frame);
    },
    broken: (error) => {
      tell({ kind: 'broken', message: error.message });
      listener.broken(error);
    },
    ended: () => {
      tell({ kind: 'ended' });
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

/** The body of a frame as an object; an empty one for anything else. */
export function bodyOf(body: Uint8Array): Record<string, unknown> {
  try {
    const value = JSON.parse(new TextDecoder().decode(body)) as unknown;
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
