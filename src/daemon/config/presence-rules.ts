import type { RuleSet } from '../../presence/rule.ts';
import type { Settings } from './settings.ts';

/** The rules for presence of a configuration. */
export function rulesOf({
  presence,
  presenceDefault,
}: Pick<Settings, 'presence' | 'presenceDefault'>): RuleSet {
  return { rules: presence, otherwise: presenceDefault };
}
