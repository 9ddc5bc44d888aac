import type { Environment } from '../../../platform/endpoint/endpoints.ts';
import { LocalError } from '../../base/local-error.ts';
import { nearest } from '../../base/nearest.ts';
import { printable } from '../../base/text.ts';
import { ADDRESS_VARIABLES } from '../../control/bridge-variables.ts';
import { limitKeys, settingKeys, snakeCase, variableOf } from './keys.ts';

/** The variable that names the configuration file. */
export const CONFIG_VARIABLE = 'FOOTBRIDGE_CONFIG';

const PREFIX = 'FOOTBRIDGE_';

/** Variables of commands, libraries and attached programs. */
const OTHER_VARIABLES = [
  ...ADDRESS_VARIABLES,
  ...['CLIENT_SECRET', 'PROGRAM', 'CHROMIUM', 'ATTACH_URL', 'ATTACH_CODE'].map((name) => PREFIX + name),
];

/** The environment without the variables of settings, and without slips in their names. */
export function withoutSettings(env: Environment): Environment {
  const isOther = (name: string): boolean => name === CONFIG_VARIABLE || !name.startsWith(PREFIX);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isOther(name)));
}

/** Names of the variables of all settings. */
export function settingVariables(): readonly string[] {
  const limits = Object.keys(limitKeys).map((name) => `limits.${snakeCase(name)}`);
  return [CONFIG_VARIABLE, ...[...Object.keys(settingKeys), ...limits].map(variableOf)];
}

/**
 * Throws `LocalError` FOOTBRIDGE_USAGE for a variable whose name is a slip in the name of a setting's variable. Any other
 * variable with this beginning may belong to another program.
 */
export function checkVariables(env: Environment): void {
  const known = settingVariables();
  const names = known.map((name) => name.slice(PREFIX.length));
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || !value || known.includes(name) || OTHER_VARIABLES.includes(name))
      continue;
    const meant = nearest(name.slice(PREFIX.length), names);
    if (meant === undefined) continue;
    const problem = `${printable(name)}: no setting has this variable. Did you mean "${PREFIX}${meant}"?`;
    throw new LocalError('FOOTBRIDGE_USAGE', problem);
  }
}
