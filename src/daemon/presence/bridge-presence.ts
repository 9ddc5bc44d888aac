import { basename } from 'node:path';
import { isAlive, programOf } from '../../../platform/process/program.ts';
import { runningProcesses } from '../../../platform/process/running-processes.ts';
import { loginSession } from '../../../platform/session/login-session.ts';
import { LocalError, messageOf } from '../../base/local-error.ts';
import { type Stored, storedOf } from '../../base/saves.ts';
import type { ClientCore } from '../../core/core.ts';
import { presenceCore } from '../../core/presence/presence-core.ts';
import { parseDuration } from '../../emulator/kernel/time-text.ts';
import type { Presences } from '../../presence/presences.ts';
import type { RuleSet } from '../../presence/rule.ts';
import type { PeerCredentials } from '../../wire/connection.ts';
import type { Settings } from '../config/settings.ts';
import type { CoreOptions } from '../core-options.ts';
import { Away } from './away.ts';
import { type ChoiceStore, choiceStore, type HeldPresence } from './choices.ts';
import { type DetectedGame, Detector } from './detect.ts';
import { readDetectables } from './detect-file.ts';
import { type OwnApp, showActivity } from './own-apps.ts';

/** Parts of the bridge that presence needs. */
export interface BridgePresenceOptions
  extends Pick<CoreOptions, 'data' | 'os' | 'env' | 'logger' | 'stateFiles'> {
  readonly core: ClientCore;
  readonly applicationName: ((clientId: string) => string | undefined) | undefined;
  readonly rules: RuleSet;
  readonly shown: 'all' | 'one';
  readonly presenceAway: Settings['presenceAway'];
  /** Reads the rules of the configuration again; absent for a bridge without a configuration file. */
  readonly loadRules?: (() => Promise<RuleSet>) | undefined;
}

