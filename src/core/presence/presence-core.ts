import { isLater } from '../../base/later.ts';
import { Presences, type PresencesOptions } from '../../presence/presences.ts';
import type { ClientCore, CoreSession, Peer } from '../core.ts';
import { isSession } from '../is-session.ts';
import { Endings } from './endings.ts';
import { type PresenceHost, PresenceSession } from './presence-session.ts';

/** Services of the bridge for presence. */
export interface PresenceCoreOptions
  extends Omit<PresencesOptions, 'now' | 'tightened'>,
    Pick<PresenceHost, 'programs' | 'named'> {
  /** True for a core behind which chat clients show each gap between two processes of an application. */
  readonly holdsEnds: boolean;
  /** Whether a process exists. */
  isAlive(pid: number): boolean;
}

/** Interval of the check for processes that have ended while their connection stays open (ms). */
const SWEEP_MS = 1000;

/** A core whose apps pass the rules for presence. */
export interface PresenceCore {
  readonly core: ClientCore;
  readonly presences: Presences;
}

/** Wraps a core, so that each SET_ACTIVITY passes the rules before the core sees it. */
export function presenceCore(inner: ClientCore, options: PresenceCoreOptions): PresenceCore {
  const endings = options.holdsEnds ? new Endings(() => performance.now()) : undefined;
  // What is held is of no connected app, so nothing else would hide it.
  const tightened = (): void => endings?.endAll();
  const presences = new Presences({ ...options, now: Date.now, tightened });
  const host: PresenceHost = {
    coreName: inner.name,
    presences,
    endings,
    programs: (pid) => options.programs(pid),
    applicationName: (clientId) => options.applicationName(clientId),
    named: (clientId, name) => options.named(clientId, name),
    shows: () => {
      sweeping ??= setInterval(sweep, SWEEP_MS).unref();
    },
  };
  // An idle bridge sleeps: the timer runs while a process shows something.
  let sweeping: NodeJS.Timeout | undefined;
  const sweep = (): void => {
    if (presences.sweep((pid) => options.isAlive(pid))) return;
    clearInterval(sweeping);
    sweeping = undefined;
  };
  const wrap = (session: CoreSession, peer: Peer): CoreSession => {
    // The server reports a core that returns no session.
    if (!isSession(session)) return session;
    return new PresenceSession(session, peer, host);
  };
  const core: ClientCore = {
    name: inner.name,
    ...(inner.openMs === undefined ? {} : { openMs: inner.openMs }),
    start: (coreHost) => inner.start(coreHost),
    open(peer) {
      const opened = inner.open(peer);
      return isLater(opened) ? opened.then((session) => wrap(session, peer)) : wrap(opened, peer);
    },
    stop() {
      clearInterval(sweeping);
      endings?.endAll();
      return inner.stop();
    },
  };
  return { core, presences };
}
