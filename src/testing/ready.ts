import { bridgeVariables } from '../control/bridge-variables.ts';
import { botTokenOf } from '../emulator/applications/bot.ts';
import { gatewayUrl } from '../emulator/serve/gateway/address.ts';

/** What another program needs to use a bridge. It has tokens, so it does not belong in a log. */
export interface ReadyBridge {
  /** The process of the bridge. */
  readonly pid: number;
  /** Path of the socket or pipe for apps. */
  readonly endpoint: string;
  /** Base URL of the HTTP API. */
  readonly api: string;
  /** Address of the gateway for bots. */
  readonly gateway: string;
  /** Address of the WebSocket for apps. */
  readonly ws: string;
  /** Path of the control socket. */
  readonly control: string;
  /** Environment variables with which a program finds this bridge and no other. */
  readonly env: Readonly<Record<string, string>>;
  /** The token of each application's bot. */
  readonly bots: readonly { readonly application: string; readonly name: string; readonly token: string }[];
}

/** A row of an application in an exported state. */
interface ApplicationLine {
  readonly applications?: { readonly id: string; readonly name: string; readonly bot_token: string | null };
}

/** A bridge in this process. */
interface OwnBridge {
  readonly folder: string;
  readonly endpoint: string;
  readonly api: string;
  readonly ws: string;
  readonly control: string;
  call(operation: string, args: object): Promise<unknown>;
}

/** The addresses and tokens of a private bridge; `env` is the environment of the programs that will use it. */
export async function readyOf(
  bridge: OwnBridge,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadyBridge> {
  const { endpoint, api, ws, control } = bridge;
  const bots = await botsOf(bridge);
  const gateway = gatewayUrl(api);
  return { pid: process.pid, endpoint, api, gateway, ws, control, env: bridgeVariables(env, bridge), bots };
}

/** The variable with the token of the first application's bot, for the program of a bot. */
export async function botVariable(
  bridge: Pick<OwnBridge, 'call'>,
): Promise<{ readonly FOOTBRIDGE_BOT_TOKEN?: string }> {
  const [first] = await botsOf(bridge);
  return first === undefined ? {} : { FOOTBRIDGE_BOT_TOKEN: first.token };
}

async function botsOf(bridge: Pick<OwnBridge, 'call'>): Promise<ReadyBridge['bots']> {
  const { state } = (await bridge.call('emulator.export', {})) as { readonly state: string };
  return state
    .split('\n')
    .filter((line) => line.startsWith('{"applications":'))
    .map((line) => (JSON.parse(line) as Required<ApplicationLine>).applications)
    .map((application) => ({
      application: application.id,
      name: application.name,
      token: botTokenOf(application),
    }));
}
