import type { Environment } from '../../platform/endpoint/endpoints.ts';
import type { OperatingSystem } from '../../platform/operating-system.ts';
import { ChildLink, type ChildTiming } from './child-link.ts';
import type { CommandEndpoint, ForwardEndpoint } from './endpoint.ts';
import type { Hello } from './link/hello.ts';
import { HUNG_UP, type Link, type OnSession } from './link/link.ts';
import { LinkSink } from './link-sink.ts';
import { LoopGuard } from './loop-guard.ts';
import type { Sink } from './sink.ts';
import { socketSink } from './socket-sink.ts';
import { listenForApps } from './socket-source.ts';
import { type StdioDescriptors, type StdioLink, stdioLink } from './stdio-link.ts';

/** Rights of apps at the bridge. */
export type ForwardRights = Hello['rights'];

/** Way into a bridge of this machine, with the rights that the apps of a forward have. */
export interface Entrance {
  /** Path of the socket for a new session; rejects with the reason why there is none. */
  path(): Promise<string>;
  close(): void;
}

/** Options of a forward. */
export interface ForwardOptions {
  readonly os: OperatingSystem;
  /** Environment with the runtime folder. */
  readonly env: Environment;
  readonly from: ForwardEndpoint;
  readonly to: ForwardEndpoint;
  /** Maximum rights of the apps. */
  readonly rights: ForwardRights;
  /** Name of the apps' side, in messages of the bridge. */
  readonly name: string;
  /** Opens a way into the bridge for apps with these rights and this name. Called once for each link. */
  readonly enter: (rights: ForwardRights, name: string) => Promise<Entrance>;
  /** Called with a sentence for the operator. */
  readonly report: (text: string) => void;
  readonly timing?: Partial<ChildTiming>;
  /** Descriptors of `stdio:`; by default those of this process. */
  readonly stdio?: StdioDescriptors;
  /** Ends the forward, also while it starts: the start then rejects. */
  readonly signal?: AbortSignal;
}

/** Status of a running forward. */
export interface ForwardStatus {
  /** Number of connected apps. */
  readonly sessions: number;
  /** Sentence with the reason while the other end is not reached; null while it is. */
  readonly why: string | null;
  /** Time since which the other end is reached (milliseconds since 1970); null while it is not. */
  readonly since: number | null;
  /** Sentence with the reason for the last loss of the other end; null where it was never lost. */
  readonly lastError: string | null;
}

/** A running forward. */
export interface Forward {
  /**
   * Resolves when the other end of `stdio:` has gone, with its fault as a clause after "the other end" where it broke the
   * protocol; never where neither end is `stdio:`.
   */
  readonly ended: Promise<string | undefined>;
  status(): ForwardStatus;
  /** Ends every session and frees all resources. */
  close(): void;
}

/**
 * Starts a forward; resolves once apps can connect. Throws `LocalError`, and then leaves nothing behind. At most one end
 * may be `stdio:`.
 */
export async function startForward(options: ForwardOptions): Promise<Forward> {
  const { os, env, from, name, rights, report } = options;
  const undo: (() => void)[] = [];
  const parts: Parts = { undo, sessions: () => 0, children: [], started: Date.now() };
  let ended: Ended = () => {};
  const end = new Promise<string | undefined>((resolve) => {
    // An end that no longer reads has just left.
    ended = (fault) => resolve(fault === HUNG_UP ? undefined : fault);
  });
  const close = (): void => {
    for (const step of undo.splice(0).reverse()) step();
  };
  options.signal?.addEventListener('abort', close);
  try {
    if (from.kind === 'socket') {
      const apps = { rights, name };
      const sink = options.to.kind === 'stdio' ? new LinkSink() : await sinkFor(options, apps, parts);
      const source = await listenForApps({ os, env, path: from.path, sink, report });
      undo.push(() => source.close());
      parts.sessions = () => source.sessions();
      // The other end takes the hello as a sign that apps can connect.
      if (sink instanceof LinkSink && options.to.kind === 'stdio')
        await useStdio(sink, apps, options, undo, ended);
    } else if (from.kind === 'exec') {
      await fromChild(options, from, parts, ended);
    } else {
      const stdio = await stdioLink({ side: 'bridge', rights, name }, options.stdio);
      if (stdio.hello.rights === 'full' && rights !== 'full')
        report(
          'The other end asks for full rights, and this end allows presence. Full needs --rights full here, too.',
        );
      const sink = await sinkFor(options, least(options, stdio.hello), parts).catch((error: unknown) => {
        stdio.close();
        throw error;
      });
      const link = open(stdio, undo, ended, (peer, process) => sink.connect(peer, process));
      parts.sessions = () => link.size;
      link.start();
    }
    return { ended: end, close, status: () => statusOf(parts) };
  } catch (error) {
    close();
    throw error;
  }
}

