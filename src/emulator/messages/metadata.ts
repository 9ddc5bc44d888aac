import { textMap } from '../api/fields.ts';
import { MESSAGE_METADATA, MODERATION_METADATA } from './records.ts';

/** Schema of a game's metadata for a message, in a request. */
export const messageMetadata = () =>
  textMap(MESSAGE_METADATA.pairs, MESSAGE_METADATA.maxChars, MESSAGE_METADATA.maxChars);

/** Schema of the metadata that a game's moderation attaches to a message, in a request. */
export const moderationMetadata = () =>
  textMap(MODERATION_METADATA.pairs, MODERATION_METADATA.maxNameChars, MODERATION_METADATA.maxChars);
