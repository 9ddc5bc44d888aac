import { types } from 'node:util';
import { LocalError } from '../base/local-error.ts';
import { bridgeVariables } from '../control/bridge-variables.ts';
import type { AnswerOf, ArgumentsOf, Operations } from '../control/generated.ts';
import type { Rule } from '../emulator/api/violations.ts';
import type { EntryKind, JournalEntry } from '../journal/entry.ts';
import { type TranscriptOptions, transcriptText } from '../journal/transcript.ts';
import type { ScenarioTree } from '../scenario/generated.ts';
import { silentLogger } from '../server/options.ts';
import { type Call, callsIn, valueIn, type What } from './calls.ts';
import { type Expectation, expectation } from './expectation.ts';
import { type TestFaults, testFaults } from './faults.ts';
import { checkOptions, checkWorldOptions, quoted, requireKnown } from './options.ts';
import type { PlayScenarioOptions } from './play.ts';
import { type PrivateBridge, type PrivateWorld, startPrivateBridge } from './private-bridge.ts';
import { type ReadyBridge, readyOf } from './ready.ts';
import type { BuiltScenario } from './scenario.ts';
import { type TestUsers, testUsers } from './users.ts';
import { type WaitOptions, waitForCall, waitForEntry } from './wait-for.ts';

/** Options of `startEmulator`. */
export interface StartEmulatorOptions {
  /**
   * Path of a fixture file, or an object with the contents of such a file; without this option, the built-in fixture.
   */
  readonly fixture?: string | Readonly<Record<string, unknown>>;
  /** Decision for AUTHORIZE: `allow` by default; `ask` waits for `requests.approve`. */
  readonly consent?: 'ask' | 'allow' | 'deny';
  /** Strict mode: `violations` lists what a bot did wrong; a fixture with `strict = true` has it, too. */
  readonly strict?: boolean;
}

export type { ReadyBridge, TranscriptOptions };

/** A connected app and its current activity. */
export interface ShownActivity {
  readonly session: string;
  readonly clientId: string;
  /** Activity as a chat client renders it; null before the first activity and after the activity was cleared. */
  readonly activity: Readonly<Record<string, unknown>> | null;
}

/** A defect of an activity that the real client nevertheless accepts. */
export interface ActivityDoubt {
  readonly session: string;
  readonly clientId: string;
  /** Path of the field, such as `activity.party.size`. */
  readonly field: string;
  readonly reason: string;
}

/** A public feature of the platform that the emulator does not implement: an operation, or a field of a request. */
export interface MissingFeature {
  /** Name of the feature, such as `GET /applications/{application_id}/commands (list_application_commands)`. */
  readonly what: string;
  /** Number of requests for it. */
  readonly times: number;
}

/** One breach of a rule of strict mode. */
export interface StrictViolation {
  /** Name of the rule, such as `unknown-field`; the guide "Strict mode" has all. */
  readonly rule: Rule;
  readonly what: string;
  /** A request such as `POST /channels/1/messages (create_message)`, or an interaction. */
  readonly where: string;
  /** Time of the emulator's clock, ISO 8601. */
  readonly at: string;
}

/**
 * Clock of an emulator. Each change of the time resolves when everything that became due has happened, and returns the
 * new time.
 */
export interface TestClock {
  now(): Promise<Date>;
  /** Sets the time. When it is set back, pending timers keep their remaining time. */
  set(time: Date): Promise<Date>;
  /** Advances the time by a duration such as `2h`, `1d12h` or `500ms`. */
  advance(by: string): Promise<Date>;
  /** Stops the time until it is changed or runs again. */
  freeze(): Promise<Date>;
  /** Lets the time run again from its current value. */
  run(): Promise<Date>;
  /** Makes the time equal to the machine's time again. */
  reset(): Promise<Date>;
}

/** How a message is drawn. */
export interface PictureOptions {
  /** Who sees it, by id or user name; default: the logged-in user. */
  readonly as?: string;
  /** `surface` (default): the whole message and nothing else; `viewport`: what a window of 600 pixels height shows. */
  readonly part?: 'surface' | 'viewport';
  readonly theme?: 'light' | 'dark';
  /** Width in pixels, 240 to 2,000; default 600. */
  readonly width?: number;
}

