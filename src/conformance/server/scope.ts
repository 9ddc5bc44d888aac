import { Failure, verify } from '../failure.ts';
import { formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import { COMMAND_PROFILES, MAX_SAFE_BODY_BYTES, OTHER_SCOPED_COMMANDS, SCOPED_COMMANDS } from '../tables.ts';
import { type App, errorCodeOf, formatMessage, isError } from '../target/app.ts';
import { IPC_ONLY, runningCase, type ServerCase, together } from './case.ts';
import type { Context } from './context.ts';
import { hasShape } from './shapes.ts';

/** Id without an entity. */
const NO_ID = '1045800378228281999';

/** Arguments that would be valid with the scope. */
const PLAUSIBLE_ARGS = { guild_id: NO_ID, channel_id: NO_ID, user_id: NO_ID };

/** Items of an answer like `{guilds: […]}`; at least one is required. */
function itemsOf(data: unknown, key: string, cmd: string): Record<string, unknown>[] {
  const items = isRecord(data) ? data[key] : undefined;
  verify(Array.isArray(items), `${cmd} to answer {${key}: […]}`, () => formatValue(data));
  const list = (items as unknown[]).filter(isRecord);
  if (list.length === 0) throw new Failure(`at least one of ${key}`, 'none', 'prerequisite');
  return list;
}

async function firstGuild(app: App): Promise<string> {
  const guilds = itemsOf(await app.succeed('GET_GUILDS', {}), 'guilds', 'GET_GUILDS');
  return String(guilds[0]?.['id']);
}

async function firstChannel(app: App): Promise<string> {
  const data = await app.succeed('GET_CHANNELS', { guild_id: await firstGuild(app) });
  const channels = itemsOf(data, 'channels', 'GET_CHANNELS');
  return String((channels.find((channel) => channel['type'] === 0) ?? channels[0])?.['id']);
}

const full = runningCase('together', { profile: 'full' });
const fullOverIpc = runningCase('together', { profile: 'full', transports: IPC_ONLY });
const voice = runningCase('together', { profile: 'voice' });
const ipc = runningCase('together', { transports: IPC_ONLY });

const unauthenticated: readonly ServerCase[] = SCOPED_COMMANDS.map((cmd, index) =>
  runningCase('together', { profile: COMMAND_PROFILES[cmd] ?? 'full' })(
    `scope/${index + 1}`,
    `${cmd} without a token`,
    async (context: Context) => {
      const app = await context.ready();
      await app.fail([4006], cmd, cmd === 'SET_VOICE_SETTINGS' ? {} : PLAUSIBLE_ARGS);
    },
  ),
);

/** Cases about access without a token, with a wrong scope, and with the right scope. */
export const scopeCases: readonly ServerCase[] = [
  ...unauthenticated,
  together('scope/8', 'other commands that need a scope are not served without', async (context) => {
    const app = await context.ready();
    for (const cmd of OTHER_SCOPED_COMMANDS) {
      const nonce = await app.sendRequest(cmd, PLAUSIBLE_ARGS);
      isError(await app.reply(nonce, `ERROR 4006 or 4002 for ${cmd}`), [4006, 4002]);
    }
  }),
  ipc('scope/9', 'SET_ACTIVITY needs no token over IPC', async (context) => {
    const app = await context.ready();
    await app.succeed('SET_ACTIVITY', { pid: 4242, activity: { details: 'Testing' } });
  }),
  fullOverIpc('scope/10', 'CURRENT_USER_UPDATE needs no token over IPC', async (context) => {
    const app = await context.ready();
    await app.succeed('SUBSCRIBE', {}, { evt: 'CURRENT_USER_UPDATE' });
  }),
  full('scope/11', 'GUILD_STATUS without a token', async (context) => {
    const app = await context.ready();
    await app.fail([4006], 'SUBSCRIBE', { guild_id: NO_ID }, { evt: 'GUILD_STATUS' });
  }),
  voice('scope/12', 'VOICE_SETTINGS_UPDATE without a token', async (context) => {
    const app = await context.ready();
    await app.fail([4006], 'SUBSCRIBE', {}, { evt: 'VOICE_SETTINGS_UPDATE' });
  }),
  full('scope/13', 'GET_GUILDS with the scope rpc', async (context) => {
    const app = await context.authenticated();
    const guilds = itemsOf(await app.succeed('GET_GUILDS', {}), 'guilds', 'GET_GUILDS');
    for (const guild of guilds) hasShape('guild', guild, 'guild');
  }),
  full('scope/14', 'GET_GUILD with the scope rpc', async (context) => {
    const app = await context.authenticated();
    const id = await firstGuild(app);
    const guild = await app.succeed('GET_GUILD', { guild_id: id });
    hasShape('guild', guild, 'data');
    verify(isRecord(guild) && guild['id'] === id, `the guild ${id}`, () => formatValue(guild));
  }),
  full('scope/15', 'GET_CHANNELS with the scope rpc', async (context) => {
    const app = await context.authenticated();
    const data = await app.succeed('GET_CHANNELS', { guild_id: await firstGuild(app) });
    for (const channel of itemsOf(data, 'channels', 'GET_CHANNELS')) {
      hasShape('partialChannel', channel, 'channel');
    }
  }),
  full('scope/16', 'GET_CHANNEL with the scope rpc', async (context) => {
    const app = await context.authenticated();
    hasShape('channel', await app.succeed('GET_CHANNEL', { channel_id: await firstChannel(app) }), 'data');
  }),
  voice('scope/17', 'GET_SELECTED_VOICE_CHANNEL with the scope rpc', async (context) => {
    const app = await context.authenticated();
    const data = await app.succeed('GET_SELECTED_VOICE_CHANNEL', {});
    if (data !== null) hasShape('channel', data, 'data');
  }),
  voice('scope/18', 'a token without rpc does not open GET_VOICE_SETTINGS', async (context) => {
    const app = await context.authenticated(['identify']);
    await app.fail([4006], 'GET_VOICE_SETTINGS', {});
  }),
  voice('scope/19', 'rpc.voice.read reads voice settings and does not change them', async (context) => {
    const app = await context.authenticated(['identify', 'rpc.voice.read']);
    await app.succeed('GET_VOICE_SETTINGS', {});
    await app.fail([4006], 'SET_VOICE_SETTINGS', {});
  }),
  voice('scope/20', 'rpc.voice.write changes voice settings and does not read them', async (context) => {
    const app = await context.authenticated(['identify', 'rpc.voice.write']);
    await app.succeed('SET_VOICE_SETTINGS', {});
    await app.fail([4006], 'GET_VOICE_SETTINGS', {});
  }),
  full('scope/21', 'an unknown guild', async (context) => {
    const app = await context.authenticated();
    await app.fail([4003], 'GET_GUILD', { guild_id: NO_ID });
  }),
  full('scope/22', 'an unknown channel', async (context) => {
    const app = await context.authenticated();
    await app.fail([4005], 'GET_CHANNEL', { channel_id: NO_ID });
  }),
  full('scope/23', 'GET_GUILD without guild_id', async (context) => {
    const app = await context.authenticated();
    await app.fail([4000], 'GET_GUILD', {});
  }),
  full('scope/24', 'no answer is too long for a careless reader', async (context) => {
    const app = await context.authenticated();
    const channel = await firstChannel(app);
    const requests: [string, unknown][] = [
      ['GET_GUILDS', {}],
      ['GET_CHANNELS', {}],
      ['GET_CHANNEL', { channel_id: channel }],
      ['GET_VOICE_SETTINGS', {}],
    ];
    for (const [cmd, args] of requests) {
      const reply = await app.request(cmd, args);
      const size = reply.frame.body.byteLength;
      verify(size <= MAX_SAFE_BODY_BYTES, `${cmd} in at most ${MAX_SAFE_BODY_BYTES} bytes`, `${size} bytes`);
      verify(errorCodeOf(reply) === undefined, `${cmd} to succeed`, () => formatMessage(reply));
    }
  }),
];
