import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, connect } from '../../src/client/index.ts';
import { controlClient } from '../../src/control/client.ts';
import { createRuntime, type Runtime, startDaemon } from '../helpers/daemon.ts';
import { ids } from '../helpers/emulator-world.ts';
import type { Figure, Scenario } from './figure.ts';

const CLIENTS = 20;
const BOUND_MS = 1000;
/** How long each outage lasts (s), and whether the daemon says goodbye: a killed one leaves its socket's file. */
const OUTAGES = [
  { seconds: 1, signal: 'stop' },
  { seconds: 20, signal: 'kill' },
  { seconds: 60, signal: 'stop' },
] as const;
/** What is not back by then will not come back (ms). */
const PATIENCE_MS = 10_000;
const POLL_MS = 5;

/** Apps that hold presence and a subscription while the daemon is away. */
export const outage: Scenario = {
  name: 'outage',
  rows: [],
  raised: {},
  async run(progress) {
    const runtime = createRuntime();
    let daemon = await startDaemon({ runtime });
    const apps = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => startApp(daemon.endpoint, n)));
    const figures: Figure[] = [];
    try {
      for (const { seconds, signal } of OUTAGES) {
        progress(`${CLIENTS} clients, ${seconds} s without a server`);
        await daemon[signal]();
        await sleep(seconds * 1000);
        for (const app of apps) app.heardAt = undefined;
        const listening = listeningAt(daemon.endpoint);
        const [restarted, begin] = await Promise.all([startDaemon({ runtime }), listening]);
        daemon = restarted;
        figures.push(await recovery(apps, runtime, begin, seconds));
      }
    } finally {
      for (const { client } of apps) await client.close();
      await daemon.stop();
      runtime.remove();
    }
    return figures;
  },
};

interface App {
  readonly client: Client;
  readonly details: string;
  /** When its subscription was last heard for the first time since the restart. */
  heardAt: number | undefined;
}

async function startApp(path: string, n: number): Promise<App> {
  const client = await connect({ clientId: ids.harbourExample, paths: [path] });
  const app: App = { client, details: `client ${n}`, heardAt: undefined };
  await client.setActivity({ details: app.details });
  await client.subscribe('AUTHORIZE_REQUEST', {}, () => {
    app.heardAt ??= performance.now();
  });
  return app;
}

/** When the endpoint accepts a connection again. */
async function listeningAt(path: string): Promise<number> {
  for (;;) {
    const accepted = await new Promise<boolean>((resolve) => {
      const socket = connectSocket(path);
      socket.on('error', () => resolve(false));
      socket.on('connect', () => {
        socket.destroy();
        resolve(true);
      });
    });
    if (accepted) return performance.now();
    await sleep(1);
  }
}

/** Asks the daemon itself what it shows, and makes it send the event, until all is as before. */
async function recovery(
  apps: readonly App[],
  runtime: Runtime,
  begin: number,
  seconds: number,
): Promise<Figure> {
  const os = process.platform === 'darwin' ? 'darwin' : 'linux';
  const control = controlClient({ folder: { os, uid: process.getuid?.() }, env: runtime.env });
  const shownAt = new Map<string, number>();
  const isBack = ({ details, heardAt }: App): boolean => heardAt !== undefined && shownAt.has(details);
  while (!apps.every(isBack) && performance.now() - begin < PATIENCE_MS) {
    await control.call('link.ask', { app: ids.harbourExample });
    const { activities } = (await control.call('emulator.show')) as {
      activities: { activity: { details: string } | null }[];
    };
    for (const { activity } of activities) {
      if (activity && !shownAt.has(activity.details)) shownAt.set(activity.details, performance.now());
    }
    await sleep(POLL_MS);
  }
  const times = apps.map(
    ({ details, heardAt = Number.POSITIVE_INFINITY }) =>
      Math.max(heardAt, shownAt.get(details) ?? Number.POSITIVE_INFINITY) - begin,
  );
  const inTime = times.filter((ms) => ms <= BOUND_MS).length;
  return {
    goal: `presence and subscription back ≤ ${BOUND_MS} ms after ${seconds} s without a server: ${CLIENTS} of ${CLIENTS}`,
    value: inTime,
    met: inTime === CLIENTS,
    measured: `${inTime} of ${CLIENTS}, the last after ${Math.max(...times).toFixed(0)} ms`,
  };
}
