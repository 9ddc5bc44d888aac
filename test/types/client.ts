// Checked by the compiler alone: what does not compile must not, what compiles must.
import {
  type Client,
  connect,
  type EventData,
  type User,
  type VoiceSettings,
} from '../../src/client/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<_T extends true>(): void {}

/** Never called. */
export async function clientTypes(client: Client): Promise<void> {
  const guild = await client.request('GET_GUILD', { guild_id: '1', timeout: undefined });
  holds<Same<typeof guild.name, string>>();
  const settings = await client.request('GET_VOICE_SETTINGS');
  holds<Same<typeof settings, VoiceSettings>>();
  const user = await client.request('GET_USER', { id: '1' });
  holds<Same<typeof user, User | null>>();
  const anything = await client.requestRaw('SOMETHING_NEW', { any: 'thing' });
  holds<Same<typeof anything, unknown>>();
  holds<Same<EventData<'AUTHORIZE_REQUEST'>, null>>();
  await client.subscribe('VOICE_CHANNEL_SELECT', {}, ({ channel_id }) =>
    holds<Same<typeof channel_id, string | null>>(),
  );
  for await (const { guild: told } of client.events('GUILD_STATUS', { guild_id: '1' }))
    told.icon_url?.slice();
  for await (const { event } of client) event.slice();
  await client.setActivity({ details: undefined, timestamps: { start: new Date(), end: 5 }, type: 2 });
  client.on('retry', ({ delayMs }) => delayMs.toFixed());

  // @ts-expect-error there is no such command
  await client.request('GET_GUILDZ');
  // @ts-expect-error guild_id is missing
  await client.request('GET_GUILD');
  // @ts-expect-error guild_id is missing
  await client.request('GET_GUILD', {});
  // @ts-expect-error ids are strings
  await client.request('GET_GUILD', { guild_id: 1 });
  // @ts-expect-error it has no arguments
  await client.request('GET_VOICE_SETTINGS', { mute: true });
  // @ts-expect-error a misspelt member
  await client.request('SET_VOICE_SETTINGS', { muted: true });
  // @ts-expect-error there is no such mode
  await client.request('SET_VOICE_SETTINGS', { mode: { type: 'SHOUTING' } });
  // @ts-expect-error subscriptions are made by subscribe
  await client.request('SUBSCRIBE', {});
  // @ts-expect-error there is no such event
  await client.subscribe('GUILD_STATUZ', {}, () => {});
  // @ts-expect-error guild_id is missing
  await client.subscribe('GUILD_STATUS', {}, () => {});
  // @ts-expect-error READY cannot be subscribed to
  await client.subscribe('READY', {}, () => {});
  // @ts-expect-error apps may not stream
  await client.setActivity({ type: 1 });
  // @ts-expect-error a misspelt field
  await client.setActivity({ detail: 'By the river' });
  // @ts-expect-error three buttons' worth of labels are still objects
  await client.setActivity({ buttons: ['Join'] });
  // @ts-expect-error the id is a string
  await connect({ clientId: 3000 });
  // @ts-expect-error clientId is missing
  await connect({ paths: [] });
  // @ts-expect-error there is no such event of the client
  client.on('error', () => {});
  // @ts-expect-error user is told by the server
  client.user = undefined;
}
