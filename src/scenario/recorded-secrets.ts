import { HIDDEN } from '../journal/secret-names.ts';
import { proseWithoutSecrets } from '../journal/without-secrets.ts';
import type { ScenarioStep } from './generated.ts';

/** What the file says where something is hidden. */
export const HIDDEN_REMARK = `Tokens and other secrets are ${HIDDEN}: put in what the bot needs.`;
/** Names of options, fields and arguments whose values are secrets. Others, such as `code`, are what a bot is asked. */
const SECRET_NAME = /token|secret|passw|passphrase/i;

/** A step without secrets: people commit and share the file. */
export function shareable(step: ScenarioStep): ScenarioStep {
  return withoutSecrets(step) as ScenarioStep;
}

function withoutSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? HIDDEN : proseWithoutSecrets(value);
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withoutSecrets(one, isSecret || SECRET_NAME.test(key))]),
  );
}
