import type { World } from '../../src/emulator/api/world.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { type Fixture, rowsOf, type StateRows } from '../../src/emulator/compose/fixture/fixture.ts';
import { stateText } from '../../src/emulator/compose/fixture/state-file.ts';
import { fixtureToToml, parseFixture } from '../../src/emulator/compose/fixture/toml.ts';
import { platformWorld } from '../../src/emulator/compose/platform-world.ts';
import { silentLog } from '../../src/emulator/kernel/log.ts';
import { justListening } from '../helpers/just-listening.ts';
import { parseState } from '../helpers/parsed-state.ts';
import { median, type Summary, summarize } from './statistics.ts';

/** What the emulator's state costs, pass by pass. */
export interface StateCost {
  readonly node: string;
  /** Median of one commit in µs, on the built-in state and on the big one, and the ratio within each pass. */
  readonly commits: readonly {
    readonly name: string;
    readonly small: Summary;
    readonly big: Summary;
    readonly ratio: Summary;
  }[];
  /** The big state in ms, from each text to a checked fixture and from there into the tables; and to an exported text. */
  readonly loads: readonly {
    readonly name: string;
    readonly textMiB: number;
    readonly wall: Summary;
    readonly processor: Summary;
  }[];
}

const USERS = 10_000;
const MESSAGES = 100_000;
const GOALS = { ratio: 1.5, commitUs: 50, loadMs: 2000, usersMs: 1000 } as const;
const SAMPLES = 400;
/** Commits in a sample: one alone is not much longer than reading the clock. */
const BATCH = 10;

const RIVER_BANK = { guild: '400000000000000001', channel: '500000000000000002' };
const ARRIVALS = '500000000000000011';

/** One sort of commit; returns how many are between two looks at the clock. */
type Work = (world: World, round: number) => void;

const works: Readonly<Record<string, Work>> = {
  'create a message': (world, round) => {
    for (let i = 0; i < BATCH; i++) {
      const id = String(800_000_000_000_000_000n + BigInt(round * BATCH + i));
      world.transaction(({ messages }) => messages.insert({ ...sample(world), id }));
    }
  },
  'change it': (world, round) => {
    for (let i = 0; i < BATCH; i++) {
      const id = String(800_000_000_000_000_000n + BigInt(round * BATCH + i));
      world.transaction(({ messages }) => messages.update(id, { content: `changed ${round}` }));
    }
  },
  'delete it': (world, round) => {
    for (let i = 0; i < BATCH; i++) {
      const id = String(800_000_000_000_000_000n + BigInt(round * BATCH + i));
      world.transaction(({ messages }) => messages.remove(id));
    }
  },
  // In the middle of all: taken out and put back, which are two.
  'take out an old one and put it back': (world, round) => {
    for (let i = 0; i < BATCH / 2; i++) {
      const old = sample(world);
      world.transaction(({ messages }) => messages.remove(old.id));
      world.transaction(({ messages }) => messages.insert({ ...old, content: `again ${round}` }));
    }
  },
  'rename a user': (world, round) => {
    for (let i = 0; i < BATCH; i++) {
      world.transaction(({ users, me }) => users.update(me.value, { global_name: `River ${round} ${i}` }));
    }
  },
  'rename a channel': (world, round) => {
    for (let i = 0; i < BATCH; i++) {
      world.transaction(({ channels }) => channels.update(RIVER_BANK.channel, { name: `c${round}-${i}` }));
    }
  },
};

/** A message that has been there from the start. */
function sample(world: World) {
  const message = world.tables.messages.get('600000000000000002');
  if (message === undefined) throw new Error('the built-in fixture has lost its message');
  return message;
}

/** Measures it, small and big in turns; takes half a minute. */
export async function measureState(passes: number, tell: (text: string) => void): Promise<StateCost> {
  const fixture = bigFixture();
  const loads = await measureLoads(passes, tell, fixture);
  const small = listened(defaultFixture());
  const big = listened(fixture);
  const passed = new Map<string, { small: number[]; big: number[] }>();
  for (let pass = 0; pass <= passes; pass++) {
    tell(`commits, pass ${pass} of ${passes}`);
    for (const [name, work] of Object.entries(works)) {
      const times = interleaved(work, small, big);
      const all = passed.get(name) ?? { small: [], big: [] };
      passed.set(name, all);
      // The first pass warms up.
      if (pass > 0) all.small.push(times.small);
      if (pass > 0) all.big.push(times.big);
    }
  }
  return {
    node: process.version,
    commits: [...passed].map(([name, times]) => ({
      name,
      small: summarize(times.small),
      big: summarize(times.big),
      ratio: summarize(times.big.map((value, index) => value / (times.small[index] ?? Number.NaN))),
    })),
    loads,
  };
}