/** A journal entry of the bridge's traffic; `payload` is the parsed value of an entry with a JSON text. */
export type PassedEntry = JournalEntry & { readonly payload?: unknown };

/** How a reset is made. */
export interface ResetOptions {
  /** True to send bots, apps and webhooks an event for each difference; by default they are told nothing. */
  readonly events?: boolean;
}

/** What a private emulator and a world behind one have. */
export interface TestedEmulator extends AsyncDisposable {
  /** Environment variables with which a program finds the emulator; merge them into `process.env` of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder of the socket (mode 0700), removed by `close`. */
  readonly folder: string;
  /** Path of the socket or pipe. */
  readonly endpoint: string;
  /** Base URL of the token endpoint, such as `http://127.0.0.1:4000/api`, or `http://127.0.0.1:4000/w/NAME/api`. */
  readonly api: string;
  /** Makes the present state, and the clock, those that `reset` returns to; until then they are the fixture's. */
  seed(): Promise<void>;
  /**
   * Returns to the seed: state, clock and faults. Addresses, grants, tokens and connections stay. What passed before is
   * no longer in `journal`, `transcript`, `expect`, `waitFor` and `violations`.
   */
  reset(options?: ResetOptions): Promise<void>;
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
   * Returns assertions on a command such as `GET_GUILDS`, or on a route such as `GET /users/{id}`: `await
   * bridge.expect('GET_GUILDS').toHaveBeenCalledTimes(1)`. Throws FOOTBRIDGE_ARGUMENTS for a name that is neither. For
   * a route that the platform does not have and that was never requested, the assertions reject with
   * FOOTBRIDGE_ARGUMENTS.
   */
  expect(what: What): Expectation;
  /**
   * Waits for a command, for a route, or for an entry for which a function returns true; earlier calls and entries
   * count, too. Rejects with FOOTBRIDGE_TIMEOUT, which lists the traffic that came instead.
   */
  waitFor(what: What, options?: WaitOptions): Promise<Call>;
  waitFor(is: (entry: JournalEntry) => boolean, options?: WaitOptions): Promise<JournalEntry>;
  /**
   * The traffic so far as readable lines, in order: requests, answers, events, errors, HTTP, webhooks, faults, with the
   * times of the emulator's clock (UTC). By default all lines, or the last `lines`; with `full: false` heartbeats and
   * repetitions are folded, and the last 40 lines are there.
   */
  transcript(options?: TranscriptOptions): string;
  /**
   * Plays a scenario of `scenario()`, or one as a scenario file has it, with the bots that are connected and the world as it
   * is. Rejects with FOOTBRIDGE_SCENARIO, whose text is the report: the step in the test's own file, what was expected, what
   * came, and the traffic.
   */
  play(scenario: BuiltScenario | ScenarioTree, options?: PlayScenarioOptions): Promise<void>;
  readonly users: TestUsers;
  /**
   * Bans a user, by id or user name, from the platform, which ends the user's link with every application. The ban
   * lasts until a time, or without one permanently.
   */
  ban(user: string, until?: Date): Promise<void>;
  /** Lifts a ban; the links that it ended are not restored. */
  unban(user: string): Promise<void>;
  /** Injected faults. */
  readonly faults: TestFaults;
  /** Clock of the emulator, which all of its timers use. */
  readonly clock: TestClock;
  /**
   * Advances every timeout of the emulator by a duration such as `3m`. Resolves when everything that became due has
   * happened, and returns the new time of its clock. Unlike `clock.advance` it also advances timeouts that use the
   * machine's time: addresses that sign in, signed-in browsers, open pages. Throws FOOTBRIDGE_SETTING for an invalid
   * duration.
   */
  advance(by: string): Promise<Date>;
  /**
   * Every connected app with its activity, in the order in which the apps connected. Activities are as other users see
   * them, without secrets.
   */
  activities(): Promise<readonly ShownActivity[]>;
  /**
   * Returns the activity of an application, given by id or exact name; null when it has none. Of several sessions the
   * last one with an activity counts. Throws FOOTBRIDGE_ARGUMENTS for a name that no application has.
   */
  presence(app: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Defects of activities so far; a fixture must set `activity_rules = "warn"` or `"refuse"` to collect them. */
  doubts(): Promise<readonly ActivityDoubt[]>;
  /**
   * Draws a message, by its id, as a chat client does, and returns the bytes of a PNG. The same message has the same
   * bytes each time, with the same browser and fonts, while the emulator's clock stands still. The browser starts with the
   * first picture and ends with the bridge. Throws FOOTBRIDGE_NO_CHROMIUM where no Chromium, Chrome or Edge is found.
   */
  picture(message: string, options?: PictureOptions): Promise<Uint8Array>;
  /** HTTP requests so far for features that the emulator does not implement; each such request was answered 501. */
  missing(): Promise<readonly MissingFeature[]>;
  /**
   * Violations of strict mode so far, oldest first; empty while the mode is off. A 4xx counts as handled where a fault
   * answered, for 429, and on a route of which a test asserts `expect(route).toHaveFailed()`; `emulator.allow` allows
   * others.
   */
  violations(): Promise<readonly StrictViolation[]>;
  /** Ends every session and removes the folder. May be called more than once. */
  close(): Promise<void>;
}

/** A private emulator, in this process. */
export interface TestEmulator extends TestedEmulator {
  /** Address of the WebSocket, such as `ws://127.0.0.1:4001`. */
  readonly ws: string;
  /**
   * Addresses and the tokens of bots, for a program that cannot have {@link env}: print it as one line of JSON, as
   * `footbridge emulate --ready` does.
   */
  ready(): Promise<ReadyBridge>;
  /**
   * Makes a world: an emulator of its own behind the same port, with its own users, tokens, clock, faults and journal,
   * in a hundredth of the time of another `startEmulator`. Without a name the bridge chooses one. The world ends with
   * its `close`, with the bridge, and at a `restart`. Throws FOOTBRIDGE_WORLD for a name that is taken or invalid.
   */
  world(options?: WorldOptions): Promise<TestWorld>;
  /**
   * Ends the bridge in a way that its clients see as a kill (every connection is cut, without a CLOSE frame), and
   * starts it again at the same addresses, with the same world, clock, grants and tokens. Connections, requests that
   * wait for the user, and the results of `doubts` and `missing` are lost. Operations that are called during the
   * restart wait for its end. When the start fails, the emulator is closed and the promise rejects with the reason.
   */
  restart(): Promise<void>;
}

/** Options of a world; its consent is that of the bridge unless it is given. */
export interface WorldOptions extends StartEmulatorOptions {
  /** 1 to 32 small letters, digits and `-`, such as `checkout`. */
  readonly name?: string;
}

/** A world behind a private emulator. */
export interface TestWorld extends TestedEmulator {
  readonly name: string;
  /**
   * Applications of the fixture, each with the token of its bot. The token leads requests to the world even at the
   * address of the bridge.
   */
  readonly bots: readonly { readonly application: string; readonly name: string; readonly token: string }[];
}

/**
 * Starts a private emulator that runs until the test closes it, without a daemon, a configuration or stored files. It
 * also works in worker threads. Throws an Error with a `FOOTBRIDGE_…` code: FOOTBRIDGE_OPTIONS names an invalid option,
 * FOOTBRIDGE_FIXTURE the error in a fixture.
 */
export async function startEmulator(options?: StartEmulatorOptions): Promise<TestEmulator> {
  const { fixture, consent, strict } = checkOptions(options);
  const bridge = await startPrivateBridge({ fixture, consent, strict, logger: silentLogger });
  return {
    ...membersOf(bridge),
    ws: bridge.ws,
    ready: () => readyOf(bridge, process.env),
    restart: () => bridge.restart(),
    world: async (wanted) => {
      const setting = checkWorldOptions(wanted);
      const world = await bridge.addWorld(setting);
      const { name, bots } = world;
      return { ...membersOf(world), name, bots };
    },
  };
}

/** The members that are the same for a bridge and for a world behind it. */
function membersOf(bridge: PrivateBridge | PrivateWorld): TestedEmulator {
  const { folder, endpoint, api, journal } = bridge;
  /** Number of the journal's last entry at the last reset. */
  let begun = 0;
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
  const fetchState = async (): Promise<ClockState> => (await call('emulator.show')) as ClockState;
  const entries = (): readonly JournalEntry[] => journal.read({ after: begun }).entries;
  return {
    env: bridgeVariables(process.env, { ...bridge, world: 'name' in bridge ? bridge.name : undefined }),
    folder,
    endpoint,
    api,
    seed: async () => void (await call('emulator.seed')),
    reset: async (options = {}) => {
      requireKnown('reset', options, ['events'] satisfies (keyof ResetOptions)[]);
      await call('emulator.reset', { quiet: options.events !== true, whole: true });
      begun = journal.last;
    },
    journal: (which = {}) => journal.read({ after: begun, ...which }).entries.map(withPayload),
    expect: (what) =>
      expectation(
        what,
        () => callsIn(entries()),
        (place) => bridge.allow('unhandled-refusal', place),
      ),
    waitFor: ((what: What | ((entry: JournalEntry) => boolean), options?: WaitOptions) =>
      typeof what === 'function'
        ? waitForEntry(journal, what, { since: begun, ...options })
        : waitForCall(journal, what, { since: begun, ...options })) as TestEmulator['waitFor'],
    transcript: (options = {}) => {
      requireKnown('transcript', options, ['full', 'lines'] satisfies (keyof TranscriptOptions)[]);
      return transcriptText(journal.read({ after: begun }), { full: true, ...options });
    },
    play: async (scenario, options) => {
      const { playBuilt } = await import('./play.ts');
      await playBuilt({ call }, scenario, options);
    },
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
    activities: async () => (await fetchState()).activities,
    presence: async (app) => presenceOf(await fetchState(), app),
    advance: async (by) => timeIn(await bridge.advance(by)),
    doubts: async () => (await call('activity.doubts')) as readonly ActivityDoubt[],
    picture: async (message, { as: user, ...others } = {}) => {
      requireKnown('picture', others, ['as', 'part', 'theme', 'width'] satisfies (keyof PictureOptions)[]);
      const args = { message, ...others, ...(user === undefined ? {} : { user }) };
      const { png } = (await call('message.picture', args)) as { readonly png: string };
      return new Uint8Array(Buffer.from(png, 'base64'));
    },
    violations: () => bridge.violations(),
    missing: async () => (await call('emulator.missing')) as readonly MissingFeature[],
    close,
    [Symbol.asyncDispose]: close,
  };
}

function withPayload(entry: JournalEntry): PassedEntry {
  return 'text' in entry ? { ...entry, payload: valueIn(entry.text) } : entry;
}

function timeIn(clockState: unknown): Date {
  return new Date((clockState as { readonly now: string }).now);
}

function isoOf(time: unknown): string {
  // The check also accepts a Date of another realm, as in test runners.
  if (types.isDate(time) && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new LocalError('FOOTBRIDGE_ARGUMENTS', `The time must be a valid Date, not ${quoted(time)}.`);
}

/** Members of the answer to `emulator.show` that this module reads. */
interface ClockState {
  readonly applications: readonly { readonly id: string; readonly name: string }[];
  readonly activities: readonly ShownActivity[];
}

function presenceOf(state: ClockState, app: string): ShownActivity['activity'] {
  const id = state.applications.find((one) => one.id === app || one.name === app)?.id;
  // An application without a row in the fixture can only be named by its id.
  if (id === undefined && !(typeof app === 'string' && /^\d+$/.test(app))) {
    throw new LocalError(
      'FOOTBRIDGE_ARGUMENTS',
      `presence: there is no application ${quoted(app)}; give its id as text, or its exact name.`,
    );
  }
  const own = state.activities.filter(({ clientId }) => clientId === (id ?? app));
  return own.findLast(({ activity }) => activity !== null)?.activity ?? null;
}
