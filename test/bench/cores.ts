// The figures of the client cores. `npm run bench -- cores`
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { createRuntime, type Daemon, startDaemon } from '../helpers/daemon.ts';
import { UNLIMITED } from './built.ts';
import { startBenchCore } from './core-module.ts';
import { FramePeer } from './frame-peer.ts';
import { RawClient } from './raw-client.ts';
import { median, percentile } from './statistics.ts';

/** One figure beside its goal. */
export interface CoreFigure {
  readonly name: string;
  readonly value: number;
  readonly most: number;
  readonly unit: string;
  readonly more?: string;
}

/** Measures them all, one after the other; about a minute. `say` hears what is being measured. */
export async function measureCores(passes: number, say: (text: string) => void): Promise<CoreFigure[]> {
  const figures: CoreFigure[] = [];
  const steps: [string, () => Promise<CoreFigure[]>][] = [
    ['upstream', () => upstreamAdds(passes)],
    ['restarts', restarts],
    ['events', eventDelays],
    ['hang', hang],
    ['deaf consumer', deafConsumer],
  ];
  for (const [name, measure] of steps) {
    say(name);
    figures.push(...(await measure()));
  }
  return figures;
}

/** The figures in lines for people. */
export function coresText(figures: readonly CoreFigure[]): string {
  const line = ({ name, value, most, unit, more = '' }: CoreFigure): string =>
    `${value <= most ? 'met    ' : 'NOT MET'} ${name}: ${value.toFixed(2)} ${unit}, at most ${most}${more}`;
  return `node ${process.version}\n${figures.map((figure) => `${line(figure)}\n`).join('')}`;
}

/** What a bridge in front of another one adds to a round trip: both are the built daemon. */
async function upstreamAdds(passes: number): Promise<CoreFigure[]> {
  const behind = await startDaemon({ env: UNLIMITED });
  const args = ['--core', 'upstream', '--upstream', behind.endpoint];
  const front = await startDaemon({ args, env: UNLIMITED });
  const direct: number[] = [];
  const through: number[] = [];
  for (let pass = 0; pass < passes; pass++) {
    direct.push(...(await roundTrips(behind.endpoint)));
    through.push(...(await roundTrips(front.endpoint)));
  }
  await front.stop();
  await behind.stop();
  const text = (times: readonly number[]): string =>
    `${median(times).toFixed(2)}/${percentile(times, 99).toFixed(2)}`;
  const more = ` (p50/p99 direct ${text(direct)}, through ${text(through)} ms)`;
  const value = median(through) - median(direct);
  return [{ name: 'upstream adds to a round trip at p50', value, most: 1, unit: 'ms', more }];
}

async function roundTrips(path: string): Promise<number[]> {
  const client = new RawClient(path);
  await client.handshake();
  const times: number[] = [];
  for (let n = 0; n < 3500; n++) {
    const begin = performance.now();
    await client.setActivity(n);
    if (n >= 500) times.push(performance.now() - begin);
  }
  await client.close();
  return times;
}

/** 20 kills of the upstream under load: each of 10,000 requests has one answer, and no app is closed. */
async function restarts(): Promise<CoreFigure[]> {
  const RESTARTS = 20;
  const APPS = 20;
  const REQUESTS = 500;
  const runtime = createRuntime();
  const start = (): Promise<Daemon> => startDaemon({ runtime, env: UNLIMITED });
  let behind = await start();
  const args = ['--core', 'upstream', '--upstream', behind.endpoint];
  const front = await startDaemon({ args, env: UNLIMITED });
  const counts = { good: 0, error: 0, stray: 0 };
  let slowest = 0;
  let over = false;
  const apps = await Promise.all(Array.from({ length: APPS }, () => FramePeer.open(front.endpoint)));
  // Spread over the time of the restarts, so that each finds requests in flight.
  const load = async (app: FramePeer): Promise<void> => {
    app.onStray = () => {
      counts.stray += 1;
    };
    for (let n = 0; n < REQUESTS || !over; n++) {
      const begun = performance.now();
      const { evt } = await app.request('SET_ACTIVITY', { pid: 1, activity: { state: `${n}` } });
      slowest = Math.max(slowest, performance.now() - begun);
      counts[evt === 'ERROR' ? 'error' : 'good'] += 1;
      await sleep(evt === 'ERROR' ? 20 : 5);
    }
  };
  const loads = Promise.all(apps.map(load));
  for (let n = 0; n < RESTARTS; n++) {
    await sleep(300);
    await behind.kill();
    behind = await start();
  }
  await sleep(1500);
  over = true;
  const stuck = Symbol('stuck');
  const timeout = sleep(30_000, stuck, { ref: false });
  const all = (await Promise.race([loads, timeout])) !== stuck;
  const lost = apps.filter(({ ended }) => ended).length;
  for (const app of apps) app.close();
  await front.stop();
  await behind.stop();
  runtime.remove();
  const answered = counts.good + counts.error;
  const more = ` (${answered} requests answered, ${counts.error} of them with ERROR 1001, slowest ${slowest.toFixed(0)} ms)`;
  return [
    {
      name: `answers too few, too many or none through ${RESTARTS} kills`,
      value: counts.stray + (all ? 0 : APPS),
      most: 0,
      unit: 'requests',
      more: answered >= 10_000 ? more : `${more}: TOO FEW REQUESTS`,
    },
    { name: 'sessions lost by that', value: lost, most: 0, unit: 'sessions' },
    { name: 'slowest answer meanwhile', value: slowest, most: 1000, unit: 'ms' },
  ];
}

