/**
 * Environment of tests in which the user's own folders do not exist and cannot be made: a test that forgets a folder of its
 * own fails, and does not write into those of whoever runs it.
 */
export const NO_FOLDERS = {
  XDG_CONFIG_HOME: '/proc/no-config',
  XDG_DATA_HOME: '/proc/no-data',
  XDG_STATE_HOME: '/proc/no-state',
} as const;
