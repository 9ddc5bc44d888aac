import { type SettingName, settingKeys } from './keys.ts';
import type { Configuration } from './settings.ts';

/**
 * Returns one line for each flag of the command line that has no effect on the running core. Settings of a file or a
 * variable are not listed, because they may be meant for another core.
 */
export function idleFlags({ keys, settings }: Pick<Configuration, 'keys' | 'settings'>): readonly string[] {
  const { core, fallback, bridgePort } = settings;
  const running = [core, ...(core === 'upstream' ? [fallback] : [])];
  return keys.flatMap(({ key, origin }) => {
    if (origin.kind !== 'flag') return [];
    const reader = settingKeys[key as SettingName]?.core;
    if (reader !== undefined && !running.includes(reader)) {
      return `${origin.where} means nothing on the core "${core}": it is for --core ${reader}`;
    }
    if (key === 'bridge_secrets' && bridgePort === null) {
      return `${origin.where} means nothing without --bridge-port`;
    }
    return [];
  });
}
