import { verify } from '../failure.ts';
import { formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import { type App, formatMessage } from '../target/app.ts';
import { IPC_ONLY, type ServerCase, together } from './case.ts';
import { hasShape } from './shapes.ts';
import { getSettings, keepingSettings, setSettings } from './voice-settings.ts';

const full = { profile: 'full', transports: IPC_ONLY } as const;
const voice = { profile: 'voice', lane: 'voice' } as const;
const VOICE = { evt: 'VOICE_SETTINGS_UPDATE' };
const USER = { evt: 'CURRENT_USER_UPDATE' };

async function guildsOf(app: App): Promise<string[]> {
  const data = await app.succeed('GET_GUILDS', {});
  const guilds = isRecord(data) && Array.isArray(data['guilds']) ? data['guilds'].filter(isRecord) : [];
  return guilds.map((guild) => String(guild['id']));
}

/** Subscribes, and consumes the replayed event. */
async function subscribedToVoice(app: App): Promise<void> {
  await app.succeed('SUBSCRIBE', {}, VOICE);
  await app.event(VOICE.evt);
}

/** Cases about SUBSCRIBE: its replay, its events, and its end. */
export const subscriptionCases: readonly ServerCase[] = [
  together(
    'subscription/1',
    'SUBSCRIBE answers {evt} with evt null',
    ['subscription.answer'],
    async (context) => {
      const reply = await (await context.ready()).request('SUBSCRIBE', {}, USER);
      const { evt, data } = reply.value;
      const isRight = evt === null && isRecord(data) && data['evt'] === USER.evt;
      verify(isRight, `evt null and data {"evt":"${USER.evt}"}`, () => formatMessage(reply));
    },
    full,
  ),
  together(
    'subscription/2',
    'the answer comes before the event',
    ['subscription.answer-first'],
    async (context) => {
      const app = await context.ready();
      const nonce = await app.sendRequest('SUBSCRIBE', {}, USER);
      const first = await app.message('the answer to SUBSCRIBE');
      verify(first.value['nonce'] === nonce, 'the answer to SUBSCRIBE first', () => formatMessage(first));
    },
    full,
  ),
  together(
    'subscription/3',
    'CURRENT_USER_UPDATE is replayed',
    ['subscription.replay'],
    async (context) => {
      const app = await context.ready();
      await app.succeed('SUBSCRIBE', {}, USER);
      const { value } = await app.event(USER.evt);
      hasShape('user', value['data'], 'data');
    },
    full,
  ),
  together(
    'subscription/4',
    'a dispatch has cmd DISPATCH and nonce null',
    ['subscription.envelope'],
    async (context) => {
      const app = await context.authenticated();
      await app.succeed('SUBSCRIBE', {}, VOICE);
      hasShape('event', (await app.event(VOICE.evt)).value, 'event ');
    },
    voice,
  ),
  together(
    'subscription/5',
    'VOICE_SETTINGS_UPDATE is replayed with the whole settings',
    ['subscription.replay'],
    async (context) => {
      const app = await context.authenticated();
      await app.succeed('SUBSCRIBE', {}, VOICE);
      hasShape('voiceSettings', (await app.event(VOICE.evt)).value['data'], 'data');
    },
    voice,
  ),
  together(
    'subscription/6',
    'GUILD_STATUS is replayed, once for each guild',
    ['subscription.replay', 'subscription.arguments'],
    async (context) => {
      const app = await context.authenticated();
      const guilds = (await guildsOf(app)).slice(0, 2);
      for (const id of guilds) await app.succeed('SUBSCRIBE', { guild_id: id }, { evt: 'GUILD_STATUS' });
      const seen = new Set<unknown>();
      for (const _ of guilds) {
        const { data } = (await app.event('GUILD_STATUS')).value;
        const guild = isRecord(data) ? data['guild'] : undefined;
        hasShape('guild', guild, 'data.guild');
        seen.add((guild as { id: string }).id);
      }
      verify(seen.size === guilds.length, `events of ${guilds.join(' and ')}`, formatValue([...seen]));
    },
    { profile: 'full' },
  ),
  together(
    'subscription/7',
    'a change reaches another session',
    ['subscription.delivery'],
    async (context) => {
      const [listener, changer] = [await context.authenticated(), await context.authenticated()];
      await subscribedToVoice(listener);
      await keepingSettings(changer, async (before) => {
        await setSettings(changer, { qos: !before.qos });
        const { data } = (await listener.event(VOICE.evt)).value;
        verify(isRecord(data) && data['qos'] === !before.qos, `data.qos ${!before.qos}`, () =>
          formatValue(data),
        );
      });
    },
    voice,
  ),
  together(
    'subscription/8',
    'a change reaches the session that made it, after the answer',
    ['subscription.own-change'],
    async (context) => {
      const app = await context.authenticated();
      await subscribedToVoice(app);
      await keepingSettings(app, async (before) => {
        const nonce = await app.sendRequest('SET_VOICE_SETTINGS', { qos: !before.qos });
        const first = await app.message('the answer to SET_VOICE_SETTINGS');
        verify(first.value['nonce'] === nonce, 'the answer before the event', () => formatMessage(first));
        await app.event(VOICE.evt);
      });
    },
    voice,
  ),
  together(
    'subscription/9',
    'subscribed twice, one event',
    ['subscription.repeat'],
    async (context) => {
      const app = await context.authenticated();
      const changer = await context.authenticated();
      await subscribedToVoice(app);
      await app.succeed('SUBSCRIBE', {}, VOICE);
      await settle(app);
      await keepingSettings(changer, async (before) => {
        await setSettings(changer, { qos: !before.qos });
        await app.event(VOICE.evt);
        await app.noEvent(VOICE.evt);
      });
    },
    voice,
  ),
  together(
    'subscription/10',
    'nothing after UNSUBSCRIBE',
    ['subscription.unsubscribe'],
    async (context) => {
      const app = await context.authenticated();
      const changer = await context.authenticated();
      await subscribedToVoice(app);
      await app.succeed('UNSUBSCRIBE', {}, VOICE);
      await keepingSettings(changer, async (before) => {
        await setSettings(changer, { qos: !before.qos });
        await app.noEvent(VOICE.evt);
      });
    },
    voice,
  ),
  together(
    'subscription/11',
    'UNSUBSCRIBE without a subscription succeeds',
    ['subscription.unsubscribe-nothing'],
    async (context) => {
      await (await context.ready()).succeed('UNSUBSCRIBE', {}, VOICE);
    },
    { profile: 'voice' },
  ),
  together(
    'subscription/12',
    'only subscribers get events',
    ['subscription.own-session'],
    async (context) => {
      const [listener, bystander] = [await context.authenticated(), await context.authenticated()];
      await subscribedToVoice(listener);
      await keepingSettings(listener, async (before) => {
        await setSettings(listener, { qos: !before.qos });
        await listener.event(VOICE.evt);
        await bystander.noEvent(VOICE.evt);
      });
    },
    voice,
  ),
  together(
    'subscription/13',
    'args may be missing',
    ['subscription.args-missing'],
    async (context) => {
      await (await context.ready()).succeed('SUBSCRIBE', undefined, USER);
    },
    full,
  ),
  together(
    'subscription/14',
    'args may be null',
    ['subscription.args-null'],
    async (context) => {
      await (await context.ready()).succeed('SUBSCRIBE', null, USER);
    },
    full,
  ),
  together(
    'subscription/15',
    'GUILD_STATUS of an unknown guild',
    ['subscription.unknown-guild'],
    async (context) => {
      const app = await context.authenticated();
      await app.fail([4003], 'SUBSCRIBE', { guild_id: '1045800378228281999' }, { evt: 'GUILD_STATUS' });
    },
    { profile: 'full' },
  ),
  together(
    'subscription/16',
    'GUILD_STATUS without guild_id',
    ['subscription.bad-args'],
    async (context) => {
      const app = await context.authenticated();
      await app.fail([4000], 'SUBSCRIBE', {}, { evt: 'GUILD_STATUS' });
    },
    { profile: 'full' },
  ),
  together(
    'subscription/17',
    'AUTHORIZE_REQUEST needs no scope and is not replayed',
    ['subscription.authorize-request'],
    async (context) => {
      const app = await context.ready();
      await app.succeed('SUBSCRIBE', {}, { evt: 'AUTHORIZE_REQUEST' });
      await app.noEvent('AUTHORIZE_REQUEST');
    },
    { profile: 'full' },
  ),
  together(
    'subscription/18',
    'VOICE_CHANNEL_SELECT is not replayed',
    ['subscription.no-replay'],
    async (context) => {
      const app = await context.authenticated();
      await app.succeed('SUBSCRIBE', {}, { evt: 'VOICE_CHANNEL_SELECT' });
      await app.noEvent('VOICE_CHANNEL_SELECT');
    },
    { profile: 'voice' },
  ),
  together(
    'subscription/19',
    'an unchanged setting causes no event',
    ['subscription.only-changes'],
    async (context) => {
      const app = await context.authenticated();
      await subscribedToVoice(app);
      const { qos } = await getSettings(app);
      await setSettings(app, { qos });
      await app.noEvent(VOICE.evt);
    },
    voice,
  ),
];

/** Consumes a second replay, if the server sends one. */
async function settle(app: App): Promise<void> {
  await app.event(VOICE.evt, 300).catch(() => undefined);
}
