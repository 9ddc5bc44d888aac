import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TextTaker } from '../core/core.ts';
import { dropBody } from '../loopback/body.ts';
import { ControlError } from './control-error.ts';
import { refusal } from './routes.ts';

/** Maximum silence of a peer that sends or reads a text (ms). */
const SILENCE_MS = 10_000;

/** Sends a text part by part, as fast as the peer reads it. If the text breaks off, the connection is closed. */
export async function sendText(outputs: () => Iterable<string>, response: ServerResponse): Promise<void> {
  response.socket?.setTimeout(SILENCE_MS, () => response.socket?.destroy());
  const parts = outputs()[Symbol.iterator]();
  let first: IteratorResult<string>;
  try {
    first = parts.next();
  } catch (error) {
    throw refusal(error);
  }
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  const all = function* () {
    for (let part = first; part.done !== true; part = parts.next()) yield part.value;
  };
  try {
    await pipeline(Readable.from(all(), { objectMode: false, highWaterMark: 65_536 }), response);
  } catch {
    // The reader may disconnect at any time, which is no failure.
  } finally {
    // The iterator is closed here and not in the generator, which never starts for a peer that has disconnected before.
    parts.return?.();
  }
}

/** Receives a text in parts and returns the operation's result. Throws {@link ControlError}. */
export async function takeText(takes: () => TextTaker, request: IncomingMessage): Promise<unknown> {
  request.socket.setTimeout(SILENCE_MS, () => request.socket.destroy());
  const taker = takes();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isOver = false;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      taker.write(decoded(decoder, chunk as Uint8Array));
    }
    taker.write(decoded(decoder));
    isOver = true;
    return (await taker.end()) ?? null;
  } catch (error) {
    if (!isOver) taker.discard();
    // The rest of the text is read and dropped: a peer that still writes could not read the refusal.
    await dropBody(request);
    throw request.destroyed && !request.complete ? incompleteText(error) : refusal(error);
  }
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw new ControlError(400, 'FOOTBRIDGE_ARGUMENTS', 'The text is not UTF-8', error);
  }
}

function incompleteText(error: unknown): ControlError {
  return new ControlError(400, 'FOOTBRIDGE_ARGUMENTS', 'The text is incomplete', error);
}
