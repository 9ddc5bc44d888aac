// How a peer says that it parses every frame of a read, so that the server need not wait between two frames. READY names
// the text; a peer that reads streams sends it back as the body of a PING. No other server receives such a PING.

export const STREAM_TEXT = 'footbridge reads streams';

/** Body of the PING with which a peer says that it reads streams: a JSON string. */
export const STREAM_NOTICE = JSON.stringify(STREAM_TEXT);

/** Member of READY's `data` that asks for the notice; `stream_ping` is the text to send back. */
export const STREAM_OFFER = { footbridge: { stream_ping: STREAM_TEXT } } as const;

/** Whether the body of a PING is the notice. */
export function isStreamNotice(body: Uint8Array): boolean {
  if (body.length !== STREAM_NOTICE.length) return false;
  for (let i = 0; i < body.length; i++) if (body[i] !== STREAM_NOTICE.charCodeAt(i)) return false;
  return true;
}

/** Whether `data` of a READY asks for the notice. Any value is accepted. */
export function offersStreams(data: unknown): boolean {
  const offer = memberOf(data, 'footbridge');
  return memberOf(offer, 'stream_ping') === STREAM_TEXT;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
