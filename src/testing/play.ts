import { readFileSync } from 'node:fs';
import { LocalError } from '../base/local-error.ts';
import { styleFor } from '../base/style.ts';
import type { ScenarioTree } from '../scenario/generated.ts';
import type { Place, Problem } from '../scenario/place.ts';
import { hasPassed, playScenario } from '../scenario/play.ts';
import { placedScenarios } from '../scenario/read.ts';
import { failureText, problemText } from '../scenario/report.ts';
import type { Stage } from '../scenario/stage.ts';
import { quoted, requireKnown } from './options.ts';
import { type BuiltScenario, builtPlace } from './scenario.ts';

/** How `play` plays a scenario. */
export interface PlayScenarioOptions {
  /** Time without traffic after which a bot counts as done; default `50ms`. */
  readonly quiet?: string;
  /** Whether the whole traffic of a failed scenario is reported, and not only its last lines. */
  readonly full?: boolean;
}

/**
 * Plays a scenario on a bridge as it is.
 * @throws LocalError FOOTBRIDGE_SCENARIO with the report of a scenario that fails, or that cannot be played.
 */
export async function playBuilt(
  stage: Stage,
  input: BuiltScenario | ScenarioTree,
  options: PlayScenarioOptions = {},
): Promise<void> {
  requireKnown('play', options, ['quiet', 'full'] satisfies (keyof PlayScenarioOptions)[]);
  if (typeof input !== 'object' || input === null)
    throw new LocalError('FOOTBRIDGE_ARGUMENTS', `play: must be a scenario, not ${quoted(input)}.`);
  const { quiet, full = false } = options;
  const tree = 'toJSON' in input ? input.toJSON() : input;
  const file = { scenario: [tree], ...(quiet === undefined ? {} : { quiet }) };
  const read = placedScenarios(file, (path) => placeOf(input, path));
  if (!('scenarios' in read)) throw failed(read.map((problem) => problemText(problem, PLAIN)).join(''));
  await stage.call('emulator.settle', { quiet: '0ms' });
  for (const one of read.scenarios) {
    const result = await playScenario(stage, one, { quiet: read.quiet, full });
    if (!hasPassed(result)) throw failed(`${one.name}\n${failureText(result, PLAIN)}`);
  }
}

const PLAIN = styleFor(false);

function failed(text: string): LocalError {
  return new LocalError('FOOTBRIDGE_SCENARIO', text.trimEnd());
}

/** Place of a part of the tree, by its path in a scenario file: `scenario`, 0, `step`, number, field. */
function placeOf(input: object, path: readonly PropertyKey[]): Problem['place'] {
  const [, , , step, field] = path;
  const place = builtPlace(input, typeof step === 'number' ? step : undefined);
  if (place === undefined) return undefined;
  const lines = linesOf(place.file);
  const found = typeof field === 'string' ? fieldPlace(lines, place, field) : undefined;
  const { line, column, width } = found ?? { ...place, width: 'step'.length };
  const source = lines[line - 1];
  return { ...place, line, column, width, ...(source === undefined ? {} : { source }) };
}

/** Place of a field in the object literal behind the call of `step`; undefined where it is made elsewhere. */
function fieldPlace(
  lines: readonly string[],
  { line, column }: Place,
  field: string,
): { readonly line: number; readonly column: number; readonly width: number } | undefined {
  const before = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0) + column - 1;
  const text = lines.join('\n');
  const call = text.slice(before).split(/\.step\(/, 1)[0] ?? '';
  const found = new RegExp(`(?<=[{,\\s])${field}(?=\\s*[:,}])`).exec(call);
  if (found === null) return undefined;
  const above = text.slice(0, before + found.index).split('\n');
  return { line: above.length, column: (above.at(-1)?.length ?? 0) + 1, width: field.length };
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    // The program was built elsewhere, or was removed.
    return [];
  }
}
