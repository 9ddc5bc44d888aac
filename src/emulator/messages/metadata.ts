import { textMap } from '../api/fields.ts';
import { MESSAGE_METADATA, MODERATION_METADATA } from './records.ts';

/** What a game may write beside a message, as a request says it. */
export const messageMetadata = () =>
  textMap(MESSAGE_METADATA.pairs, MESSAGE_METADATA.longest, MESSAGE_METADATA.longest);

/** What the moderation of a game says of a message, as a request says it. */
export const moderationMetadata = () =>
  textMap(MODERATION_METADATA.pairs, MODERATION_METADATA.longestName, MODERATION_METADATA.longest);
