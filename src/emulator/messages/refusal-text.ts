import { ApiError } from '../api/api-error.ts';
import type { ErrorCodeName } from '../api/error-codes.ts';
import { MessageBlocked } from '../guilds/automod/automod.ts';
import { SettingError } from '../kernel/errors.ts';

/** Maximum length of a user's text (characters). */
const MAX_TEXT_CHARS = 4000;

/** Refusals of the platform by code: the key of the setting to report, and the text of the reason. */
const REFUSAL_TEXT: Readonly<
  Partial<Record<ErrorCodeName, readonly [key: string, describe: (error: ApiError) => string]>>
> = {
  ActionCannotBePerformedDueToSlowmodeRateLimit: [
    'author',
    ({ more }) => `is in slow mode for another ${Math.ceil(Number(more['retry_after']))} s`,
  ],
  CannotSendAnEmptyMessage: ['text', () => 'is empty'],
  CannotSendMessagesToThisUser: [
    'author',
    () => 'cannot write to this user: one of them blocked the other, or both are bots',
  ],
  CannotSendMessagesInNonTextChannel: ['channel', () => 'takes no messages; give a text channel'],
  InvalidActionOnArchivedThread: ['channel', () => 'is in an archived thread; open it first'],
  ThreadLocked: ['channel', () => 'is locked; only users who manage threads can write there'],
};

/**
 * Runs an action and converts a refusal of the platform to a SettingError for the setting `key`; `describeOther` words
 * a refusal that has no text of its own. @throws SettingError
 */
export function asSettingError<T>(
  act: () => T,
  key = '',
  describeOther: (error: ApiError) => string = ({ message }) => message,
): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof MessageBlocked) {
      const more = error.explanation === undefined ? '' : `: ${error.explanation}`;
      throw new SettingError('text', `is blocked by automatic moderation${more}`);
    }
    if (!(error instanceof ApiError)) throw error;
    const [named, describe] = REFUSAL_TEXT[error.row] ?? [key, describeOther];
    throw new SettingError(named, describe(error));
  }
}

/** Text of a refusal with the code that a bot would get for the same. */
export function withCode({ message, code }: ApiError): string {
  return `${message} (${code})`;
}

/** Checks the length of a text. @throws SettingError for an empty or too long text. */
export function checkText(text: string): void {
  if (text.length < 1 || text.length > MAX_TEXT_CHARS) {
    throw new SettingError('text', `must be of 1 to ${MAX_TEXT_CHARS} characters`);
  }
}
