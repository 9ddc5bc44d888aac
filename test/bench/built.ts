import { fileURLToPath } from 'node:url';

/** The built command. */
export const PROGRAM = fileURLToPath(new URL('../../dist/footbridge.js', import.meta.url));

/** Limits that are in the way of a figure. */
export const UNLIMITED = {
  FOOTBRIDGE_LIMITS_MESSAGES_BURST: '1000000',
  FOOTBRIDGE_LIMITS_MESSAGES_PER_SECOND: '1000000',
  FOOTBRIDGE_LIMITS_BYTES_PER_SECOND: '1000000000',
  FOOTBRIDGE_LIMITS_CONNECTS_BURST: '1000000',
  FOOTBRIDGE_LIMITS_CONNECTIONS: '2400',
  FOOTBRIDGE_LIMITS_SILENT_CONNECTIONS: '1200',
};
