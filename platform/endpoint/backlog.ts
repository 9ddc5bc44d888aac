/**
 * Length of the queue of connections to accept: higher than any system allows, so that each cuts it down to its own
 * bound (`net.core.somaxconn`, 4,096 by default). A shorter queue would refuse programs that connect without waiting.
 */
export const LONGEST_BACKLOG = 65_535;
