import { createRequire } from 'node:module';
import { contract, perform, stay, tell } from './contract.ts';

interface Xhayper {
  readonly user?: {
    readonly id?: string;
    setActivity(activity: Record<string, unknown>): Promise<unknown>;
    clearActivity(): Promise<unknown>;
  };
  on(event: string, listener: (data: unknown) => void): void;
  login(): Promise<void>;
  request(cmd: string, args: Record<string, unknown>): Promise<{ data?: unknown }>;
  subscribe(event: string, args?: unknown): Promise<unknown>;
  destroy(): Promise<unknown>;
}

const library = createRequire(import.meta.url)('@xhayper/discord-rpc') as {
  Client: new (options: { clientId: string; transport: { type: 'ipc' } }) => Xhayper;
};
const client = new library.Client({ clientId: contract.clientId, transport: { type: 'ipc' } });

stay();
client.on('disconnected', () => tell('closed'));
client.on(contract.event, (data) => tell('event', { data }));
let isReady = false;
try {
  await client.login();
  isReady = true;
  tell('ready', { user: client.user?.id });
} catch (error) {
  tell('failed', { message: error instanceof Error ? error.message : 'unknown' });
}
if (isReady) {
  await perform({
    setActivity: (activity) => client.user?.setActivity(activity) ?? Promise.reject(new Error('no user')),
    clearActivity: () => client.user?.clearActivity() ?? Promise.reject(new Error('no user')),
    request: async (cmd, args) => (await client.request(cmd, args)).data,
    subscribe: (event) => client.subscribe(event),
    leave: () => client.destroy(),
  });
}
