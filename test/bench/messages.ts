// What the benchmark says, as files of frames for the generator (generator/main.c): one a line, opcode and body.

import { STREAM_NOTICE } from '../../src/wire/streams.ts';

const HANDSHAKE = 0;
const FRAME = 1;
const PING = 3;
/** Ten digits that the generator counts up. */
const NONCE = '0000000000';

/** An application that the emulator knows. */
export const CLIENT_ID = '300000000000000001';

const line = (opcode: number, body: unknown): string => `${opcode} ${JSON.stringify(body)}\n`;
const request = (cmd: string, args: unknown, evt?: string): string =>
  line(FRAME, evt === undefined ? { cmd, args, nonce: NONCE } : { cmd, args, evt, nonce: NONCE });

/** How a connection begins: the handshake. */
export const greeting = line(HANDSHAKE, { v: 1, client_id: CLIENT_ID });

/** The handshake, and the notice of a client that parses every frame of a read. */
export const readingStreams = `${greeting}${PING} ${STREAM_NOTICE}\n`;

/** The handshake, and AUTHENTICATE where there is a token. */
export function signedIn(token: string | undefined): string {
  if (token === undefined) return greeting;
  return `${greeting}${line(FRAME, { cmd: 'AUTHENTICATE', args: { access_token: token }, nonce: 'sign-in' })}`;
}

/** The same, and a subscription to the voice settings. */
export function subscribed(token: string | undefined): string {
  const subscribe = { cmd: 'SUBSCRIBE', args: {}, evt: VOICE_EVENT, nonce: 'subscribe' };
  return `${signedIn(token)}${line(FRAME, subscribe)}`;
}

/** What subscribers to the voice settings are told. */
export const VOICE_EVENT = 'VOICE_SETTINGS_UPDATE';

/** An ordinary one: 430 bytes as a frame. */
export const setActivity = request('SET_ACTIVITY', {
  pid: 4242,
  activity: {
    state: 'Round trip',
    details: 'Crossing the river',
    timestamps: { start: 1_700_000_000_000 },
    assets: { large_image: 'bridge', large_text: 'A bridge', small_image: 'foot', small_text: 'On foot' },
    party: { id: 'party-1', size: [1, 4] },
    buttons: [{ label: 'Look', url: 'https://example.test/look' }],
    instance: true,
  },
});

export const getVoiceSettings = request('GET_VOICE_SETTINGS', {});

/** Each of them changes something, so that each is told. */
export const toggleMute = [true, false].map((mute) => request('SET_VOICE_SETTINGS', { mute })).join('');

const wide = (units: number): string => '\u{1f309}'.repeat(units / 2);
const link = (units: number): string => `https://example.test/${'a'.repeat(units - 21)}`;

/** The largest activity whose every field is documented. */
export const largestActivity = request('SET_ACTIVITY', {
  pid: 4242,
  activity: {
    name: wide(128),
    type: 5,
    state: wide(128),
    state_url: link(256),
    details: wide(128),
    details_url: link(256),
    timestamps: { start: 1_700_000_000_000, end: 1_800_000_000_000 },
    assets: {
      large_image: wide(312),
      large_text: wide(128),
      large_url: link(256),
      small_image: wide(312),
      small_text: wide(128),
      small_url: link(256),
      invite_cover_image: wide(312),
    },
    party: { id: wide(128), size: [1, 4], privacy: 1 },
    buttons: [
      { label: wide(32), url: link(512) },
      { label: wide(32), url: link(512) },
    ],
    instance: true,
    supported_platforms: Array.from({ length: 10 }, () => wide(32)),
    status_display_type: 2,
  },
});

/** As deep as JSON may be nested: 64 levels, of which what is around it uses some. */
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const members = (count: number, value: string): string =>
  Array.from({ length: count }, (_, n) => `"k${n}":${value}`).join();

/**
 * The deepest and longest: nearly 4,096 values, 60 levels of each, and strings of nearly 64 KiB that hold nothing but
 * escapes, as many as a frame of 256 KiB has room for. No field is for them; reading them is what costs.
 */
export const deepestActivity = ((): string => {
  const [deep, long] = [nested(60), `"${'\\u00e9'.repeat(10_000)}"`];
  const activity = `{"state":"deep",${members(30, deep)},"long":${long}}`;
  const args = `{"pid":4242,"activity":${activity},${members(35, deep)},"x":${long},"y":${long}}`;
  return `${FRAME} {"cmd":"SET_ACTIVITY","args":${args},"nonce":"${NONCE}"}\n`;
})();

/** Subscriptions begun and ended again: with 64 in flight, each asks the client core. */
export const subscriptions = ['SUBSCRIBE', 'UNSUBSCRIBE']
  .flatMap((cmd) =>
    ['ACTIVITY_JOIN', 'ACTIVITY_SPECTATE', 'ACTIVITY_JOIN_REQUEST'].map((evt) => request(cmd, {}, evt)),
  )
  .join('');

/** What a process of a flood does without end: `window` 0 is as much as the socket takes. */
export interface Flood {
  readonly request: string;
  readonly window: number;
}

/** The most that one message may cost, in three ways, from sixteen processes. */
export const expensive: readonly Flood[] = Array.from({ length: 16 }, (_, n) => {
  if (n % 3 === 0) return { request: largestActivity, window: 0 };
  return n % 3 === 1 ? { request: deepestActivity, window: 0 } : { request: subscriptions, window: 64 };
});