/** What it takes to have a big state from its text, and the text from a state. */
async function measureLoads(
  passes: number,
  tell: (text: string) => void,
  fixture: Fixture,
): Promise<StateCost['loads']> {
  const toml = await fixtureToToml(fixture);
  const exported = stateText(rowsOf(fixture));
  const users = stateText(rowsOf({ ...fixture, messages: [] }));
  const world = platformWorld(rowsOf(fixture), silentLog);
  const fill = (read: Fixture | StateRows) => platformWorld(rowsOf(read), silentLog);
  const jobs: readonly { name: string; text: string; run: () => unknown }[] = [
    { name: 'load from TOML', text: toml, run: async () => fill(await parseFixture(toml, 'big.toml')) },
    { name: 'load an exported state', text: exported, run: () => fill(parseState(exported, 'big')) },
    { name: 'export it', text: exported, run: () => stateText(world.snapshot()) },
    { name: `import ${USERS} users alone`, text: users, run: () => fill(parseState(users, 'users')) },
  ];
  const times = jobs.map(() => ({ wall: [] as number[], processor: [] as number[] }));
  for (let pass = 1; pass <= passes; pass++) {
    tell(`loading, pass ${pass} of ${passes}`);
    for (const [index, { run }] of jobs.entries()) {
      const before = process.cpuUsage();
      const start = performance.now();
      await run();
      times[index]?.wall.push(performance.now() - start);
      const { user, system } = process.cpuUsage(before);
      times[index]?.processor.push((user + system) / 1000);
    }
  }
  return jobs.map(({ name, text }, index) => ({
    name,
    textMiB: text.length / 2 ** 20,
    wall: summarize(times[index]?.wall ?? []),
    processor: summarize(times[index]?.processor ?? []),
  }));
}

/** Median time of one commit in µs on both, sample by sample in turns. */
function interleaved(work: Work, small: World, big: World): { small: number; big: number } {
  const times = { small: [] as number[], big: [] as number[] };
  for (let round = 0; round < SAMPLES; round++) {
    for (const [name, world] of [
      ['small', small],
      ['big', big],
    ] as const) {
      const start = performance.now();
      work(world, round);
      times[name].push(((performance.now() - start) * 1000) / BATCH);
    }
  }
  return { small: median(times.small), big: median(times.big) };
}

/** Somebody listens, so that every change is told. */
function listened(fixture: Fixture): World {
  const world = platformWorld(rowsOf(fixture), silentLog);
  world.subscribe({ derive: (commit) => commit.events() }, () => {}, justListening);
  return world;
}

/** The built-in fixture with many users more, who have written many messages in two channels. */
function bigFixture(): Fixture {
  const fixture = defaultFixture();
  const [user] = fixture.users;
  const [message] = fixture.messages;
  if (user === undefined || message === undefined) throw new Error('the built-in fixture is empty');
  const users = Array.from({ length: USERS }, (_, index) => ({
    ...user,
    id: String(210_000_000_000_000_000n + BigInt(index)),
    username: `user${index}`,
  }));
  const messages = Array.from({ length: MESSAGES }, (_, index) => ({
    ...message,
    id: String(610_000_000_000_000_000n + BigInt(index)),
    channel: index % 2 === 0 ? RIVER_BANK.channel : ARRIVALS,
    author: users[index % USERS]?.id ?? user.id,
    content: `message number ${index}`,
  }));
  return { ...fixture, users: [...fixture.users, ...users], messages: [...fixture.messages, ...messages] };
}

/** The figures as text, with the goals. */
export function stateReport({ node, commits, loads }: StateCost): string {
  const spread = ({ median: middle, min, max }: Summary, digits: number): string =>
    `${middle.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
  const rows = commits.map(
    ({ name, small, big, ratio }) =>
      `  ${name.padEnd(38)}${spread(small, 1).padEnd(20)}${spread(big, 1).padEnd(20)}${spread(ratio, 2)}`,
  );
  const loading = loads.map(
    ({ name, textMiB, wall, processor }) =>
      `  ${name.padEnd(30)}${textMiB.toFixed(1).padStart(6)} MiB  ${spread(wall, 0).padEnd(22)}${spread(processor, 0)}`,
  );
  return `The emulator's state: the built-in one, and one of ${USERS} users and ${MESSAGES} messages. Node ${node}.

  one commit, µs: median (spread)       built-in            big                 big ÷ built-in
${rows.join('\n')}
  goals: big at most ${GOALS.commitUs} µs and ${GOALS.ratio} × built-in

  the big state, ms: median (spread)      text  wall                  processor, all threads
${loading.join('\n')}
  goals: ${GOALS.loadMs} ms to load, ${GOALS.usersMs} ms to export or import the users
`;
}
