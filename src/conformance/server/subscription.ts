import { verify } from '../failure.ts';
import { formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import { type App, formatMessage } from '../target/app.ts';
import { IPC_ONLY, runningCase, type ServerCase } from './case.ts';
import { hasShape } from './shapes.ts';
import { getSettings, keepingSettings, setSettings } from './voice-settings.ts';

const full = runningCase('together', { profile: 'full' });
const fullOverIpc = runningCase('together', { profile: 'full', transports: IPC_ONLY });
/** Cases that change the voice settings, or need them unchanged. */
const voice = runningCase('together', { profile: 'voice', lane: 'voice' });
const voiceUnchanged = runningCase('together', { profile: 'voice' });
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
  fullOverIpc('subscription/1', 'SUBSCRIBE answers {evt} with evt null', async (context) => {
    const reply = await (await context.ready()).request('SUBSCRIBE', {}, USER);
    const { evt, data } = reply.value;
    const isRight = evt === null && isRecord(data) && data['evt'] === USER.evt;
    verify(isRight, `evt null and data {"evt":"${USER.evt}"}`, () => formatMessage(reply));
  }),
  fullOverIpc('subscription/2', 'the answer comes before the event', async (context) => {
    const app = await context.ready();
    const nonce = await app.sendRequest('SUBSCRIBE', {}, USER);
    const first = await app.message('the answer to SUBSCRIBE');
    verify(first.value['nonce'] === nonce, 'the answer to SUBSCRIBE first', () => formatMessage(first));
  }),
  fullOverIpc('subscription/3', 'CURRENT_USER_UPDATE is replayed', async (context) => {
    const app = await context.ready();
    await app.succeed('SUBSCRIBE', {}, USER);
    const { value } = await app.event(USER.evt);
    hasShape('user', value['data'], 'data');
  }),
  voice('subscription/4', 'a dispatch has cmd DISPATCH and nonce null', async (context) => {
    const app = await context.authenticated();
    await app.succeed('SUBSCRIBE', {}, VOICE);
    hasShape('event', (await app.event(VOICE.evt)).value, 'event ');
  }),
  voice('subscription/5', 'VOICE_SETTINGS_UPDATE is replayed with the whole settings', async (context) => {
    const app = await context.authenticated();
    await app.succeed('SUBSCRIBE', {}, VOICE);
    hasShape('voiceSettings', (await app.event(VOICE.evt)).value['data'], 'data');
  }),
  full('subscription/6', 'GUILD_STATUS is replayed, once for each guild', async (context) => {
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
  }),
  voice('subscription/7', 'a change reaches another session', async (context) => {
    const [listener, changer] = [await context.authenticated(), await context.authenticated()];
    await subscribedToVoice(listener);
    await keepingSettings(changer, async (before) => {
      await setSettings(changer, { qos: !before.qos });
      const { data } = (await listener.event(VOICE.evt)).value;
      verify(isRecord(data) && data['qos'] === !before.qos, `data.qos ${!before.qos}`, () =>
        formatValue(data),
      );
    });
  }),
  voice('subscription/8', 'a change reaches the session that made it, after the answer', async (context) => {
    const app = await context.authenticated();
    await subscribedToVoice(app);
    await keepingSettings(app, async (before) => {
      const nonce = await app.sendRequest('SET_VOICE_SETTINGS', { qos: !before.qos });
      const first = await app.message('the answer to SET_VOICE_SETTINGS');
      verify(first.value['nonce'] === nonce, 'the answer before the event', () => formatMessage(first));
      await app.event(VOICE.evt);
    });
  }),
  voice('subscription/9', 'subscribed twice, one event', async (context) => {
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
  }),
  voice('subscription/10', 'nothing after UNSUBSCRIBE', async (context) => {
    const app = await context.authenticated();
    const changer = await context.authenticated();
    await subscribedToVoice(app);
    await app.succeed('UNSUBSCRIBE', {}, VOICE);
    await keepingSettings(changer, async (before) => {
      await setSettings(changer, { qos: !before.qos });
      await app.noEvent(VOICE.evt);
    });
  }),
  voiceUnchanged('subscription/11', 'UNSUBSCRIBE without a subscription succeeds', async (context) => {
    await (await context.ready()).succeed('UNSUBSCRIBE', {}, VOICE);
  }),
  voice('subscription/12', 'only subscribers get events', async (context) => {
    const [listener, bystander] = [await context.authenticated(), await context.authenticated()];
    await subscribedToVoice(listener);
    await keepingSettings(listener, async (before) => {
      await setSettings(listener, { qos: !before.qos });
      await listener.event(VOICE.evt);
      await bystander.noEvent(VOICE.evt);
    });
  }),
  fullOverIpc('subscription/13', 'args may be missing', async (context) => {
    await (await context.ready()).succeed('SUBSCRIBE', undefined, USER);
  }),
  fullOverIpc('subscription/14', 'args may be null', async (context) => {
    await (await context.ready()).succeed('SUBSCRIBE', null, USER);
  }),
  full('subscription/15', 'GUILD_STATUS of an unknown guild', async (context) => {
    const app = await context.authenticated();
    await app.fail([4003], 'SUBSCRIBE', { guild_id: '1045800378228281999' }, { evt: 'GUILD_STATUS' });
  }),
  full('subscription/16', 'GUILD_STATUS without guild_id', async (context) => {
    const app = await context.authenticated();
    await app.fail([4000], 'SUBSCRIBE', {}, { evt: 'GUILD_STATUS' });
  }),
  full('subscription/17', 'AUTHORIZE_REQUEST needs no scope and is not replayed', async (context) => {
    const app = await context.ready();
    await app.succeed('SUBSCRIBE', {}, { evt: 'AUTHORIZE_REQUEST' });
    await app.noEvent('AUTHORIZE_REQUEST');
  }),
  voiceUnchanged('subscription/18', 'VOICE_CHANNEL_SELECT is not replayed', async (context) => {
    const app = await context.authenticated();
    await app.succeed('SUBSCRIBE', {}, { evt: 'VOICE_CHANNEL_SELECT' });
    await app.noEvent('VOICE_CHANNEL_SELECT');
  }),
  voice('subscription/19', 'an unchanged setting causes no event', async (context) => {
    const app = await context.authenticated();
    await subscribedToVoice(app);
    const { qos } = await getSettings(app);
    await setSettings(app, { qos });
    await app.noEvent(VOICE.evt);
  }),
];

/** Consumes a second replay, if the server sends one. */
async function settle(app: App): Promise<void> {
  await app.event(VOICE.evt, 300).catch(() => undefined);
}
