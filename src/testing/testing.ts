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
  /** What happens on AUTHORIZE: `allow` unless given; `ask` waits for `requests.approve`. */
  readonly consent?: 'ask' | 'allow' | 'deny';
}

/** A connected app, and the activity it has set. */
export interface ShownActivity {
  readonly session: string;
  readonly clientId: string;
  /** As a chat client shows it; null before there is one and after it was cleared. */
  readonly activity: Readonly<Record<string, unknown>> | null;
}

/** What speaks against an activity that the real client takes nevertheless. */
export interface ActivityDoubt {
  readonly session: string;
  readonly clientId: string;
  /** Such as `activity.party.size`. */
  readonly field: string;
  readonly reason: string;
}

/** Something public that the platform has and the emulator does not offer: an operation, or a field of a request. */
export interface MissingFeature {
  /** Such as `GET /applications/{application_id}/commands (list_application_commands)`. */
  readonly what: string;
  /** How often it was asked for. */
  readonly times: number;
}

/** The time of an emulator. Each call resolves once all that was due on the way has happened; answers what it shows then. */
export interface TestClock {
  now(): Promise<Date>;
  /** To a time; set back, what waits goes on waiting as long as it had left. */
  set(time: Date): Promise<Date>;
  /** By a duration such as `2h`, `1d12h` or `500ms`. */
  advance(by: string): Promise<Date>;
  /** Stands until it is moved. */
  freeze(): Promise<Date>;
  /** Goes on from where it stands. */
  run(): Promise<Date>;
  /** Goes by the machine's time again. */
  reset(): Promise<Date>;
}

/** Something that passed the bridge; where it is a text of JSON, `payload` is what that stands for. */
export type PassedEntry = JournalEntry & { readonly payload?: unknown };

/** A private emulator, in this process. */
export interface TestEmulator extends AsyncDisposable {
  /** What a program needs in its environment to find the emulator; spread it over `process.env`. */
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
  /** What passed so far, oldest first, without secrets: at most the last 5,000 entries, 8 MiB. */
  journal(which?: {
    readonly session?: string;
    readonly kinds?: readonly EntryKind[];
  }): readonly PassedEntry[];
  /**
   * Says things of a command such as `GET_GUILDS`, or of a route such as `GET /users/{id}`: `await
   * bridge.expect('GET_GUILDS').toHaveBeenCalledTimes(1)`. Throws FOOTBRIDGE_ARGUMENTS for what is neither; what is said of
   * a route that the platform has not, and that nobody asked for, rejects with it.
   */
  expect(what: What): Expectation;
  /**
   * Waits for a command, for a route, or for an entry of which a function says yes; what is there already counts. Throws
   * FOOTBRIDGE_TIMEOUT with what came instead.
   */
  waitFor(what: What, options?: WaitOptions): Promise<Call>;
  waitFor(is: (entry: JournalEntry) => boolean, options?: WaitOptions): Promise<JournalEntry>;
  /** Everything that passed so far as lines for people, in order: requests, answers, events, errors, HTTP, faults. */
  transcript(): string;
  readonly users: TestUsers;
  /** Bans a user from the platform, by id or user name: every link of theirs ends. Until a time, or for good. */
  ban(user: string, until?: Date): Promise<void>;
  /** Lifts the ban; no link comes back by itself. */
  unban(user: string): Promise<void>;
  /** What goes wrong on purpose. */
  readonly faults: TestFaults;
  /** The time of the emulator, which everything in it goes by. */
  readonly clock: TestClock;
  /**
   * Moves every timeout of the emulator at once, by a duration such as `3m`, and resolves once all that was due on the way has
   * happened; answers what its clock shows then. Unlike `clock.advance`, this holds also for what goes by the machine's
   * time: addresses that sign in, signed-in browsers, open pages. Throws FOOTBRIDGE_SETTING for what is no duration.
   */
  advance(by: string): Promise<Date>;
  /**
   * Ends the bridge as a kill does for whoever is connected (every connection is cut, without a goodbye), and starts it again
   * at the same addresses, with the same world, clock, grants and tokens. Connections, what waited for a person, and what
   * `doubts` and `missing` have counted are lost. Operations that are called meanwhile wait for it. Where it cannot start again
   * the emulator is closed, and this throws why.
   */
  restart(): Promise<void>;
  /** Every connected app and what it shows, in the order in which they came; without secrets, as others see it. */
  activities(): Promise<readonly ShownActivity[]>;
  /**
   * What an application shows, by id or exact name; null while it shows nothing. Of several sessions the last that
   * shows something counts. Throws FOOTBRIDGE_ARGUMENTS for a name that no application has.
   */
  presence(app: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** What spoke against activities so far; a fixture with `activity_rules = "warn"` or `"refuse"` wants it told. */
  doubts(): Promise<readonly ActivityDoubt[]>;
  /** What was asked for over HTTP so far and is not offered; each such request was answered 501. */
  missing(): Promise<readonly MissingFeature[]>;
  /** Ends every session and removes the folder. May be called more than once. */
  close(): Promise<void>;
}

/**
 * Starts a private emulator that lives as long as the test wants: no daemon, no configuration, nothing kept. It works
 * in worker threads too. Throws an Error with a `FOOTBRIDGE_…` code: FOOTBRIDGE_OPTIONS names an option that is wrong,
 * FOOTBRIDGE_FIXTURE what is wrong in a fixture.
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
  // Also one of another realm, as test runners have them.
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
  // An application that nobody has written down is known by its id alone.
  if (id === undefined && !(typeof app === 'string' && /^\d+$/.test(app))) {
    throw new LocalError(
      'FOOTBRIDGE_ARGUMENTS',
      `presence: there is no application ${quoted(app)}; give its id as text, or its exact name.`,
    );
  }
  const own = state.activities.filter(({ clientId }) => clientId === (id ?? app));
  return own.findLast(({ activity }) => activity !== null)?.activity ?? null;
}
