import { createRequire } from 'node:module';
import { contract, perform, stay, tell } from './contract.ts';

interface DiscordRpc {
  on(event: string, listener: (data: unknown) => void): void;
  login(options: { clientId: string }): Promise<{ user?: { id?: string } }>;
  setActivity(activity: Record<string, unknown>): Promise<unknown>;
  clearActivity(): Promise<unknown>;
  request(cmd: string, args: Record<string, unknown>): Promise<unknown>;
  subscribe(event: string): Promise<unknown>;
  destroy(): Promise<unknown>;
}

const library = createRequire(import.meta.url)('discord-rpc') as {
  Client: new (options: { transport: 'ipc' }) => DiscordRpc;
};
const client = new library.Client({ transport: 'ipc' });

stay();
client.on('disconnected', () => tell('closed'));
client.on(contract.event, (data) => tell('event', { data }));
let isReady = false;
try {
  const { user } = await client.login({ clientId: contract.clientId });
  isReady = true;
  tell('ready', { user: user?.id });
} catch (error) {
  tell('failed', { message: error instanceof Error ? error.message : 'unknown' });
}
if (isReady) {
  await perform({
    setActivity: (activity) => client.setActivity(activity),
    clearActivity: () => client.clearActivity(),
    request: (cmd, args) => client.request(cmd, args),
    subscribe: (event) => client.subscribe(event),
    leave: () => client.destroy(),
  });
}