/** Time after which a held presence that the core did not take is tried again (ms). */
const RETRY_MS = 5000;
/** Maximum number of presences that the operator may show at a time. */
const MAX_OWN = 64;
/** Maximum length of a name of an application (UTF-16 units). */
const MAX_NAME = 128;
const LINUX_ONLY = 'detect: games are detected on Linux only. Remove the setting.';
/** Longest delay of a timer (ms). */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Presence of a running bridge: rules, pauses and the operator's own presences. */
export class BridgePresence {
  /** The bridge's core behind the rules. */
  readonly core: ClientCore;
  readonly presences: Presences;
  readonly #options: BridgePresenceOptions;
  readonly #choices: ChoiceStore;
  readonly #away: Away;
  readonly #detector: Detector | undefined;
  #detectProblem: string | undefined;
  /** All of the operator's own apps, of which some are held by their application. */
  readonly #own = new Set<OwnApp>();
  readonly #held = new Map<string, { readonly app: OwnApp; timer: NodeJS.Timeout | undefined }>();
  #opened = 0;
  #resuming: NodeJS.Timeout | undefined;
  #retrying: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: BridgePresenceOptions) {
    this.#options = options;
    this.#choices = choiceStore(options);
    const { core, shown, rules } = options;
    const wrapped = presenceCore(core, {
      shown,
      applicationName: (clientId) => this.applicationName(clientId),
      named: (clientId, name) => this.#named(clientId, name),
      programs: programNames,
      // The emulator is for tests, which look at each change.
      holdsEnds: core.name !== 'emulator',
      isAlive,
    });
    this.core = wrapped.core;
    this.presences = wrapped.presences;
    this.presences.setRules(rules);
    const { paused } = this.#choices.current;
    if (paused !== undefined) this.presences.pause(paused);
    this.#away = new Away({
      session: loginSession(options.os.name, options.env),
      logger: options.logger,
      setAway: (isAway) => this.presences.setAway(isAway),
      now: Date.now,
    });
    if (options.presenceAway !== 'off') this.#away.assume();
    const processes = runningProcesses(options.os.uid);
    this.#detector =
      processes &&
      new Detector({ processes, logger: options.logger, show: (game) => this.#showDetected(game) });
  }

  /** Name of an application, from the core or from what a chat client said of it. */
  applicationName(clientId: string): string | undefined {
    const { names } = this.#choices.current;
    return (
      this.#options.applicationName?.(clientId) ??
      (Object.hasOwn(names, clientId) ? names[clientId] : undefined) ??
      this.#detector?.nameOf(clientId)
    );
  }

  /** Settings that have no effect, each with the reason in one line. */
  get problems(): readonly string[] {
    return [this.#away.problem, this.#detectProblem].filter((problem) => problem !== undefined);
  }

  /** Hides presence while the user is away, as the setting says. */
  applyAway(presenceAway: Settings['presenceAway']): void {
    this.#away.apply(presenceAway === 'off' ? undefined : parseDuration(presenceAway));
  }

  /**
   * Reads the list of detectable applications and returns a function that applies it. Rejects with the mistake, which
   * changes nothing.
   */
  async readDetect(path: Settings['detect']): Promise<() => void> {
    const detector = this.#detector;
    if (detector === undefined) return () => this.#setDetectProblem(path === null ? undefined : LINUX_ONLY);
    const detectables = path === null ? undefined : await readDetectables(path);
    return () => {
      this.#setDetectProblem(undefined);
      if (!this.#isClosed) detector.apply(detectables);
    };
  }

  /** Begins to detect games. A list that cannot be read must not keep apps from their bridge, so it is only logged. */
  async #startDetection(path: Settings['detect']): Promise<void> {
    try {
      const apply = await this.readDetect(path);
      apply();
    } catch (error) {
      this.#setDetectProblem(messageOf(error));
    }
  }

  #setDetectProblem(reason: string | undefined): void {
    if (reason !== undefined && reason !== this.#detectProblem)
      this.#options.logger.error({ reason }, 'games are not detected');
    this.#detectProblem = reason;
  }

  /** Restores pause and held presences of earlier runs, and applies the settings; call it once the core has started. */
  start({ presenceAway, detect }: Pick<Settings, 'presenceAway' | 'detect'>): void {
    this.applyAway(presenceAway);
    void this.#startDetection(detect);
    const { paused } = this.#choices.current;
    if (paused !== undefined) this.#setPause(paused);
    void this.#showHeld();
  }

  /** Reads the rules of the configuration again. Rejects with the mistake, which changes nothing. */
  async reload(): Promise<void> {
    const { loadRules } = this.#options;
    if (loadRules !== undefined) this.presences.setRules(await loadRules());
  }

  /** Hides every presence until a time (ms since the Unix epoch), null until {@link resume}. */
  pause(until: number | null): Stored {
    this.#setPause(until);
    return storedOf(this.#choices.change({ paused: until }));
  }

  /** Ends a pause. */
  resume(): Stored {
    clearTimeout(this.#resuming);
    this.presences.resume();
    return storedOf(this.#choices.change({ paused: undefined }));
  }

  /** Shows a presence of the operator's until `close`. Rejects with `LocalError` FOOTBRIDGE_PRESENCE. */
  show(clientId: string, activity: HeldPresence['activity']): Promise<OwnApp> {
    return this.#show(clientId, activity);
  }

  #showDetected({ application, pid, startedAt }: DetectedGame): Promise<OwnApp> {
    const { id, name } = application;
    const { uid = 0 } = this.#options.os;
    return this.#show(id, { name, timestamps: { start: startedAt } }, { pid, uid });
  }

  async #show(clientId: string, activity: HeldPresence['activity'], game?: PeerCredentials): Promise<OwnApp> {
    if (this.#own.size >= MAX_OWN)
      throw new LocalError(
        'FOOTBRIDGE_PRESENCE',
        `At most ${MAX_OWN} presences are shown. End one first: footbridge presence clear`,
      );
    this.#opened += 1;
    const sessionId = `presence-${this.#opened}`;
    const app = await showActivity(this.core, { sessionId, clientId, game }, activity);
    const one: OwnApp = {
      close: () => {
        if (this.#own.delete(one)) app.close();
      },
    };
    this.#own.add(one);
    if (this.#isClosed) one.close();
    return one;
  }

  /** Shows a presence that outlives the command and the bridge, until a time or {@link clear}. Rejects as `show`. */
  async hold(held: HeldPresence): Promise<Stored> {
    const app = await this.show(held.clientId, held.activity);
    this.#endHeld(held.clientId);
    this.#keep(held, app);
    const others = this.#choices.current.held.filter(({ clientId }) => clientId !== held.clientId);
    return storedOf(this.#choices.change({ held: [...others, held] }));
  }

  /** Ends the held presence of an application, or every one; returns their applications. */
  clear(clientId: string | undefined): Stored & { readonly cleared: readonly string[] } {
    const { held } = this.#choices.current;
    const ended = held.filter((one) => clientId === undefined || one.clientId === clientId);
    for (const one of ended) this.#endHeld(one.clientId);
    const result = this.#choices.change({ held: held.filter((one) => !ended.includes(one)) });
    return { ...storedOf(result), cleared: ended.map((one) => one.clientId) };
  }

  /** Ends the operator's presences; the held ones come back at the next start. */
  close(): void {
    this.#isClosed = true;
    this.#away.close();
    this.#detector?.close();
    clearTimeout(this.#resuming);
    clearTimeout(this.#retrying);
    for (const { timer } of this.#held.values()) clearTimeout(timer);
    for (const app of [...this.#own]) app.close();
  }

  #named(clientId: string, name: string): void {
    const { names } = this.#choices.current;
    // The longest name of an activity; a client may answer anything.
    const short = name.slice(0, MAX_NAME);
    if (Object.hasOwn(names, clientId) && names[clientId] === short) return;
    this.#choices.change({ names: { ...names, [clientId]: short } });
    this.presences.refresh();
  }

  #setPause(until: number | null): void {
    clearTimeout(this.#resuming);
    if (until === null) return this.presences.pause(null);
    const left = until - Date.now();
    if (left <= 0) return this.presences.resume();
    this.presences.pause(until);
    this.#resuming = setTimeout(() => this.#setPause(until), Math.min(left, MAX_DELAY_MS)).unref();
  }

  async #showHeld(): Promise<void> {
    let hasFailed = false;
    for (const held of this.#choices.current.held) {
      if (this.#isClosed) return;
      if (this.#held.has(held.clientId)) continue;
      if (held.until !== null && held.until <= Date.now()) {
        this.clear(held.clientId);
        continue;
      }
      try {
        this.#keep(held, await this.show(held.clientId, held.activity));
      } catch {
        hasFailed = true;
      }
    }
    if (hasFailed) this.#retrying = setTimeout(() => void this.#showHeld(), RETRY_MS).unref();
  }

  #keep(held: HeldPresence, app: OwnApp): void {
    const entry = { app, timer: undefined };
    this.#held.set(held.clientId, entry);
    if (held.until !== null) this.#endAt(held, held.until);
  }

  #endHeld(clientId: string): void {
    const held = this.#held.get(clientId);
    this.#held.delete(clientId);
    clearTimeout(held?.timer);
    held?.app.close();
  }

  #endAt(held: HeldPresence, until: number): void {
    const entry = this.#held.get(held.clientId);
    if (entry === undefined) return;
    const left = Math.max(0, until - Date.now());
    const end = left <= MAX_DELAY_MS ? () => void this.clear(held.clientId) : () => this.#endAt(held, until);
    entry.timer = setTimeout(end, Math.min(left, MAX_DELAY_MS)).unref();
  }
}

function programNames(pid: number): readonly string[] {
  const { name, exe } = programOf(pid) ?? {};
  return [...(name === undefined ? [] : [name]), ...(exe === undefined ? [] : [basename(exe), exe])];
}
