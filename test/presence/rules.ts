import { RE2JS } from 're2js';
import { parsePattern, type RegexCompiler } from '../../src/presence/pattern.ts';
import type { Condition, Rule } from '../../src/presence/rule.ts';
import { Text } from '../../src/presence/text.ts';

/** The engine of the bridge. */
export const compile: RegexCompiler = (source) => {
  const compiled = RE2JS.compile(source);
  return { programSize: compiled.programSize(), test: (text) => compiled.matcher(text).find() };
};

type Actions = Omit<Partial<Rule>, 'conditions' | 'giveWayTo'> & { readonly giveWayTo?: readonly string[] };

/** A rule with patterns as the user writes them. */
export function rule(when: { readonly [C in Condition]?: string }, actions: Actions): Rule {
  const { giveWayTo, ...rest } = actions;
  return {
    place: Object.values(when).join(),
    conditions: Object.entries(when).map(([condition, source]) => [
      condition as Condition,
      parsePattern(source, compile),
    ]),
    ...rest,
    giveWayTo: giveWayTo?.map((source) => parsePattern(source, compile)),
  };
}

/** Whether a pattern matches a text. */
export function matches(source: string, text: string): boolean {
  return parsePattern(source, compile).matches(new Text(text));
}
