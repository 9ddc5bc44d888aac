import { types } from 'node:util';
import { LocalError } from '../base/local-error.ts';
import { styleFor } from '../base/style.ts';
import type { AnswerOf, ArgumentsOf, Operations } from '../control/generated.ts';
import { describedLine } from '../journal/describe.ts';
import type { EntryKind, JournalEntry } from '../journal/entry.ts';
import type { JournalPage } from '../journal/journal.ts';
import { silentLogger } from '../server/options.ts';
import { type Call, callsIn, valueIn, type What } from './calls.ts';
import { type Expectation, expectation } from './expectation.ts';
import { type TestFaults, testFaults } from './faults.ts';
import { checkOptions, quoted } from './options.ts';
import { bridgeVariables, startPrivateBridge } from './private-bridge.ts';
import { type TestUsers, testUsers } from './users.ts';
import { type WaitOptions, waitForCall, waitForEntry } from './wait-for.ts';

/** How to start an emulator for a test. */
export interface StartEmulatorOptions {
  /** Path of a fixture file, or an object as such a file holds; the built-in fixture without it. */
  readonly fixture?: string | Readonly<Record<string, unknown>>;
  /** Effect of AUTHORIZE: default `allow`; `ask` waits for `requests.approve`. */
  readonly consent?: 'ask' | 'allow' | 'deny';
}

/** A connected app, and the activity it has set. */
export interface ShownActivity {
  readonly session: string;
  readonly clientId: string;
  /** As a chat client renders it; null before the first one and after it was cleared. */
  readonly activity: Readonly<Record<string, unknown>> | null;
}

/** A defect of an activity that the real client accepts nevertheless. */
export interface ActivityDoubt {
  readonly session: string;
  readonly clientId: string;
  /** Such as `activity.party.size`. */
  readonly field: string;
  readonly reason: string;
}

/** A public feature of the platform that the emulator does not offer: an operation, or a field of a request. */
export interface MissingFeature {
  /** Such as `GET /applications/{application_id}/commands (list_application_commands)`. */
  readonly what: string;
  /** Number of requests for it. */
  readonly times: number;
}

/**
 * The time of an emulator. Each call resolves once everything that was due on the way has happened; returns the
 * time it then has.
 */
export interface TestClock {
  now(): Promise<Date>;
  /** To a time; when it is set back, pending timers retain the time they had left. */
  set(time: Date): Promise<Date>;
  /** By a duration such as `2h`, `1d12h` or `500ms`. */
  advance(by: string): Promise<Date>;
  /** Stops the time until it is moved. */
  freeze(): Promise<Date>;
  /** Continues from the current time. */
  run(): Promise<Date>;
  /** Follows the machine's time again. */
  reset(): Promise<Date>;
}

/** An entry of the bridge's traffic; where it is a JSON text, `payload` is its value. */
export type PassedEntry = JournalEntry & { readonly payload?: unknown };

