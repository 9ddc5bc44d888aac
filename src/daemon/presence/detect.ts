import type { ProcessFacts, RunningProcesses } from '../../../platform/process/running-processes.ts';
import { isLocalError, messageOf } from '../../base/local-error.ts';
import type { Detectable, Detectables } from '../../presence/detectables.ts';
import type { Logger } from '../../server/options.ts';
import { isCloseError } from '../../wire/close-error.ts';
import type { OwnApp } from './own-apps.ts';

/** A game that runs. */
export interface DetectedGame {
  readonly application: Detectable;
  readonly pid: number;
  /** Time of its start (ms since the Unix epoch). */
  readonly startedAt: number;
}

/** Services that the detection of games needs. */
export interface DetectorOptions {
  readonly processes: RunningProcesses;
  readonly logger: Logger;
  /** Shows the presence of a game. Rejects where the core refuses. */
  show(game: DetectedGame): Promise<OwnApp>;
}

/** Interval of the checks (ms). */
const CHECK_MS = 1000;
/** Longest time without a search for games (ms). */
const MAX_PAUSE_MS = 30_000;
/** Share of the time that searches may take: 0.3 % of a core, and checks for ends come on top. */
const BUDGET = 0.003;
/** Maximum number of processes that one search reads, so that apps do not wait for it. */
const MAX_READS = 64;
/** Number of checks in which a new process is read: a launcher becomes the game some time after its start. */
const YOUNG_CHECKS = 10;
/** Time after which a presence that the core refused is tried again (ms). */
const RETRY_MS = 5000;

interface Game extends DetectedGame {
  readonly facts: ProcessFacts;
  readonly mark: string;
}

type View =
  | { readonly kind: 'opening' | 'unknown' }
  | { readonly kind: 'failed'; readonly retryAt: number }
  | { readonly kind: 'shown'; readonly pid: number; readonly app: OwnApp };

/** Shows the presence of running games that are in a list, one for each application. */
export class Detector {
  readonly #options: DetectorOptions;
  #detectables: Detectables | undefined;
  /** Processes that were read, with the number of checks that read them again. */
  #read = new Map<number, number>();
  /** True once every process has been read. */
  #isComplete = false;
  readonly #games = new Map<number, Game>();
  /** By application. */
  readonly #views = new Map<string, View>();
  /** Applications whose refusal is in the log. */
  readonly #logged = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** Time of the next search (ms of the process's clock). */
  #nextFind = 0;

  constructor(options: DetectorOptions) {
    this.#options = options;
  }

  /** Name of an application that runs. */
  nameOf(id: string): string | undefined {
    for (const { application } of this.#games.values()) if (application.id === id) return application.name;
    return undefined;
  }

  /** Replaces the list; undefined ends the detection. */
  apply(detectables: Detectables | undefined): void {
    clearTimeout(this.#timer);
    this.#detectables = detectables;
    this.#read = new Map();
    this.#isComplete = false;
    this.#nextFind = 0;
    this.#logged.clear();
    for (const [id, view] of this.#views) if (view.kind === 'unknown') this.#views.delete(id);
    for (const [pid, { facts, application }] of this.#games) {
      const found = detectables?.match(facts);
      if (found?.id !== application.id || found.name !== application.name) this.#games.delete(pid);
    }
    if (detectables === undefined) this.#settle();
    else this.#check();
  }

  close(): void {
    this.apply(undefined);
  }

  /** Ends games that have ended, and looks for others where the budget allows. */
  #check(): void {
    const { processes } = this.#options;
    for (const [pid, { mark }] of this.#games) {
      if (processes.startOf(pid)?.mark !== mark) this.#games.delete(pid);
    }
    const begun = performance.now();
    if (begun >= this.#nextFind) {
      const before = process.cpuUsage();
      this.#find();
      const { user, system } = process.cpuUsage(before);
      // The first pass over all processes costs once, and finds the games that run already.
      if (this.#isComplete) this.#nextFind = begun + Math.min((user + system) / 1000 / BUDGET, MAX_PAUSE_MS);
    }
    this.#settle();
    this.#timer = setTimeout(() => this.#check(), CHECK_MS).unref();
  }

  #find(): void {
    const { processes } = this.#options;
    const pids = processes.pids();
    const read = new Map<number, number>();
    let left = MAX_READS;
    for (const pid of pids) {
      const again = this.#read.get(pid);
      if (again === 0 || left === 0) {
        if (again !== undefined) read.set(pid, again);
        continue;
      }
      left -= 1;
      // What runs already when the detection begins is no launcher that is about to become a game.
      read.set(pid, again === undefined ? (this.#isComplete ? YOUNG_CHECKS : 0) : again - 1);
      this.#examine(pid);
    }
    this.#read = read;
    this.#isComplete ||= left > 0;
  }

  #examine(pid: number): void {
    const { processes } = this.#options;
    const facts = processes.factsOf(pid);
    const application = facts && this.#detectables?.match(facts);
    const start = application && processes.startOf(pid);
    if (facts === undefined || application === undefined || start === undefined) this.#games.delete(pid);
    else this.#games.set(pid, { application, pid, facts, mark: start.mark, startedAt: start.at });
  }

  /** Shows each application that runs, and ends what no longer does. */
  #settle(): void {
    const wanted = new Map<string, Game>();
    for (const game of this.#games.values()) {
      const { id } = game.application;
      const view = this.#views.get(id);
      const shown = view?.kind === 'shown' ? view.pid : undefined;
      const other = wanted.get(id);
      // The process that is shown stays while it runs; otherwise the oldest one, from which the others come.
      const isFirst = other === undefined || (other.pid !== shown && game.startedAt < other.startedAt);
      if (isFirst || game.pid === shown) wanted.set(id, game);
    }
    for (const [id, view] of this.#views) {
      const pid = wanted.get(id)?.pid;
      if (view.kind === 'shown' && view.pid !== pid) {
        view.app.close();
        this.#views.delete(id);
      } else if (view.kind === 'failed' && (pid === undefined || view.retryAt <= performance.now())) {
        this.#views.delete(id);
      }
    }
    for (const [id, game] of wanted) if (!this.#views.has(id)) void this.#show(id, game);
  }

  async #show(id: string, game: Game): Promise<void> {
    this.#views.set(id, { kind: 'opening' });
    try {
      const app = await this.#options.show(game);
      this.#views.set(id, { kind: 'shown', pid: game.pid, app });
      // The game may have ended meanwhile.
      if (this.#games.get(game.pid)?.mark !== game.mark) this.#settle();
    } catch (error) {
      const isUnknown = isLocalError(error) && isCloseError(error.cause);
      this.#views.set(
        id,
        isUnknown ? { kind: 'unknown' } : { kind: 'failed', retryAt: performance.now() + RETRY_MS },
      );
      if (this.#logged.has(id)) return;
      this.#logged.add(id);
      this.#options.logger.warn({ reason: messageOf(error) }, 'a detected game is not shown');
    }
  }
}
