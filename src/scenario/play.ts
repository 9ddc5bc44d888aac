import { INTENTS } from '../emulator/api/dispatch.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { transcriptText } from '../journal/transcript.ts';
import { performers } from './acts.ts';
import { checkers } from './expectations.ts';
import { type Problem, StepFailure } from './place.ts';
import type { PlacedScenario, PlacedStep } from './read.ts';
import { Run } from './run.ts';
import type { Stage } from './stage.ts';

/** What became of a step. */
export type StepOutcome =
  | { readonly kind: 'passed'; readonly ms: number }
  | { readonly kind: 'failed'; readonly ms: number; readonly problem: Problem }
  /** A step before it has failed. */
  | { readonly kind: 'not-run' };

/** What became of a scenario. */
export interface ScenarioResult {
  readonly scenario: PlacedScenario;
  readonly ms: number;
  /** One for each step; empty for a scenario that is skipped. */
  readonly steps: readonly StepOutcome[];
  /** The last traffic of a scenario that has failed, one line each. */
  readonly transcript: readonly string[];
}

/** How scenarios are played. */
export interface PlayOptions {
  /** Time without traffic after which a bot counts as done. */
  readonly quiet: string;
  /** Whether the whole traffic of a failed scenario is reported, and not only the last lines. */
  readonly full?: boolean;
}

