import { useEffect, useState } from 'preact/hooks';
import { call } from './api.ts';
import type { Feed } from './feed.ts';
import type { World } from './world-data.ts';

/** Learns the names of the emulator's applications, again for each further one; another core has none. */
export function useNames({ link, status, rates, names }: Feed): void {
  const [, draw] = useState(0);
  const isKnown = link.kind === 'up' && status?.core.name === 'emulator';
  useEffect(() => {
    if (!isKnown) return;
    void call('emulator.show').then(
      (world) => {
        for (const { id, name } of (world as unknown as World).applications) names.learn(id, name);
        draw(names.version);
      },
      () => undefined,
    );
  }, [isKnown, rates.appCount]);
}