/** A private emulator, in this process. */
export interface TestEmulator extends AsyncDisposable {
  /** Environment variables by which a program finds the emulator; spread it over `process.env`. */
  readonly env: Readonly<Record<string, string>>;
  /** Temporary folder (mode 0700), removed by `close`. */
  readonly folder: string;
  /** Path of the socket or pipe. */
  readonly endpoint: string;
  /** Base URL of the token endpoint, such as `http://127.0.0.1:4000/api`. */
  readonly api: string;
  /** Address of the WebSocket, such as `ws://127.0.0.1:4001`. */
  readonly ws: string;
  readonly operations: {
    /**
     * Runs an operation, such as `voice.set` with `{key: 'mute', value: true}`. Throws an Error with `code` and
     * `message`, FOOTBRIDGE_CLOSED after `close`.
     */
    call<Name extends keyof Operations>(name: Name, ...args: ArgumentsOf<Name>): Promise<AnswerOf<Name>>;
  };
  /** Traffic so far, oldest first, without secrets: at most the last 5,000 entries, 8 MiB. */
  journal(which?: {
    readonly session?: string;
    readonly kinds?: readonly EntryKind[];
  }): readonly PassedEntry[];
  /**
   * Assertions on a command such as `GET_GUILDS`, or on a route such as `GET /users/{id}`:
   * `await bridge.expect('GET_GUILDS').toHaveBeenCalledTimes(1)`. Throws FOOTBRIDGE_ARGUMENTS for what is neither;
   * assertions on a route that the platform does not have and that was never requested reject with it.
   */
  expect(what: What): Expectation;
  /**
   * Waits for a command, for a route, or for an entry for which a function returns true; earlier calls and entries
   * count. Throws FOOTBRIDGE_TIMEOUT with the traffic that came instead.
   */
  waitFor(what: What, options?: WaitOptions): Promise<Call>;
  waitFor(is: (entry: JournalEntry) => boolean, options?: WaitOptions): Promise<JournalEntry>;
  /** All traffic so far as readable lines, in order: requests, answers, events, errors, HTTP, faults. */
  transcript(): string;
  readonly users: TestUsers;
  /** Bans a user from the platform, by id or user name: every link of that user ends. Until a time, or for good. */
  ban(user: string, until?: Date): Promise<void>;
  /** Lifts the ban; no link is restored automatically. */
  unban(user: string): Promise<void>;
  /** Injected faults. */
  readonly faults: TestFaults;
  /** The time of the emulator, for all of its timers. */
  readonly clock: TestClock;
  /**
   * Moves every timeout of the emulator at once, by a duration such as `3m`, and resolves once everything that was due
   * on the way has happened; returns the time its clock then has. Unlike `clock.advance`, this also covers timeouts
   * that use the machine's time: addresses that sign in, signed-in browsers, open pages. Throws FOOTBRIDGE_SETTING for
   * an invalid duration.
   */
  advance(by: string): Promise<Date>;
  /**
   * Ends the bridge as a kill does for its clients (every connection is cut, without a CLOSE frame), and starts it
   * again at the same addresses, with the same world, clock, grants and tokens. Connections, requests that waited for
   * the user, and the counts of `doubts` and `missing` are lost. Operations that are called meanwhile wait for it.
   * Where it cannot start again the emulator is closed, and this throws the reason.
   */
  restart(): Promise<void>;
  /**
   * Every connected app with its activity, in the order in which they connected; without secrets, as other users
   * see it.
   */
  activities(): Promise<readonly ShownActivity[]>;
  /**
   * Activity of an application, by id or exact name; null while it has none. Of several sessions the last with an
   * activity counts. Throws FOOTBRIDGE_ARGUMENTS for a name that no application has.
   */
  presence(app: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Defects of activities so far; a fixture must set `activity_rules = "warn"` or `"refuse"` to collect them. */
  doubts(): Promise<readonly ActivityDoubt[]>;
  /** HTTP requests so far for features that are not offered; each such request was answered 501. */
  missing(): Promise<readonly MissingFeature[]>;
  /** Ends every session and removes the folder. May be called more than once. */
  close(): Promise<void>;
}

/**
 * Starts a private emulator that lives until the test closes it: no daemon, no configuration, nothing stored. It works
 * in worker threads too. Throws an Error with a `FOOTBRIDGE_…` code: FOOTBRIDGE_OPTIONS names an option that is wrong,
 * FOOTBRIDGE_FIXTURE the error in a fixture.
 */
export async function startEmulator(options?: StartEmulatorOptions): Promise<TestEmulator> {
  const { fixture, consent } = checkOptions(options);
  const bridge = await startPrivateBridge({ fixture, consent, logger: silentLogger });
  const { folder, endpoint, api, ws } = bridge;
  const close = (): Promise<void> => bridge.close();
  const call = async (name: string, args: object = {}): Promise<unknown> => {
    if (typeof name !== 'string') {
      throw new LocalError(
        'FOOTBRIDGE_ARGUMENTS',
        `operations.call: the name must be a text, not ${quoted(name)}.`,
      );
    }
    return bridge.call(name, args);
  };
  const time = async (name: string, args?: object): Promise<Date> => timeIn(await call(name, args));
  const show = async (): Promise<ClockState> => (await call('emulator.show')) as ClockState;
  const { journal } = bridge;
  const entries = (): readonly JournalEntry[] => journal.read().entries;
  return {
    env: bridgeVariables(process.env, bridge),
    folder,
    endpoint,
    api,
    ws,
    journal: (which = {}) => journal.read(which).entries.map(withPayload),
    expect: (what) => expectation(what, () => callsIn(entries())),
    waitFor: ((what: What | ((entry: JournalEntry) => boolean), options?: WaitOptions) =>
      typeof what === 'function'
        ? waitForEntry(journal, what, options)
        : waitForCall(journal, what, options)) as TestEmulator['waitFor'],
    transcript: () => transcriptOf(journal.read()),
    users: testUsers(call),
    ban: async (user, until) =>
      void (await call('user.ban', { user, ...(until === undefined ? {} : { until: isoOf(until) }) })),
    unban: async (user) => void (await call('user.unban', { user })),
    faults: testFaults(call),
    clock: {
      now: () => time('clock.now'),
      set: (to) => time('clock.set', { to: isoOf(to) }),
      advance: (by) => time('clock.advance', { by }),
      freeze: () => time('clock.freeze'),
      run: () => time('clock.run'),
      reset: () => time('clock.reset'),
    },
    operations: {
      call: async (name, ...args) => (await call(name, ...args)) as AnswerOf<typeof name>,
    },
    activities: async () => (await show()).activities,
    presence: async (app) => presenceOf(await show(), app),
    advance: async (by) => timeIn(await bridge.advance(by)),
    restart: () => bridge.restart(),
    doubts: async () => (await call('activity.doubts')) as readonly ActivityDoubt[],
    missing: async () => (await call('emulator.missing')) as readonly MissingFeature[],
    close,
    [Symbol.asyncDispose]: close,
  };
}

function withPayload(entry: JournalEntry): PassedEntry {
  return 'text' in entry ? { ...entry, payload: valueIn(entry.text) } : entry;
}

function transcriptOf({ entries, dropped }: JournalPage): string {
  const plain = styleFor(false);
  const lines = entries.map((entry) => describedLine(entry, plain));
  return `${dropped > 0 ? `… ${dropped} entries before\n` : ''}${lines.join('')}`;
}

function timeIn(clockState: unknown): Date {
  return new Date((clockState as { readonly now: string }).now);
}

function isoOf(time: unknown): string {
  // Also a date of another realm, as in test runners.
  if (types.isDate(time) && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new LocalError('FOOTBRIDGE_ARGUMENTS', `The time must be a valid Date, not ${quoted(time)}.`);
}

/** The part of `emulator.show` that is read here. */
interface ClockState {
  readonly applications: readonly { readonly id: string; readonly name: string }[];
  readonly activities: readonly ShownActivity[];
}

function presenceOf(state: ClockState, app: string): ShownActivity['activity'] {
  const id = state.applications.find((one) => one.id === app || one.name === app)?.id;
  // An application without a row in the fixture is known by its id alone.
  if (id === undefined && !(typeof app === 'string' && /^\d+$/.test(app))) {
    throw new LocalError(
      'FOOTBRIDGE_ARGUMENTS',
      `presence: there is no application ${quoted(app)}; give its id as text, or its exact name.`,
    );
  }
  const own = state.activities.filter(({ clientId }) => clientId === (id ?? app));
  return own.findLast(({ activity }) => activity !== null)?.activity ?? null;
}
