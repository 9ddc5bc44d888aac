import type { Base } from '../../api/world.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import { messageAnswer } from '../../messages/answers.ts';
import { isEphemeral, type Message } from '../../messages/records.ts';
import { viewerOfAnswers } from '../ephemeral.ts';
import type { HasInteractions } from '../interactions.ts';
import { INTERACTION_TYPES, type Interaction } from '../records.ts';
import type { InteractionView } from './interaction-result.ts';

/** Services that these functions need. */
type Needs = Base & HasFileAddresses & HasInteractions;

const TYPE_NAMES = {
  [INTERACTION_TYPES.command]: 'command',
  [INTERACTION_TYPES.component]: 'component',
  [INTERACTION_TYPES.autocomplete]: 'autocomplete',
  [INTERACTION_TYPES.modalSubmit]: 'modal',
} as const;

/** Current view of an interaction; `base` is the base URL of the API, for the addresses of files. */
export function viewInteraction(platform: Needs, base: string, interaction: Interaction): InteractionView {
  const { tables } = platform.world;
  const { id, type, application, user, channel, state } = interaction;
  const viewMessage = (message: Message) => ({
    ...messageAnswer(viewerOfAnswers(platform, base, message), message),
    ephemeral: isEphemeral(message),
  });
  const answer = 'message' in state ? platform.interactions.message(state.message ?? '') : undefined;
  return {
    id,
    type: TYPE_NAMES[type],
    application: { id: application, name: tables.applications.get(application)?.name ?? application },
    user: { id: user, username: tables.users.get(user)?.username ?? user },
    channel: { id: channel, name: tables.channels.get(channel)?.name ?? null },
    used: usedIn(interaction),
    state: state.kind,
    ...(state.kind === 'failed' ? { reason: state.reason } : {}),
    ...(answer === undefined ? {} : { message: viewMessage(answer) }),
    ...('message' in state ? { is_update: state.by === 6 || state.by === 7 } : {}),
    ...(state.kind === 'modal' ? { modal: { ...state.modal, components: [...state.modal.components] } } : {}),
    ...(state.kind === 'choices' ? { choices: [...state.choices] } : {}),
    ...(state.kind === 'launched' ? { instance: state.instance } : {}),
    follow_ups: platform.interactions.followUps(id).map(viewMessage),
  };
}

interface UsedOption {
  readonly name: string;
  readonly type: number;
  readonly options?: readonly UsedOption[];
}

const SUBCOMMANDS: readonly number[] = [1, 2];
const CHAT_INPUT = 1;

/** The used command, such as `/tide set`, or the custom id of the component or modal. */
export function usedIn({ data }: Interaction): string {
  if (typeof data['custom_id'] === 'string') return data['custom_id'];
  const command = data as unknown as UsedOption;
  if (command.type !== CHAT_INPUT) return command.name;
  const path: string[] = [command.name];
  let [inner] = command.options ?? [];
  while (inner !== undefined && SUBCOMMANDS.includes(inner.type)) {
    path.push(inner.name);
    [inner] = inner.options ?? [];
  }
  return `/${path.join(' ')}`;
}
