import { onTestFinished, vi } from 'vitest';
import type { Client } from '../../src/client/index.ts';

/** Lets a client connect on a clock that only the test moves; the list gets each wait before a try, in ms. */
export function retryDelays(client: Client): readonly number[] {
  onTestFinished(() => client.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const delays: number[] = [];
  client.on('retry', ({ delayMs }) => delays.push(delayMs));
  client.connect().catch(() => {});
  return delays;
}