/** An event to 1,000 subscribed sessions; the apps are in a process of their own. */
async function eventDelays(): Promise<CoreFigure[]> {
  const APPS = 1000;
  const EVENTS = 20;
  const daemon = await startBenchCore(UNLIMITED);
  const script = fileURLToPath(new URL('core-events.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', script, daemon.endpoint, String(APPS), String(EVENTS)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const trigger = await FramePeer.open(daemon.endpoint);
  await trigger.request('GET_GUILD', { guild_id: String(EVENTS) });
  const late = JSON.parse(String((await lines.next()).value)) as number[];
  trigger.close();
  await daemon.stop();
  const more = ` (p50 ${median(late).toFixed(1)} ms, ${late.length} deliveries)`;
  const name = `an event reaches ${APPS} subscribed sessions, p99`;
  return [{ name, value: percentile(late, 99), most: 50, unit: 'ms', more }];
}

/** A core that hangs: how long the first app waits, and how long the next request, of it or of another app. */
async function hang(): Promise<CoreFigure[]> {
  const daemon = await startBenchCore(UNLIMITED);
  const [one, two] = [await FramePeer.open(daemon.endpoint), await FramePeer.open(daemon.endpoint)];
  const first = await refusedAfter(one, 'GET_CHANNELS');
  const next = [await refusedAfter(one, 'GET_CHANNELS'), await refusedAfter(two, 'GET_CHANNELS')];
  await daemon.stop();
  return [
    { name: 'core hang, first error', value: first, most: 10_000, unit: 'ms' },
    { name: 'core hang, the next', value: Math.max(...next), most: 10, unit: 'ms' },
    ...(await stoppedUpstream()),
  ];
}

/** The same for an upstream whose process is stopped. */
async function stoppedUpstream(): Promise<CoreFigure[]> {
  const behind = await startDaemon({ env: UNLIMITED });
  const args = ['--core', 'upstream', '--upstream', behind.endpoint];
  const front = await startDaemon({ args, env: UNLIMITED });
  const app = await FramePeer.open(front.endpoint);
  process.kill(behind.pid, 'SIGSTOP');
  const first = await refusedAfter(app, 'GET_CHANNELS');
  const next = Math.max(
    await refusedAfter(app, 'GET_CHANNELS'),
    await refusedAfter(app, 'GET_VOICE_SETTINGS'),
  );
  process.kill(behind.pid, 'SIGCONT');
  await front.stop();
  await behind.stop();
  return [
    { name: 'stopped upstream, first error', value: first, most: 10_000, unit: 'ms' },
    { name: 'stopped upstream, the next', value: next, most: 10, unit: 'ms' },
  ];
}

async function refusedAfter(peer: FramePeer, cmd: string): Promise<number> {
  const begun = performance.now();
  const { data } = await peer.request(cmd, { guild_id: '1' });
  if (data?.code !== 1001) throw new Error(`expected ERROR 1001, got ${JSON.stringify(data)}`);
  return performance.now() - begun;
}

/** What a consumer of the presence bridge that never reads costs, beside one that does. */
async function deafConsumer(): Promise<CoreFigure[]> {
  const grown = async (deaf: boolean): Promise<number> => {
    const args = ['--core', 'attach', '--attach-port', '0', '--bridge-port', '0', '--ws-port', 'off'];
    const daemon = await startDaemon({ args, env: UNLIMITED });
    const status = async () =>
      (await daemon.json('status')) as { rss: number; core: { details: [string, string][] } };
    const url = (await status()).core.details.find(([label]) => label === 'bridge')?.[1] ?? '';
    const consumer = new WebSocket(url);
    await new Promise((resolve) => consumer.once('open', resolve));
    const app = await FramePeer.open(daemon.endpoint);
    const show = (n: number) =>
      app.request('SET_ACTIVITY', { pid: 1, activity: { state: `${n}`, more: 'x'.repeat(40_000) } });
    // The heap has its size before anything waits.
    for (let n = 0; n < 200; n++) await show(n);
    const before = (await status()).rss;
    if (deaf) consumer.pause();
    let most = before;
    for (let n = 0; n < 300; n++) {
      await show(n);
      if (n % 20 === 0) most = Math.max(most, (await status()).rss);
    }
    consumer.terminate();
    app.close();
    await daemon.stop();
    return (most - before) / 1024 / 1024;
  };
  const pairs: number[] = [];
  const reading: number[] = [];
  for (let n = 0; n < 3; n++) {
    const base = await grown(false);
    reading.push(base);
    pairs.push((await grown(true)) - base);
  }
  const more = ` (median of ${pairs.map((pair) => pair.toFixed(1)).join(', ')}; one that reads: ${reading.map((one) => one.toFixed(1)).join(', ')})`;
  return [{ name: 'a consumer that never reads costs', value: median(pairs), most: 4, unit: 'MiB', more }];
}
