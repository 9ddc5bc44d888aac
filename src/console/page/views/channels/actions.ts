import type { PlayedInteraction } from '../../../../control/generated.ts';
import { objectOf, textOf } from '../../../../message-text/shape.ts';
import { call } from '../../data/api.ts';
import type { DrawnMessage, MessageActions } from '../../message/message.ts';
import { messageOf } from '../../parts/controls.ts';
import { pageAddress } from '../../shell/pages.ts';
import type { View } from './use-view.ts';

/** A modal that an application opened, with the interaction that opened it. */
export interface Opened {
  readonly id: string;
  readonly title: string;
  /** Name of the application. */
  readonly app: string;
  readonly components: readonly object[];
}

/** What an action at a message needs. */
interface At {
  readonly view: View;
  readonly user: string;
  readonly drawn: DrawnMessage;
  readonly reply: (message: string) => void;
  readonly opened: (modal: Opened | undefined) => void;
  readonly open: (channel: string) => void;
  /** Receives the reason of a refusal whose control may have been removed; undefined when an action begins. */
  readonly refused: (reason: string | undefined) => void;
}

/** Actions of a user at one message, each an operation of the bridge; a refusal rejects with its reason and code. */
export function actionsFor({ view, user, drawn, reply, opened, open, refused }: At): MessageActions {
  const { revision } = drawn;
  const message = textOf(drawn.message, 'id');
  const use = async (answer: Promise<PlayedInteraction>): Promise<void> => {
    refused(undefined);
    const played = await coded(answer).catch((error: unknown) => {
      // A message that changed or was deleted may have removed the control, and the place for its refusal.
      refused(messageOf(error));
      return undefined;
    });
    if (played !== undefined) settle(played, opened);
  };
  return {
    click: (button) => use(call('interaction.click', { message, button, user, revision })),
    choose: (select, values) => use(call('interaction.choose', { message, select, values, user, revision })),
    react: (emoji, isMine) =>
      coded(call(isMine ? 'message.unreact' : 'message.react', { message, emoji, user })),
    vote: (answers) => coded(call('poll.vote', { message, answers: answers.map(String), user })),
    reply: () => reply(message),
    remove: () => coded(call('message.delete', { id: message, user, revision })),
    traffic: trafficOf(drawn.message),
    suggest: suggesting(view.channel.id, user),
    open,
  };
}

/** Address of the traffic of a message, and of the interaction that it answers, whose callback does not name the message. */
function trafficOf(message: object): string {
  const ids = [message, objectOf(message, 'interaction_metadata')].map((one) => textOf(one, 'id'));
  // Other events name it as the last message of a channel.
  const named = ids.filter(Boolean).join('|');
  return pageAddress('traffic', '', { filter: String.raw`re:(?:\Wid\W+|/)(?:${named})` });
}

/** Suggestions of users, roles and channels for a select. */
export function suggesting(channel: string, user: string): MessageActions['suggest'] {
  // A select of texts has its own options.
  return async (kind, text) =>
    kind === 'text' ? [] : call('interaction.suggest', { channel, kind, text: text.slice(0, 100), user });
}

/** Adds the code of a refusal to its reason. */
export async function coded<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new Error(`${error.message} (${String(error.code)})`, { cause: error });
  }
}

/** Opens the modal of an answer. Throws where the application failed, or where the answer is not for a person. */
export function settle(
  { id, application, state, reason, modal }: PlayedInteraction,
  opened: (modal: Opened | undefined) => void,
): void {
  if (modal !== undefined && state === 'modal')
    opened({ id, title: modal.title, app: application.name, components: modal.components });
  if (state === 'failed') throw new Error(`The application did not respond: ${reason ?? 'no reason'}`);
  if (state === 'waiting') throw new Error('No answer yet: the clock of the emulator stands still');
  if (state === 'premium') throw new Error('The application asks for a purchase');
}
