// A bot of discord.js as anybody would write it: the address of the API as its documentation says, and nothing else of ours.
import { channel as diagnostics } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Client, type ClientOptions, Events } from 'discord.js';
import { onTestFinished } from 'vitest';
import { botToken } from './story.ts';

/** A bot that is not logged in yet; it is destroyed with the story. What it throws on the way fails the story. */
export function botOf(
  api: string,
  intents: ClientOptions['intents'],
  options: Partial<ClientOptions> = {},
): Client {
  const client = new Client({ ...options, intents, rest: { ...options.rest, api } });
  onTestFinished(() => client.destroy());
  return client;
}

/** Logs it in; resolves once it is ready, with all guilds. */
export async function loggedIn(client: Client): Promise<Client<true>> {
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(botToken());
  return ready;
}

/** Every TCP connection of this process to a port, from its start on, to cut as a bad line does. */
export function linesTo(api: string): { readonly cut: () => number } {
  const port = Number(new URL(api).port);
  const sockets = new Set<Socket>();
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  diagnostics('net.client.socket').subscribe(note);
  onTestFinished(() => {
    diagnostics('net.client.socket').unsubscribe(note);
  });
  return {
    cut() {
      const lines = [...sockets].filter(({ remotePort }) => remotePort === port);
      for (const line of lines) line.destroy();
      return lines.length;
    },
  };
}

/** Ids of `count` guilds that {@link manyGuilds} makes. */
export function guildIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `41000000000000000${index}`);
}

/** A patch with `count` guilds that `bot` is a member of, each with a text channel, a voice channel, a role and people. */
export function manyGuilds(count: number, bot: string, people: readonly string[]): object {
  const keeper = { name: 'keeper', position: 5, permissions: ['ADMINISTRATOR'] };
  return {
    guilds: guildIds(count).map((id, index) => ({
      id,
      name: `Lock ${index + 1}`,
      owner: people[0],
      membership: 'listed',
      roles: [{ id: `42000000000000000${index}`, ...keeper }],
      members: [{ user: bot, roles: [`42000000000000000${index}`] }, ...people.map((user) => ({ user }))],
      channels: [
        { id: `43000000000000000${index}`, name: 'towpath', type: 'text' },
        { id: `44000000000000000${index}`, name: 'lockside', type: 'voice' },
      ],
    })),
  };
}
