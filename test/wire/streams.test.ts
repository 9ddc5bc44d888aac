import { describe, expect, it } from 'vitest';
import { isStreamNotice, offersStreams, STREAM_NOTICE, STREAM_OFFER } from '../../src/wire/streams.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('the notice of a peer that reads streams', () => {
  it('is the text of the offer as a JSON string', () => {
    expect(JSON.parse(STREAM_NOTICE)).toBe(STREAM_OFFER.footbridge.stream_ping);
    expect(isStreamNotice(bytes(STREAM_NOTICE))).toBe(true);
  });
  it.each(['', '""', STREAM_NOTICE.slice(1), `${STREAM_NOTICE} `, STREAM_NOTICE.toUpperCase(), '{}'])(
    'is not %j',
    (text) => expect(isStreamNotice(bytes(text))).toBe(false),
  );
});

describe('offersStreams', () => {
  it('recognises the offer among other data of READY', () => {
    expect(offersStreams({ v: 1, ...STREAM_OFFER })).toBe(true);
  });
  it.each([undefined, null, 1, 'x', [], {}, { footbridge: null }, { footbridge: { stream_ping: 'other' } }])(
    'is false for %j',
    (data) => expect(offersStreams(data)).toBe(false),
  );
});
