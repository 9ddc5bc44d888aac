// Checked by the compiler alone: what does not compile must not, what compiles must.
import { AuthorizationArgs, type Client, IntegrationType, VoiceSettings } from '../../src/sdk/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<_T extends true>(): void {}

/** Never called. */
export function sdkTypes(client: Client): void {
  const args = new AuthorizationArgs();
  args.SetClientId(1n);
  args.SetClientId('1');
  args.SetState(undefined);
  args.SetIntegrationType(IntegrationType.UserInstall);
  holds<Same<ReturnType<typeof args.ClientId>, bigint>>();
  void client.Authorize(args, (result, code, redirectUri) => [
    result.Successful(),
    code.slice(),
    redirectUri.slice(),
  ]);

  const call = client.StartCall('1');
  call?.SetSelfMute(true);
  void client.EndCall(1n, () => call?.GetChannelId());

  // @ts-expect-error a number cannot hold every id
  args.SetClientId(1);
  // @ts-expect-error nor that of a lobby
  client.StartCall(1);
  // @ts-expect-error there may be none
  client.StartCall(1n).GetStatus();
  // @ts-expect-error its end has no result
  void client.EndCall(1n, (result: object) => result);
  // @ts-expect-error there is no third value
  args.SetIntegrationType(2);
  // @ts-expect-error scopes are one text
  args.SetScopes(['openid']);
  // @ts-expect-error a challenge is an object
  args.SetCodeChallenge('challenge');
  // @ts-expect-error another class
  args.assign(new VoiceSettings());
  // @ts-expect-error voice settings are read-only
  new VoiceSettings().SetSelfMute(true);
  // @ts-expect-error arguments are an AuthorizationArgs
  void client.Authorize({ Scopes: 'openid' });
}
