import type { Derivation } from '../api/world.ts';
import type { WebhookEvent } from '../applications/webhooks/webhooks.ts';
import { editedAnswer, lobbyMessageAnswer } from './answers.ts';
import type { LobbyMessage } from './records.ts';

/**
 * Webhook events of lobby messages. No event reports changes of moderation metadata, which the application itself
 * makes, or messages that are removed with their lobby.
 */
export const lobbyMessageEvents: Derivation<WebhookEvent> = {
  tables: ['lobby_messages'],
  derive(commit, tables) {
    const { created, updated, removed } = commit.of('lobby_messages');
    const eventOf = (type: WebhookEvent['type'], { lobby }: LobbyMessage, data: object): WebhookEvent[] => {
      const application = tables.lobbies.get(lobby)?.application;
      return application === undefined ? [] : [{ application, type, data }];
    };
    return [
      ...removed.flatMap((row) => eventOf('LOBBY_MESSAGE_DELETE', row, { id: row.id, lobby_id: row.lobby })),
      ...updated
        .filter(({ before, after }) => isRewritten(before, after))
        .flatMap(({ after }) => eventOf('LOBBY_MESSAGE_UPDATE', after, editedAnswer(tables, after))),
      ...created.flatMap((row) => eventOf('LOBBY_MESSAGE_CREATE', row, lobbyMessageAnswer(tables, row))),
    ];
  },
};

function isRewritten(before: LobbyMessage, after: LobbyMessage): boolean {
  return before.content !== after.content || before.edited_timestamp !== after.edited_timestamp;
}