/** An id in a transcript, also in a mention; a shorter number is a time or a code. */
const ID = /<(?:#|@[!&]?)(\d{6,20})>|\b\d{6,20}\b/g;
/** Lowest status of an answer that refuses a request. */
const MIN_REFUSAL = 400;
/** What to look at where an expectation fails after time was advanced. */
const OWN_TIMERS =
  'advance moves the clock of the emulator alone: timers of the bot itself run by the clock of the machine.';
/** Longest wait for the reaction to an act. */
const SETTLE = '5s';
/** Code of an answer to an interaction that has one already. */
const ANSWERED_TWICE = /"code":\s*40060\b/;

/** Whether the scenario has passed; a skipped one has. */
export function hasPassed({ steps }: ScenarioResult): boolean {
  return steps.every(({ kind }) => kind === 'passed');
}

/** Plays a scenario on a stage that is as the scenario expects it. Never rejects. */
export async function playScenario(
  stage: Stage,
  scenario: PlacedScenario,
  options: PlayOptions,
): Promise<ScenarioResult> {
  const begun = performance.now();
  const ms = (): number => Math.round(performance.now() - begun);
  if (scenario.skip !== undefined) return { scenario, ms: 0, steps: [], transcript: [] };
  const player = new Player(stage, options.quiet);
  const steps = await player.play(scenario.steps);
  const isFailed = steps.some(({ kind }) => kind !== 'passed');
  return {
    scenario,
    ms: ms(),
    steps,
    transcript: isFailed ? await player.transcript(options.full === true) : [],
  };
}

/** Result of a scenario that could not begin, such as without its bot. */
export function notBegun(scenario: PlacedScenario, error: unknown): ScenarioResult {
  const [first, ...rest] = scenario.steps;
  const steps: StepOutcome[] = [
    { kind: 'failed', ms: 0, problem: problemOf(error, first) },
    ...rest.map((): StepOutcome => ({ kind: 'not-run' })),
  ];
  return { scenario, ms: 0, steps, transcript: [] };
}

class Player {
  readonly #run: Run;
  readonly #quiet: string;
  readonly #ended: Promise<never> | undefined;
  /** Index of the last act whose reaction may not be complete, and whether an expectation has found some of it. */
  #open: { readonly index: number; readonly isSeen: boolean } | undefined;
  /** Index of the last act, and when it began by the machine's clock. */
  #act = 0;
  #acted: number | undefined;
  /** Entries of the journal that were searched for answers of a bot that come twice. */
  #searched = 0;

  constructor(stage: Stage, quiet: string) {
    this.#run = new Run(stage, quiet);
    this.#quiet = quiet;
    this.#ended = stage.ended?.then(async (how) => {
      throw await this.#ending(how);
    });
    // Only the step that is played then fails with it.
    this.#ended?.catch(() => {});
  }

  /** The failure of the act to which a bot reacted before its program ended, with the request that was refused before. */
  async #ending(how: string): Promise<WrongReaction> {
    const entries = await this.#run.traffic().catch(() => []);
    const refused = entries.findLast((entry) => entry.kind === 'http' && entry.status >= MIN_REFUSAL);
    const [line] = refused === undefined ? [] : await this.#lines([refused], true);
    return new WrongReaction(this.#act, `the bot ${how}`, {
      ...(line === undefined ? {} : { actual: `before that, ${line.replace(/^\S+ +\S+ +/, '')}` }),
      remedy: 'Its own output says why; start it alone to see it.',
    });
  }

  async play(steps: readonly PlacedStep[]): Promise<readonly StepOutcome[]> {
    const outcomes: StepOutcome[] = [];
    let at = 0;
    let last = performance.now();
    const took = (): number => {
      const ms = Math.round((performance.now() - last) * 10) / 10;
      last = performance.now();
      return ms;
    };
    try {
      await this.#run.begin(channelsIn(steps));
      for (const [index, one] of steps.entries()) {
        at = index;
        await this.#race(this.#perform(one, index));
        outcomes.push({ kind: 'passed', ms: took() });
      }
      // What the bot still did would meet the state of the next scenario, and count as its reaction there.
      await this.#race(this.#complete('whole'));
    } catch (error) {
      const failed = error instanceof WrongReaction ? error.index : at;
      outcomes.splice(failed);
      const problem = problemOf(error, steps[failed]);
      const isAdvanced = failed !== this.#act && steps[this.#act]?.kind === 'advance';
      const remedy = problem.remedy ?? (isAdvanced ? OWN_TIMERS : await this.#withoutEvents(steps[failed]));
      outcomes.push({ kind: 'failed', ms: took(), problem: { ...problem, ...(remedy && { remedy }) } });
      while (outcomes.length < steps.length) outcomes.push({ kind: 'not-run' });
    }
    for (const undo of this.#run.undo.toReversed()) await undo().catch(() => undefined);
    return outcomes;
  }

  async transcript(full: boolean): Promise<readonly string[]> {
    return this.#lines(await this.#run.traffic(), full);
  }

  /** Entries as lines, with names in the place of ids. */
  async #lines(entries: readonly JournalEntry[], full: boolean): Promise<readonly string[]> {
    if (entries.length === 0) return [];
    const names = await this.#run.names().catch((): ReadonlyMap<string, string> => new Map());
    return transcriptText({ entries }, { full })
      .trimEnd()
      .replaceAll(ID, (text, inMention: string | undefined) => names.get(inMention ?? text) ?? text)
      .split('\n');
  }

  /** What to look at where an expectation fails and no bot has got an event since the last act. */
  async #withoutEvents(step: PlacedStep | undefined): Promise<string | undefined> {
    const acted = this.#acted;
    if (step === undefined || !(step.kind in checkers) || acted === undefined) return undefined;
    const isEvent = (entry: JournalEntry): boolean =>
      entry.kind === 'gateway' && entry.direction === 'out' && /"op":0\b/.test(entry.text);
    const entries = await this.#run.traffic();
    if (entries.some((entry) => entry.at >= acted && isEvent(entry))) return undefined;
    const sessions = await this.#run.call<readonly { readonly intents: number }[]>('gateway.sessions', {});
    const [bot, other] = sessions;
    if (bot === undefined || other !== undefined) return undefined;
    const names = Object.entries(INTENTS).flatMap(([name, bit]) => ((bot.intents & bit) === 0 ? [] : [name]));
    return `The bot got no event of this: it has to see the channel, and its intents are ${names.join(', ') || 'none'}.`;
  }

  async #race(work: Promise<void>): Promise<void> {
    await (this.#ended === undefined ? work : Promise.race([work, this.#ended]));
  }

  async #perform({ kind, step }: PlacedStep, index: number): Promise<void> {
    if (kind in checkers) {
      if (kind === 'none') await this.#complete('whole');
      // The declarations of steps and of what plays them have the same keys.
      await checkers[kind as 'none'](this.#run, step as never);
      if (this.#open !== undefined) this.#open = { ...this.#open, isSeen: true };
      return;
    }
    await this.#complete();
    await this.#run.mark();
    this.#run.became = undefined;
    this.#open = { index, isSeen: false };
    this.#act = index;
    this.#acted = Date.now();
    const act = performers[kind as 'say'](this.#run, step as never);
    await ('refused' in step && step.refused !== undefined ? refusal(act, step.refused) : act);
  }

  /**
   * Waits for the reaction to the last act. An expectation that has come true shows that the bot has reacted: then only what
   * is under way is waited for, unless the whole reaction matters.
   */
  async #complete(reaction: 'whole' | 'begun' = 'begun'): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { settled, waiting } = await this.#run.call<{
      readonly settled: boolean;
      readonly waiting: readonly string[];
    }>('emulator.settle', {
      within: SETTLE,
      quiet: open.isSeen && reaction === 'begun' ? '0ms' : this.#quiet,
    });
    if (!settled) throw unsettled(open.index, waiting);
    const entries = await this.#run.traffic();
    const violation = entries.slice(this.#searched).find((entry) => this.#isViolation(entry, entries));
    const twice = entries
      .slice(this.#searched)
      .some((entry) => entry.kind === 'http' && ANSWERED_TWICE.test(entry.response.body ?? ''));
    this.#searched = entries.length;
    if (twice) throw answeredTwice(open.index);
    if (violation !== undefined) throw brokenRule(open.index, violation);
  }

  /** Whether an entry is a violation of strict mode: a refusal is none that an expectation has found. */
  #isViolation(entry: JournalEntry, entries: readonly JournalEntry[]): entry is Violated {
    if (entry.kind !== 'violation') return false;
    if (entry.rule !== 'unhandled-refusal') return true;
    // The violations of a request come behind it.
    const request = entries.findLast(({ kind, seq }) => kind === 'http' && seq < entry.seq);
    return request === undefined || !this.#run.found.has(request.seq);
  }
}

