/**
 * Length of the queue of connections to accept. It is larger than any system allows, so each system reduces it to its
 * own limit (`net.core.somaxconn`, 4,096 by default). With a shorter queue, programs that connect in quick succession
 * would be refused.
 */
export const MAX_BACKLOG = 65_535;
