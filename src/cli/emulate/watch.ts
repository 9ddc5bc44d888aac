import { parseLargeAsText } from '../../base/exact-json.ts';
import type { Transport } from '../../transport/transport.ts';
import type { TransportKind } from '../../wire/connection.ts';
import type { Frame } from '../../wire/frame.ts';
import { tapped } from '../../wire/tapped.ts';

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
        const tell = (passage: Passage): void => watcher(number, connection.kind, passage);
        onConnection(
          tapped(connection, {
            frame: (direction, frame) => tell({ kind: direction === 'in' ? 'received' : 'sent', frame }),
            close: (code, message) => tell({ kind: 'closed', code, message }),
            broken: (message) => tell({ kind: 'broken', message }),
            ended: () => tell({ kind: 'ended' }),
          }),
        );
      }),
    stopAccepting: () => transport.stopAccepting(),
    close: () => transport.close(),
  };
}

/** The body of a frame as an object; an empty one for anything else. */
export function bodyOf(body: Uint8Array): Record<string, unknown> {
  try {
    const value = parseLargeAsText(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