/** Waits for the refusal of an act, which must have these words or this code. @throws StepFailure */
async function refusal(act: Promise<void>, words: string): Promise<void> {
  const expected = `refused: ${words}`;
  try {
    await act;
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    if (error.message.includes(words) || error.code === words) return;
    const actual = error.code === undefined ? error.message : `${error.message} (${error.code})`;
    throw new StepFailure('something else refused it', { actual, expected }, 'refused');
  }
  throw new StepFailure('nothing refused it', { actual: 'done', expected }, 'refused');
}

/** A wrong reaction to a step that was found only later. */
class WrongReaction extends StepFailure {
  readonly index: number;

  constructor(index: number, ...failure: ConstructorParameters<typeof StepFailure>) {
    super(...failure);
    this.index = index;
  }
}

function unsettled(index: number, waiting: readonly string[]): WrongReaction {
  return new WrongReaction(index, `the bot is not done with this after ${SETTLE}`, {
    actual: `still waiting for ${waiting.join('; ')}`,
    expected: 'a reaction that comes to an end',
    remedy: 'See that its handlers end, that nothing blocks its process, and that it does not answer itself.',
  });
}

function answeredTwice(index: number): WrongReaction {
  return new WrongReaction(index, 'the bot answered an interaction twice', {
    actual: 'a second answer, refused with 40060',
    expected: 'one answer; what follows is an edit or a follow-up message',
    remedy: 'Reply once; later use editReply or followUp, or what the library has for them.',
  });
}

type Violated = Extract<JournalEntry, { readonly kind: 'violation' }>;

function brokenRule(index: number, { rule, what, where }: Violated): WrongReaction {
  return new WrongReaction(index, `strict mode: ${rule}: ${what}`, {
    actual: where,
    remedy: 'See: footbridge help strict-mode. The operation emulator.allow allows it where it is meant.',
  });
}

/** Channels that steps name. */
function channelsIn(steps: readonly PlacedStep[]): readonly string[] {
  return steps.flatMap(({ step }) => ('in' in step && typeof step.in === 'string' ? [step.in] : []));
}

function problemOf(error: unknown, step: PlacedStep | undefined): Problem {
  if (!(error instanceof StepFailure))
    return { what: error instanceof Error ? error.message : String(error), place: step?.placeOf() };
  const field = error.field ?? (step !== undefined && step.kind in step.step ? step.kind : 'expect');
  return { what: error.message, ...error.facts, place: step?.placeOf(field) };
}
