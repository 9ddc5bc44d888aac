import type { ServerResponse } from 'node:http';
import { send, sendJson } from './answer.ts';
import type { ConsoleBackend } from './backend.ts';
import { failureOf } from './calls.ts';

/**
 * Types that the page shows. The bridge determines the type from the bytes; a type that a browser would carry out, such
 * as SVG, is refused here as well.
 */
const VIEWABLE = /^(?:image\/(?:png|jpeg|gif|webp|avif)|video\/(?:mp4|webm)|audio\/(?:mpeg|ogg|wav))$/;

/** Answers with a file that the bridge stores: `GET /media?address=…`, the address as messages have it. */
export async function answerMedia(
  backend: ConsoleBackend,
  response: ServerResponse,
  query: string,
): Promise<void> {
  try {
    const address = new URLSearchParams(query).get('address') ?? '';
    // Reading needs no rights of the browser's processes: every reader of the page may see every message.
    const file = await backend.call('file.read', { address }, undefined);
    const { type, data } = file as { readonly type: string; readonly data: string };
    if (!VIEWABLE.test(type)) throw new Error('no picture, sound or video');
    send(response, 200, type, Buffer.from(data, 'base64'), { 'content-disposition': 'inline' });
  } catch (error) {
    const { status, code, message } = failureOf(error);
    sendJson(response, status, { code, message });
  }
}
