import { ApiError } from '../api/api-error.ts';
import { takesFile } from '../interactions/commands/file-types.ts';
import type { NewFile } from './write.ts';

/**
 * Checks the parts of a voice message: one sound with its length and waveform, and nothing else. `hasMore` is true for
 * any other content. @throws ApiError
 */
export function checkVoiceMessage(hasMore: boolean, files: readonly NewFile[]): void {
  if (hasMore) throw new ApiError('VoiceMessagesDoNotSupportAdditionalContent');
  const [file] = files;
  if (file === undefined || files.length > 1 || !isSound(file)) {
    throw new ApiError('VoiceMessagesMustHaveASingleAudioAttachment');
  }
  if (file.duration_secs === undefined || file.waveform === undefined) {
    throw new ApiError('VoiceMessagesMustHaveSupportingMetadata');
  }
}

/** Libraries that do not look at a file send it without a type of its own, so its name counts as well. */
function isSound({ content_type, filename }: NewFile): boolean {
  return content_type?.startsWith('audio/') === true || takesFile(['audio'], filename);
}
