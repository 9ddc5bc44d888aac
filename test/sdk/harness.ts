import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { AuthorizationArgs, Client, type ClientSettings } from '../../src/sdk/index.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { type ScriptedServer, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';

export const applicationId = 300000000000000001n;

/** How commands are answered: with data, with `{error: [code, message]}`, or not at all (undefined). */
export type Answers = Readonly<Record<string, (args: never, request: { readonly evt?: string }) => unknown>>;

/** A chat client that answers some commands as the test says and echoes the rest, and a game connected to it. */
export async function game(
  answers: Answers = {},
  { api = 'http://127.0.0.1:9/api', settings = {} }: { api?: string; settings?: ClientSettings } = {},
): Promise<{ readonly client: Client; readonly server: ScriptedServer }> {
  const server = await scriptedServer((frame, peer, connection) => {
    const { cmd, nonce, args, evt } = frame.body ?? {};
    const answer = frame.opcode === Opcode.FRAME ? answers[cmd] : undefined;
    if (answer === undefined) return wellBehaved(frame, peer, connection);
    const data = answer(args as never, { evt });
    if (data === undefined) return;
    const error = (data as { error?: [number, string] } | null)?.error;
    if (error) peer.payload({ cmd, nonce, evt: 'ERROR', data: { code: error[0], message: error[1] } });
    else peer.payload({ cmd, nonce, data });
  });
  const client = new Client(api, 'https://web.test', { paths: [server.path], ...settings });
  onTestFinished(() => client.Disconnect());
  client.SetApplicationId(applicationId);
  return { client, server };
}

/** Arguments with scopes, and whatever else is set. */
export function argsWith(change: (args: AuthorizationArgs) => void = () => {}): AuthorizationArgs {
  const args = new AuthorizationArgs();
  args.SetScopes(Client.GetDefaultPresenceScopes());
  change(args);
  return args;
}

/** One HTTP request as it came in. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: Readonly<Record<string, string>>;
}

/** The service's HTTP API, scripted. */
export async function scriptedApi(
  answer: (request: ApiRequest) => readonly [status: number, body?: unknown],
): Promise<{ readonly api: string; readonly requests: readonly ApiRequest[] }> {
  const requests: ApiRequest[] = [];
  const server = createServer((request, response) => {
    void readAll(request).then((text) => {
      const type = request.headers['content-type'] ?? '';
      const body = type.includes('json') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
      const asked = { method: request.method ?? '', path: request.url ?? '', type, body };
      requests.push(asked);
      const [status, json] = answer(asked);
      response.statusCode = status;
      response.end(json === undefined ? '' : JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, requests };
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
