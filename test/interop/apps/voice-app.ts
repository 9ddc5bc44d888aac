// A voice app from its first byte to its first picture. Arguments: endpoint path or ws:// URL, origin or "-",
// client id, token endpoint, guild id, voice channel id. Prints what it got as one JSON value.
import { connect } from 'node:net';
import WebSocket from 'ws';
import { Opcode } from '../../../src/wire/codes.ts';
import type { Frame } from '../../../src/wire/frame.ts';
import { type Answer, AppPeer, type PeerLink } from '../../helpers/app-peer.ts';
import { concatBytes, frameBytes } from '../../helpers/frame-bytes.ts';

/** What the app got of each step; answers as they came. */
export interface VoiceAppReport {
  readonly ready: Answer;
  /** To AUTHENTICATE with a null token. */
  readonly nullToken: Answer | undefined;
  readonly authenticated: Answer;
  /** The answers to nine SUBSCRIBEs of one write, and the events among them, in the order they came. */
  readonly subscribed: readonly Answer[];
  readonly selected: Answer;
  readonly guilds: Answer;
  readonly channels: Answer;
}

/** A link that can hold several requests back and hand them to the system in one write. */
interface Link extends PeerLink {
  readonly inOneWrite: (frames: readonly Uint8Array[]) => void;
}

const SCOPES = ['rpc', 'identify', 'rpc.voice.read', 'messages.read', 'rpc.notifications.read'];
const HEADER_BYTES = 8;

/** Frames as they come, for a reader that waits. */
class Inbox {
  readonly #frames: Frame[] = [];
  #ended = false;
  #wake = (): void => {};

  put(frame: Frame): void {
    this.#frames.push(frame);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async receive(): Promise<Frame | undefined> {
    while (this.#frames.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#frames.shift();
  }
}

function ipcLink(path: string): Link {
  const inbox = new Inbox();
  const socket = connect(path);
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES && pending.length >= HEADER_BYTES + pending.readInt32LE(4)) {
      const end = HEADER_BYTES + pending.readInt32LE(4);
      inbox.put({ opcode: pending.readInt32LE(0) as Opcode, body: pending.subarray(HEADER_BYTES, end) });
      pending = pending.subarray(end);
    }
  });
  socket.on('error', () => {}).on('close', () => inbox.end());
  return {
    write: (bytes) => void socket.write(bytes),
    inOneWrite: (frames) => void socket.write(concatBytes(...frames)),
    receive: () => inbox.receive(),
    end: () => void socket.end(),
  };
}

/** One payload a text message, without the frame's header. */
async function webLink(url: string, origin: string): Promise<Link> {
  const inbox = new Inbox();
  const socket = new WebSocket(url, { headers: { origin } });
  socket.on('message', (data: Buffer) => inbox.put({ opcode: Opcode.FRAME, body: data }));
  socket.on('close', (code) => {
    inbox.put({ opcode: Opcode.CLOSE, body: Buffer.from(JSON.stringify({ code })) });
    inbox.end();
  });
  await new Promise<void>((resolve, reject) => void socket.once('open', resolve).once('error', reject));
  const write = (bytes: Uint8Array): void => socket.send(bytes.subarray(HEADER_BYTES), { binary: false });
  return {
    write,
    inOneWrite(frames) {
      const { _socket: carrier } = socket as unknown as { readonly _socket: import('node:net').Socket };
      carrier.cork();
      for (const frame of frames) write(frame);
      carrier.uncork();
    },
    receive: () => inbox.receive(),
    end: () => socket.close(),
  };
}

async function token(api: string, clientId: string, code: string): Promise<string> {
  const form = { grant_type: 'authorization_code', client_id: clientId, client_secret: 'any', code };
  const response = await fetch(`${api}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
  return ((await response.json()) as { access_token: string }).access_token;
}

function subscriptions(channelId: string): Uint8Array[] {
  const ofChannel = { channel_id: channelId };
  const wanted: readonly [evt: string, args?: object][] = [
    ['VOICE_CHANNEL_SELECT'],
    ['VOICE_CONNECTION_STATUS'],
    ['VOICE_SETTINGS_UPDATE'],
    ['VOICE_STATE_CREATE', ofChannel],
    ['VOICE_STATE_UPDATE', ofChannel],
    ['VOICE_STATE_DELETE', ofChannel],
    ['SPEAKING_START', ofChannel],
    ['SPEAKING_STOP', ofChannel],
    ['NOTIFICATION_CREATE'],
  ];
  // Overlays of this kind use one nonce for all of their requests.
  return wanted.map(([evt, args]) =>
    frameBytes(Opcode.FRAME, JSON.stringify({ cmd: 'SUBSCRIBE', args, evt, nonce: 'deadbeef' })),
  );
}

/** Nine answers and the replay of the three state-type events that have a value. */
const SUBSCRIBED_FRAMES = 12;

async function run(words: readonly string[]): Promise<VoiceAppReport> {
  const [endpoint = '', origin = '', clientId = '', api = '', guildId = '', channelId = ''] = words;
  const web = endpoint.startsWith('ws:');
  const link = web
    ? await webLink(`${endpoint}/?v=1&client_id=${clientId}&encoding=json`, origin)
    : ipcLink(endpoint);
  const app = new AppPeer(link);
  const ready = web ? await app.answer() : await app.handshake(clientId);
  // Over IPC the client would obtain a token itself; these apps do this over WebSocket.
  const nullToken = web ? await app.call('AUTHENTICATE', { access_token: null }) : undefined;
  const authorized = await app.call('AUTHORIZE', { client_id: clientId, scopes: SCOPES, prompt: 'none' });
  const access = await token(api, clientId, String(authorized.data.code));
  const authenticated = await app.call('AUTHENTICATE', { access_token: access });
  link.inOneWrite(subscriptions(channelId));
  const subscribed: Answer[] = [];
  while (subscribed.length < SUBSCRIBED_FRAMES) subscribed.push(await app.answer());
  const selected = await app.call('GET_SELECTED_VOICE_CHANNEL');
  const guilds = await app.call('GET_GUILDS');
  const channels = await app.call('GET_CHANNELS', { guild_id: guildId });
  app.end();
  return { ready, nullToken, authenticated, subscribed, selected, guilds, channels };
}

process.stdout.write(JSON.stringify(await run(process.argv.slice(2))));