/** What a forward consists of, as far as it is made. */
interface Parts {
  readonly undo: (() => void)[];
  sessions: () => number;
  /** Commands of both ends. */
  readonly children: ChildLink[];
  /** Guard of the connections to a bridge of this machine. */
  guard?: LoopGuard;
  /** Time of the start (milliseconds since 1970). */
  readonly started: number;
}

function statusOf({ children, sessions, started, guard }: Parts): ForwardStatus {
  const connections = children.map(({ connection }) => connection);
  const down = connections.find((one) => one.kind === 'down');
  const since = connections.map((one) => (one.kind === 'up' ? one.since : started));
  const why = down?.fault ?? guard?.why ?? null;
  return {
    sessions: sessions(),
    why,
    since: down === undefined && why === null ? Math.max(started, ...since) : null,
    lastError: children.flatMap(({ lastFault }) => lastFault ?? []).at(-1) ?? null,
  };
}

/** Rights and name of the apps behind a link: no more than both ends allow. */
function least({ rights, name }: ForwardOptions, hello: Hello): Pick<Hello, 'rights' | 'name'> {
  return {
    rights: rights === 'full' && hello.rights === 'full' ? 'full' : 'presence',
    name: name === '' ? hello.name : name,
  };
}

type Ended = (fault: string | undefined) => void;

function open(stdio: StdioLink, undo: (() => void)[], ended: Ended, onSession?: OnSession): Link {
  const link = stdio.open({ onEnd: ended, onSession });
  undo.push(() => {
    link.end(undefined, CLOSING);
    stdio.close();
  });
  return link;
}

/** Leads the sessions of a sink to the process at the other end of standard input and output. */
async function useStdio(
  sink: LinkSink,
  apps: Pick<Hello, 'rights' | 'name'>,
  { stdio }: ForwardOptions,
  undo: (() => void)[],
  ended: Ended,
): Promise<void> {
  const link = open(await stdioLink({ side: 'apps', ...apps }, stdio), undo, ended);
  sink.use(link);
  link.start();
}

/** Makes the sink of a forward that does not lead to `stdio:`; `apps` are the rights and the name of the apps that it serves. */
async function sinkFor(
  options: ForwardOptions,
  apps: Pick<Hello, 'rights' | 'name'>,
  parts: Parts,
): Promise<Sink> {
  const { undo } = parts;
  const { to, report, timing } = options;
  if (to.kind === 'exec') {
    const sink = new LinkSink();
    let link: Link | undefined;
    const child = new ChildLink({
      command: to,
      own: { side: 'apps', ...apps },
      onUp: (made) => {
        link = made;
        sink.use(made);
      },
      onDown: () => sink.use(undefined),
      report,
      timing,
    });
    undo.push(() => {
      link?.end(undefined, CLOSING);
      sink.giveUp();
      child.stop();
    });
    await child.start();
    parts.children.push(child);
    return sink;
  }
  const entrance = await options.enter(apps.rights, apps.name);
  undo.push(() => entrance.close());
  parts.guard = new LoopGuard(report);
  return socketSink(() => entrance.path(), parts.guard);
}

/** Serves apps that are behind a command. */
async function fromChild(
  options: ForwardOptions,
  command: CommandEndpoint,
  parts: Parts,
  ended: Ended,
): Promise<void> {
  const { undo } = parts;
  const { name, rights, report, timing, to } = options;
  const apps = { rights, name };
  const sink = to.kind === 'stdio' ? new LinkSink() : await sinkFor(options, apps, parts);
  let link: Link | undefined;
  const child = new ChildLink({
    command,
    own: { side: 'bridge', rights, name },
    onUp: (made) => {
      link = made;
    },
    onDown: () => {},
    onSession: (peer, process) => sink.connect(peer, process),
    report,
    timing,
  });
  undo.push(() => {
    link?.end(undefined, CLOSING);
    child.stop();
  });
  await child.start();
  parts.sessions = () => link?.size ?? 0;
  parts.children.push(child);
  if (sink instanceof LinkSink && to.kind === 'stdio') await useStdio(sink, apps, options, undo, ended);
}

const CLOSING = 'The forward ends. Connect again later.';
