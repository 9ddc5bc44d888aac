import { verify } from '../failure.ts';
import { formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import { formatMessage, type Message } from '../target/app.ts';
import { IPC_ONLY, runningCase, type ServerCase, together, WEBSOCKET_ONLY } from './case.ts';
import type { Context } from './context.ts';
import { hasShape } from './shapes.ts';

const ipc = runningCase('together', { transports: IPC_ONLY });
const websocket = runningCase('together', { transports: WEBSOCKET_ONLY });

/** READY of a new session. */
async function welcome(context: Context): Promise<Message> {
  const app = await context.connect();
  return await app.open(context.settings.clientId);
}

function dataOf(message: Message): Record<string, unknown> {
  const { data } = message.value;
  verify(isRecord(data), 'READY with an object as data', () => formatMessage(message));
  return data as Record<string, unknown>;
}

function configOf(message: Message): Record<string, unknown> {
  const config = dataOf(message)['config'];
  verify(isRecord(config), 'READY with an object as data.config', () => formatMessage(message));
  return config as Record<string, unknown>;
}

/** Cases about the content of READY, and its time. */
export const readyCases: readonly ServerCase[] = [
  together('ready/1', 'READY is a dispatch without a nonce', async (context) => {
    const message = await welcome(context);
    const { nonce } = message.value;
    verify(nonce === null || nonce === undefined, 'READY with nonce null', () => formatMessage(message));
  }),
  together('ready/2', 'READY has all four keys, nonce null', async (context) => {
    hasShape('event', (await welcome(context)).value, 'READY ');
  }),
  together('ready/3', 'data.v is 1', async (context) => {
    const { v } = dataOf(await welcome(context));
    verify(v === 1, 'data.v to be 1', formatValue(v));
  }),
  together('ready/4', 'config has an API address', async (context) => {
    const { api_endpoint: address } = configOf(await welcome(context));
    verify(
      typeof address === 'string' && address !== '',
      'a text as config.api_endpoint',
      formatValue(address),
    );
  }),
  together(
    'ready/5',
    'the API address has no scheme; CDN host and environment are there',
    async (context) => {
      const config = configOf(await welcome(context));
      const address = config['api_endpoint'];
      verify(
        typeof address === 'string' && address.startsWith('//'),
        '//host/path as api_endpoint',
        formatValue(address),
      );
      for (const key of ['cdn_host', 'environment']) {
        verify(typeof config[key] === 'string', `a text as config.${key}`, formatValue(config[key]));
      }
    },
  ),
  ipc('ready/6', 'the user has an id that fits 64 bits, and a name', async (context) => {
    const { user } = dataOf(await welcome(context));
    hasShape('user', user, 'data.user');
    const { id } = user as { id: string };
    verify(BigInt(id) < 2n ** 63n, 'data.user.id below 2^63', id);
  }),
  ipc('ready/7', 'the user has every field that clients read', async (context) => {
    hasShape('wholeUser', dataOf(await welcome(context))['user'], 'data.user');
  }),
  websocket('ready/8', 'no user over a WebSocket', async (context) => {
    const { user } = dataOf(await welcome(context));
    verify(user === undefined, 'no data.user over a WebSocket', formatValue(user));
  }),
  together('ready/9', 'READY comes once, and nothing after it', async (context) => {
    const app = await context.ready();
    await app.quiet('nothing after READY');
  }),
  ipc('ready/10', 'READY fits 16 KiB and comes in one piece', async (context) => {
    const { frame } = await welcome(context);
    const size = frame.body.byteLength + 8;
    verify(size <= 16 * 1024, 'a READY frame of at most 16 KiB', `${size} bytes`);
    verify(frame.whole, 'READY in one read', 'a frame that came in parts');
  }),
];
