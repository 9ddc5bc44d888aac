import activity from '../vectors/activity.json' with { type: 'json' };
import close from '../vectors/close.json' with { type: 'json' };
import type { Conversation } from '../vectors/conversation.ts';
import envelope from '../vectors/envelope.json' with { type: 'json' };
import errors from '../vectors/errors.json' with { type: 'json' };
import framing from '../vectors/framing.json' with { type: 'json' };
import handshake from '../vectors/handshake.json' with { type: 'json' };
import ping from '../vectors/ping.json' with { type: 'json' };
import { authorizationCases } from './authorization.ts';
import type { ServerCase } from './case.ts';
import { conversationCase } from './conversation-case.ts';
import { endpointCases } from './endpoint.ts';
import { envelopeCases } from './envelope.ts';
import { framingCases } from './framing.ts';
import { handshakeCases } from './handshake.ts';
import { limitCases } from './limits.ts';
import { pingCases } from './ping.ts';
import { readyCases } from './ready.ts';
import { recoveryCases } from './recovery.ts';
import { scopeCases } from './scope.ts';
import { streamCases } from './streams.ts';
import { subscriptionCases } from './subscription.ts';
import { voiceCases } from './voice.ts';
import { websocketCases } from './websocket.ts';

function casesOf(file: { readonly vectors: unknown }): readonly ServerCase[] {
  // The files are not validated here: tests validate them against their schema.
  return (file.vectors as readonly Conversation[]).map(conversationCase);
}

/** Every case of the server suite, in the order of the protocol. */
export const serverCases: readonly ServerCase[] = [
  ...endpointCases,
  ...casesOf(framing),
  ...framingCases,
  ...casesOf(handshake),
  ...handshakeCases,
  ...readyCases,
  ...casesOf(ping),
  ...pingCases,
  ...streamCases,
  ...casesOf(close),
  ...casesOf(envelope),
  ...envelopeCases,
  ...casesOf(errors),
  ...scopeCases,
  ...subscriptionCases,
  ...authorizationCases,
  ...voiceCases,
  ...casesOf(activity),
  ...limitCases,
  ...recoveryCases,
  ...websocketCases,
];
