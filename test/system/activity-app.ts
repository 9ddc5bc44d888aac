// An activity as its author would write it, with the SDK as it is published. It runs in the frame of a host page.
import { DiscordSDK, Events, patchUrlMappings } from '@discord/embedded-app-sdk';

// As much of a browser as it uses.
declare const location: { readonly host: string; readonly hostname: string; readonly search: string };
declare const document: { getElementById(id: string): { textContent: string } | null };

type Told = (text: string) => void;

const CLIENT_ID = location.hostname.split('.')[0] ?? '';

/** Runs the whole story, and says each step in the page. */
async function play(tell: Told): Promise<void> {
  const sdk = new DiscordSDK(CLIENT_ID, { disableConsoleLogOverride: true });
  await sdk.ready();
  tell(`ready ${sdk.instanceId} ${sdk.guildId} ${sdk.channelId} ${sdk.platform}`);

  const { code } = await sdk.commands.authorize({
    client_id: CLIENT_ID,
    response_type: 'code',
    state: '',
    prompt: 'none',
    scope: ['identify', 'guilds', 'guilds.members.read', 'rpc.activities.write', 'relationships.read'],
  });
  // The app's own server trades it: with `/.proxy` before the path, and without.
  const answer = await fetch('/.proxy/api/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const { user, application, scopes } = await sdk.commands.authenticate({ access_token });
  tell(`authenticated ${user.username} ${application.name} ${scopes.join(' ')}`);

  const names = (participants: readonly { readonly username: string }[]): string =>
    participants.map(({ username }) => username).join(' ');
  await sdk.subscribe(Events.ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE, ({ participants }) => {
    tell(`participants ${names(participants)}`);
  });
  const { participants } = await sdk.commands.getInstanceConnectedParticipants();
  tell(`here ${names(participants)}`);

  const activity = await sdk.commands.setActivity({
    activity: { type: 0, details: 'In the frame', state: 'Playing' },
  });
  tell(`activity ${activity.details}`);
  const channel = await sdk.commands.getChannel({ channel_id: sdk.channelId ?? '' });
  tell(`channel ${channel.name}`);
  tell(`hardware ${(await sdk.commands.encourageHardwareAcceleration()).enabled}`);
  tell(`link ${(await sdk.commands.openExternalLink({ url: 'https://example.com/' })).opened}`);
  tell(`locale ${(await sdk.commands.userSettingsGetLocale()).locale}`);
  tell(`behaviours ${JSON.stringify(await sdk.commands.getPlatformBehaviors())}`);
  tell(`config ${(await sdk.commands.setConfig({ use_interactive_pip: true })).use_interactive_pip}`);
  tell(`permissions ${typeof (await sdk.commands.getChannelPermissions()).permissions}`);
  tell(`skus ${(await sdk.commands.getSkus()).skus.length}`);
  tell(`entitlements ${(await sdk.commands.getEntitlements()).entitlements.length}`);
  tell(`relationships ${(await sdk.commands.getRelationships()).relationships.length}`);
  const refusal = await sdk.commands
    .setOrientationLockState({ lock_state: 1 })
    .catch((error: unknown) => error);
  tell(`orientation ${(refusal as { code?: number }).code}`);
  await sdk.commands.captureLog({ level: 'log', message: 'hello' });
}

/** What a page elsewhere has to go through a mapping for. */
async function reach(tell: Told): Promise<void> {
  const elsewhere = new URLSearchParams(location.search).get('custom_id') ?? 'http://127.0.0.1:9/';
  tell(
    `elsewhere ${await fetch(elsewhere, { mode: 'no-cors' }).then(
      () => 'reached',
      () => 'blocked',
    )}`,
  );
  patchUrlMappings([{ prefix: '/api', target: 'api.example.com' }]);
  tell(`patched ${await (await fetch('http://api.example.com/hello')).text()}`);
  const socket = new WebSocket(`ws://${location.host}/.proxy/api/ws`);
  tell(
    `socket ${await new Promise<string>((resolve) => {
      socket.onopen = () => socket.send('hello');
      socket.onmessage = ({ data }) => resolve(String(data));
      socket.onerror = () => resolve('refused');
    })}`,
  );
}

const log = document.getElementById('log');
const tell: Told = (text) => {
  if (log) log.textContent += `${text}\n`;
};
play(tell)
  .then(() => reach(tell))
  .then(() => tell('done'))
  .catch((error: unknown) => tell(`failed ${error instanceof Error ? error.stack : JSON.stringify(error)}`));
