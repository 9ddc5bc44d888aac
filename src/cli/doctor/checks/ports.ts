import { describeProgram } from '../../../../platform/process/program.ts';
import { inspectPort, type TcpPort } from '../../../../platform/tcp/tcp-port.ts';
import type { Settings } from '../../../daemon/config/settings.ts';
import { type Check, notApplicable, type Scene, type Verdict } from '../check.ts';

/** Ports that web pages try. */
const WEB_PORTS = Array.from({ length: 10 }, (_, index) => 6463 + index);

/** Ports of 127.0.0.1 of which the bridge needs one. */
interface Wanted {
  readonly what: string;
  readonly ports: readonly number[];
  readonly key: string;
}

/** Whether the bridge's ports are its own, free, or taken by another program. */
export const ports: Check = {
  id: 'ports',
  title: 'Ports on the loopback address',
  explanation: `
    Web pages reach the bridge on the first free port of 6463 to 6472, chat clients attach on another. A port that
    another program holds cannot be shared.

    The line names the program where the kernel tells. End it, or choose another port. A port that became free is taken
    at the next restart of the bridge.
  `,
  async inspect(scene) {
    const { configuration } = scene;
    if (configuration.kind === 'unknown') return notApplicable('the configuration is not known');
    const wanted = wantedPorts(configuration.value.settings, scene);
    if (wanted.length === 0) return notApplicable('no port is configured');
    const results = await Promise.all(wanted.map((entry) => inspectPorts(entry, scene)));
    const bad = results.filter(({ verdict }) => verdict !== 'ok');
    return {
      verdict: bad.length > 0 ? 'warning' : 'ok',
      evidence: results.flatMap(({ evidence }) => evidence),
      fix: fixOf(bad),
    };
  },
};

function fixOf(bad: readonly Looked[]): string | null {
  if (bad.length === 0) return null;
  const keys = bad.map(({ key }) => key).join(', ');
  if (bad.every(({ free }) => free)) return `restart the bridge: a port for ${keys} is free now`;
  return `end one of those programs, or give another ${keys}`;
}

function wantedPorts(settings: Settings, { bridge }: Scene): Wanted[] {
  const { wsPort, attachPort, bridgePort } = settings;
  const core = bridge.kind === 'known' ? bridge.status.core.name : settings.core;
  const attaches = core === 'attach';
  const web = wsPort === 'auto' ? WEB_PORTS : wsPort === 'off' ? [] : [wsPort];
  return [
    { what: 'WebSocket and HTTP', ports: web, key: 'ws_port' },
    {
      what: 'attaching chat clients',
      ports: attaches && attachPort > 0 ? [attachPort] : [],
      key: 'attach_port',
    },
    { what: 'consumers of arRPC', ports: attaches && bridgePort ? [bridgePort] : [], key: 'bridge_port' },
  ].filter((entry) => entry.ports.length > 0);
}

interface Looked {
  readonly verdict: Verdict;
  readonly key: string;
  /** At least one port is free. */
  readonly free: boolean;
  readonly evidence: readonly string[];
}

async function inspectPorts({ what, ports: wanted, key }: Wanted, scene: Scene): Promise<Looked> {
  const found = await Promise.all(wanted.map(async (port) => ({ port, state: await inspectPort(port) })));
  const ours = found.filter(({ port, state }) => isOurs(port, state, scene)).map(({ port }) => port);
  const free = found.filter(({ state }) => state.kind === 'free').map(({ port }) => port);
  const foreign = found
    .filter(({ port, state }) => state.kind === 'taken' && !ours.includes(port))
    .map(({ port, state }) => `${port} is taken by ${ownerText(state)}`);
  const looked = { key, free: free.length > 0 };
  if (scene.bridge.kind !== 'known') {
    const verdict = looked.free ? 'ok' : 'warning';
    return { ...looked, verdict, evidence: [`${what}: free: ${range(free)}`, ...foreign] };
  }
  if (ours.length > 0) {
    return { ...looked, verdict: 'ok', evidence: [`${what}: the bridge has ${ours.join(', ')}`, ...foreign] };
  }
  // A port was free and the bridge has none, so its command line disabled the server that the configuration enables.
  const without = key === 'ws_port' && looked.free;
  const summary = without ? 'the bridge runs without one' : `free: ${range(free)}`;
  return { ...looked, verdict: without ? 'ok' : 'warning', evidence: [`${what}: ${summary}`, ...foreign] };
}

function isOurs(port: number, state: TcpPort, { bridge }: Scene): boolean {
  if (bridge.kind === 'unknown' || state.kind === 'free') return false;
  const { endpoints, core, pid } = bridge.status;
  // The kernel may hide a socket's owner from another program of the same user, so the bridge's own status counts, too:
  // it has the bridge's ports.
  const reported = [...endpoints.map(({ path }) => path), ...core.details.map(([, text]) => text)];
  return reported.some((text) => portOf(text) === port) || state.owner?.pid === pid;
}

/** Port of `ws://127.0.0.1:6463`, with or without a path. */
function portOf(text: string): number | undefined {
  const [, port] = /^ws:\/\/127\.0\.0\.1:(\d{1,5})(?:\/|$)/.exec(text) ?? [];
  return port === undefined ? undefined : Number(port);
}

function ownerText(state: TcpPort): string {
  if (state.kind === 'free') return 'nobody';
  if (state.owner !== undefined) return describeProgram(state.owner);
  return state.uid === undefined ? 'another program' : `a program of uid ${state.uid}`;
}

function range(list: readonly number[]): string {
  if (list.length === 0) return 'none';
  const [first, last] = [list[0], list.at(-1)];
  return list.length > 2 && Number(last) - Number(first) === list.length - 1
    ? `${first} to ${last}`
    : list.join(', ');
}
