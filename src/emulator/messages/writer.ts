import type { BotCaller } from '../api/caller.ts';
import type { Message } from './records.ts';

/** Author of a message: an application, a user, or a webhook with the name it uses for this message. */
export type Writer = ApplicationWriter | UserWriter | WebhookWriter;

/** The bot of an application, or a user in a game. */
export interface ApplicationWriter extends Pick<BotCaller, 'user'> {
  readonly application: Pick<BotCaller['application'], 'id' | 'intents'>;
}

/** A user who writes without an application. */
export interface UserWriter extends Pick<BotCaller, 'user'> {
  readonly application?: undefined;
}

/** A webhook as an author. */
export interface WebhookWriter {
  readonly webhook: NonNullable<Message['webhook']>;
  /** The application that owns it. */
  readonly application: { readonly id: string } | undefined;
}

/** Whether a message was written by this writer. */
export function hasWritten(writer: Writer, { author, webhook }: Message): boolean {
  return 'webhook' in writer ? webhook?.id === writer.webhook.id : author === writer.user.id;
}
