import { expect, it, vi } from 'vitest';
import { Client } from '../../src/sdk/index.ts';
import { linked, service, until } from './played-game.ts';

it('a session ends when the clock of the service reaches the expiry of its token, also after a restart', async () => {
  const emulator = await service();
  const client = await linked(emulator);
  const statuses: (readonly number[])[] = [];
  client.SetStatusChangedCallback((...status) => statuses.push(status));
  await emulator.restart();
  await until(() => statuses.at(-1)?.[0] === Client.Status.Ready);
  const expired = vi.fn();
  client.SetTokenExpirationCallback(expired);
  await emulator.advance('6d');
  expect(client.GetStatus()).toBe(Client.Status.Ready);
  await emulator.advance('1d');
  await until(() => expired.mock.calls.length === 1);
  expect(statuses.at(-1)).toEqual([Client.Status.Disconnected, Client.Error.ConnectionFailed, 4004]);
  expect(client.IsAuthenticated()).toBe(false);
});
