import type { Operations } from '../../../../control/generated.ts';

/** A channel in the list. */
export type ListedChannel = Operations['channel.list']['result'][number];
/** A user of the emulator. */
export type ListedUser = Operations['user.list']['result'][number];
/** Command of an application that a user may use in a channel. */
export type OfferedCommand = Operations['interaction.commands']['result'][number];
