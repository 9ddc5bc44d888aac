import { parse, TomlError } from 'smol-toml';
import { withIssueText } from '../base/issue-text.ts';
import { didYouMean } from '../base/nearest.ts';
import { firstLine } from '../base/text.ts';
import type { Place, Problem } from './place.ts';
import {
  acts,
  changes,
  expectations,
  kindOf,
  kinds,
  type Scenario,
  type Step,
  type StepKind,
  scenarioFrame,
} from './schema.ts';
import { pathText, tomlPlaces } from './toml-places.ts';

/** A step with its places. */
export interface PlacedStep {
  readonly kind: StepKind;
  readonly step: Step;
  /** Place of a field; of the whole step without a field, and for a field that the step does not have. */
  readonly placeOf: (field?: string) => Place | undefined;
}

/** A scenario with its places. */
export interface PlacedScenario extends Pick<Scenario, 'name' | 'skip'> {
  readonly place: Place | undefined;
  readonly steps: readonly PlacedStep[];
}

/** A file of scenarios that may be played. */
export interface ScenarioFile {
  readonly file: string;
  readonly fixture: string | Readonly<Record<string, unknown>> | undefined;
  readonly strict: boolean;
  /** Whether each scenario has a bot of its own. */
  readonly fresh: boolean;
  readonly quiet: string;
  readonly scenarios: readonly PlacedScenario[];
}

/** Reads the text of a scenario file: a file that may be played, or everything that is wrong with it. */
export function readScenarios(text: string, file: string): ScenarioFile | readonly Problem[] {
  const lines = text.split('\n');
  const at = (line: number, column: number, width = 1): Place => ({
    file,
    line,
    column,
    width,
    source: lines[line - 1]?.replace(/\r$/, '') ?? '',
  });
  let value: Readonly<Record<string, unknown>>;
  try {
    value = parse(text, { maxDepth: 24 });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = firstLine(error.message).replace(/^Invalid TOML document: /, '');
    return [{ what: `the file is no TOML: ${what}`, place: at(error.line, error.column) }];
  }
  const positions = tomlPlaces(text);
  const placeOf = (path: readonly PropertyKey[]): Place => {
    for (let length = path.length; length > 0; length -= 1) {
      const found = positions.get(pathText(path.slice(0, length) as (string | number)[]));
      if (found !== undefined) return at(found.line, found.column, found.width);
    }
    return at(1, 1);
  };
  const read = placedScenarios(value, placeOf);
  return 'scenarios' in read ? { file, ...read } : read;
}

/** Checks the tree of a scenario file, whose places a function knows by path: what may be played, or what is wrong. */
export function placedScenarios(
  value: Readonly<Record<string, unknown>>,
  placeOf: (path: readonly PropertyKey[]) => Place | undefined,
): Omit<ScenarioFile, 'file'> | readonly Problem[] {
  const read = scenarioFrame().safeParse(value, withIssueText());
  const problems = [...stepsProblems(value, placeOf)];
  for (const issue of read.error?.issues ?? [])
    problems.push({ what: issueText(issue), place: placeOf(pathOf(issue)) });
  if (!read.success || problems.length > 0) return problems;
  const scenarios = read.data.scenario.map((one, index): PlacedScenario => {
    const steps = (one.step as readonly Step[]).map((step, number): PlacedStep => {
      const path = ['scenario', index, 'step', number];
      return {
        kind: kindOf(step) as StepKind,
        step,
        placeOf: (field) => placeOf(field === undefined ? path : [...path, field]),
      };
    });
    return { name: one.name, skip: one.skip, place: placeOf(['scenario', index, 'name']), steps };
  });
  const wrong = [
    ...nameProblems(scenarios),
    ...scenarios.flatMap(({ steps }) => [...steps.flatMap(buttonProblems), ...savedProblems(steps)]),
  ];
  if (wrong.length > 0) return wrong;
  const { fixture, strict = false, fresh = false, quiet = '50ms' } = read.data;
  return { fixture, strict, fresh, quiet, scenarios };
}

/** Problems with the shape of steps. Each is validated as its own kind, so that the problem is about that kind. */
function* stepsProblems(
  value: Readonly<Record<string, unknown>>,
  placeOf: (path: readonly PropertyKey[]) => Place | undefined,
): Generator<Problem> {
  const { scenario } = value;
  for (const [index, one] of listOf(scenario).entries()) {
    for (const [number, step] of listOf(Reflect.get(Object(one), 'step')).entries()) {
      const path = ['scenario', index, 'step', number];
      if (typeof step === 'object' && step !== null && !Array.isArray(step))
        yield* stepProblems(step as Readonly<Record<string, unknown>>, path, placeOf);
      else
        yield {
          what: 'a step must be a table, such as { say = "hello", in = "#general" }',
          place: placeOf(path),
        };
    }
  }
}

