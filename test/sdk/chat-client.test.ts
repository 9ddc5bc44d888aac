import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { Client as Rpc } from '../../src/client/index.ts';
import { ChatClient } from '../../src/sdk/chat-client.ts';
import { Log } from '../../src/sdk/log.ts';

it('a replaced callback is not called, although its subscription is not answered yet', () => {
  const subscribed: ((data: unknown) => void)[] = [];
  const rpc = Object.assign(new EventEmitter(), {
    state: 'ready',
    connect: () => new Promise<void>(() => {}),
    subscribeRaw(_event: string, _args: object, hear: (data: unknown) => void) {
      subscribed.push(hear);
      return new Promise(() => {});
    },
  });
  const nothing = (): void => {};
  const chat = new ChatClient({
    createRpc: () => rpc as unknown as Rpc,
    applicationId: 1n,
    endpoint: {},
    log: new Log(),
    timeoutMs: () => 1000,
    token: () => undefined,
    onTokenRefused: nothing,
    onReady: nothing,
    onLost: nothing,
  });
  const heard: string[] = [];
  chat.want('ACTIVITY_JOIN', () => heard.push('first'));
  chat.want('ACTIVITY_JOIN', () => heard.push('second'));
  for (const hear of subscribed) hear({});
  expect(heard).toEqual(['second']);
});
