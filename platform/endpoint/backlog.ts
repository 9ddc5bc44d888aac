/**
 * How many connections may wait to be accepted: more than any system allows, so that each cuts it down to its own bound
 * (`net.core.somaxconn`, 4,096 by default). Programs that connect without waiting are turned away by a shorter queue.
 */
export const LONGEST_BACKLOG = 65_535;