function* stepProblems(
  step: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  placeOf: (path: readonly PropertyKey[]) => Place | undefined,
): Generator<Problem> {
  const kind = kindOf(step);
  if (kind === undefined) {
    yield { ...kindProblem(step), place: placeOf('expect' in step ? [...path, 'expect'] : path) };
    return;
  }
  const read = kinds[kind].safeParse(step, withIssueText());
  if (read.success) return;
  const fields = new Set<unknown>();
  for (const issue of read.error.issues) {
    // The first problem of a field is the cause of its others.
    if (!fields.has(issue.path[0]) || issue.path.length === 0)
      yield { what: issueText(issue), place: placeOf([...path, ...pathOf(issue)]) };
    fields.add(issue.path[0]);
  }
}

function kindProblem(step: Readonly<Record<string, unknown>>): Pick<Problem, 'what' | 'remedy'> {
  const all = Object.keys(expectations);
  if ('expect' in step) {
    const word = String(step['expect']);
    return {
      what: `expect: there is no ${JSON.stringify(word)}.${didYouMean(word, all)}`,
      remedy: `Expect one of ${all.join(', ')}.`,
    };
  }
  const known = [...Object.keys(acts), ...Object.keys(changes), 'expect'];
  const named = Object.keys(step).filter((key) => known.includes(key));
  if (named.length > 1)
    return {
      what: `the step does several things: ${named.join(' and ')}`,
      remedy: 'Make each a step of its own.',
    };
  const near =
    Object.keys(step)
      .map((key) => didYouMean(key, known))
      .find((hint) => hint !== '') ?? '';
  return { what: `the step says nothing to do.${near}`, remedy: `A step has one of ${known.join(', ')}.` };
}

/** Two scenarios of one name cannot be told apart by --only and in reports. */
function* nameProblems(scenarios: readonly PlacedScenario[]): Generator<Problem> {
  const first = new Map<string, PlacedScenario>();
  for (const one of scenarios) {
    const other = first.get(one.name);
    if (other === undefined) first.set(one.name, one);
    else
      yield {
        what: `the name ${JSON.stringify(one.name)} is that of the scenario in line ${other.place?.line}, too`,
        place: one.place,
        remedy: 'Give each scenario a name of its own.',
      };
  }
}

/** `disabled` without the button that it is about. */
function buttonProblems({ step, placeOf }: PlacedStep): readonly Problem[] {
  if (!('disabled' in step) || step.disabled === undefined || step.button !== undefined) return [];
  return [{ what: 'disabled is about a button', place: placeOf('disabled'), remedy: 'Name it with button.' }];
}

/** Names that are saved twice or never used, and names that are used and not saved before. */
function* savedProblems(steps: readonly PlacedStep[]): Generator<Problem> {
  const saved = new Map<string, PlacedStep>();
  const used = new Set<string>();
  for (const one of steps) {
    for (const [field, name] of usesOf(one.step)) {
      used.add(name);
      if (saved.has(name)) continue;
      yield {
        what: `nothing is saved as ${JSON.stringify(name)} before.${didYouMean(name, [...saved.keys()])}`,
        place: one.placeOf(field),
        remedy: `An earlier step needs save = ${JSON.stringify(name)}.`,
      };
    }
    const name = 'save' in one.step ? one.step.save : undefined;
    if (name === undefined) continue;
    const other = saved.get(name);
    if (other !== undefined)
      yield {
        what: `${JSON.stringify(name)} is saved twice, also in line ${other.placeOf()?.line}`,
        place: one.placeOf('save'),
        remedy: 'Give each saved value a name of its own.',
      };
    saved.set(name, one);
  }
  for (const [name, one] of saved) {
    if (used.has(name)) continue;
    yield {
      what: `${JSON.stringify(name)} is saved and never used`,
      place: one.placeOf('save'),
      remedy: `Use it with on = ${JSON.stringify(name)}, or remove save.`,
    };
  }
}

/** Fields of a step that name something saved. */
function usesOf(step: Step): readonly (readonly [field: string, name: string])[] {
  if ('on' in step && step.on !== undefined) return [['on', step.on]];
  if (!('operate' in step)) return [];
  return [...JSON.stringify(step.args ?? {}).matchAll(SAVED)].map(([, name = '']) => ['args', name]);
}

/** A saved name in the arguments of an operation. */
export const SAVED = /\{([a-z][a-z0-9_-]{0,31})\}/gi;

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly keys?: readonly string[];
}

/** Path of the key that an issue is about. */
function pathOf({ path, keys }: Issue): readonly PropertyKey[] {
  return keys?.[0] === undefined ? path : [...path, keys[0]];
}

function issueText({ path, message }: Issue): string {
  const name = path.filter((part) => typeof part === 'string').at(-1);
  return name === undefined ? message : `${String(name)} ${message}`;
}
