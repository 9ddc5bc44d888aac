import type { BotCaller } from '../api/caller.ts';
import type { Message } from './records.ts';

/** Who writes a message: somebody by an application, a person, or a webhook under the name that it gives itself this time. */
export type Writer = ApplicationWriter | PersonWriter | WebhookWriter;

/** The bot of an application, or a person in a game. */
export interface ApplicationWriter extends Pick<BotCaller, 'user'> {
  readonly application: Pick<BotCaller['application'], 'id' | 'intents'>;
}

/** A person who writes, by no application. */
export interface PersonWriter extends Pick<BotCaller, 'user'> {
  readonly application?: undefined;
}

/** A webhook that writes. */
export interface WebhookWriter {
  readonly webhook: NonNullable<Message['webhook']>;
  /** The application that owns it. */
  readonly application: { readonly id: string } | undefined;
}

/** Whether a message was written by this writer. */
export function hasWritten(writer: Writer, { author, webhook }: Message): boolean {
  return 'webhook' in writer ? webhook?.id === writer.webhook.id : author === writer.user.id;
}
