import { ApiError, inField, invalidField, invalidForm } from '../api/api-error.ts';
import type { HasViolations } from '../api/violations.ts';
import type { Base } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { HasFileStore } from '../files/store.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import { withUploads } from '../messages/attachments/uploads.ts';
import type { EditRequest } from '../messages/requests.ts';
import type { NewFile } from '../messages/write.ts';
import type { HasActivities } from './activities/activities.ts';
import { answerWithMessage, deferMessage, editStored, waitingFor } from './answer.ts';
import { actAndPlace } from './blame.ts';
import type { CallbackRequest } from './callback-body.ts';
import type { HasInteractions } from './interactions.ts';
import { modalOf } from './modal.ts';
import { CALLBACKS, type Choice, INTERACTION_TYPES, type Interaction } from './records.ts';

/** Services with which the answers to interactions are processed. */
export type Answering = Base &
  HasActivities &
  HasAutoMod &
  HasFileAddresses &
  HasFileStore &
  HasInteractions &
  HasViolations;

/**
 * Processes the first answer to an interaction, with its files. On an error, rejects with ApiError and changes nothing;
 * the path of an error in a message starts with `data`.
 */
export async function takeAnswer(
  platform: Answering,
  reference: { readonly id: string; readonly token: string },
  body: CallbackRequest,
  files: Parameters<typeof withUploads>[1] = [],
): Promise<Interaction> {
  const { application } = waitingFor(platform, reference, body.type);
  const described = 'data' in body && body.data && 'attachments' in body.data ? body.data.attachments : [];
  try {
    return await platform.world.onBehalfOf(application, () =>
      withUploads(platform, files, described, (stored) => {
        // Another answer may have arrived while the files were stored.
        const waiting = waitingFor(platform, reference, body.type);
        answer(platform, waiting, body, stored);
        if (platform.violations.isOn) checkRegistered(platform, waiting);
        return waiting;
      }),
    );
  } catch (error) {
    const isMessage = body.type === CALLBACKS.message || body.type === CALLBACKS.update;
    throw isMessage ? inField(error, 'data') : error;
  }
}

/** Records an answer to a command that its application has removed. */
function checkRegistered({ world: { tables }, violations }: Answering, interaction: Interaction): void {
  const { type, data } = interaction;
  if (type !== INTERACTION_TYPES.command && type !== INTERACTION_TYPES.autocomplete) return;
  if (tables.commands.has(String(data['id']))) return;
  const { what, where } = actAndPlace(tables, interaction);
  violations.add('unregistered-command', `${what} was answered, but is not registered any longer`, where);
}

function answer(
  platform: Answering,
  interaction: Interaction,
  body: CallbackRequest,
  files: readonly NewFile[],
): void {
  const { interactions } = platform;
  switch (body.type) {
    // Only a PING gets this answer, and the emulator never waits for one.
    case CALLBACKS.pong:
      return;
    case CALLBACKS.message:
      answerWithMessage(platform, interaction, body.data ?? {}, files);
      return;
    case CALLBACKS.deferredMessage:
      deferMessage(platform, interaction, body.data?.flags ?? 0);
      return;
    case CALLBACKS.deferredUpdate:
      interactions.settle(interaction.id, { kind: 'deferred', by: body.type, message: interaction.message });
      return;
    case CALLBACKS.update:
      updateMessage(platform, interaction, body.data, files);
      return;
    case CALLBACKS.choices: {
      const choices = (body.data.choices ?? []).filter((choice) => choice !== null);
      checkChoices(interaction, choices);
      interactions.settle(interaction.id, { kind: 'choices', choices });
      return;
    }
    case CALLBACKS.modal: {
      const modal = modalOf(body.data, platform.world.tables.modal_components.value);
      interactions.settle(interaction.id, { kind: 'modal', modal });
      return;
    }
    case CALLBACKS.premium:
      interactions.settle(interaction.id, { kind: 'premium' });
      return;
    case CALLBACKS.launch: {
      if (!platform.activities.isActivity(interaction.application)) {
        const message = 'This application has no activity: nothing is mapped to its path /';
        throw invalidField(['type'], 'BASE_TYPE_CHOICES', message);
      }
      const { id: instance } = platform.activities.launch(interaction);
      interactions.settle(interaction.id, { kind: 'launched', instance });
      return;
    }
  }
}

/** Edits the message whose component was used. @throws ApiError */
function updateMessage(
  platform: Answering,
  interaction: Interaction,
  body: EditRequest | undefined,
  files: readonly NewFile[],
): void {
  const { interactions } = platform;
  const message = interactions.message(interaction.message ?? '');
  if (message === undefined) throw new ApiError('UnknownMessage');
  const isChanged = body !== undefined && Object.values(body).some((value) => value !== undefined);
  if (isChanged) editStored(platform, interaction, message, body, files);
  interactions.settle(interaction.id, { kind: 'answered', by: CALLBACKS.update, message: message.id });
}

const INTEGER = 4;
const NUMBER = 10;

/** @throws ApiError 50035 for choices whose type differs from the option that the user is typing. */
function checkChoices({ data }: Interaction, choices: readonly Choice[]): void {
  const type = focused(data['options']) ?? 0;
  const isNumeric = type === INTEGER || type === NUMBER;
  const faults = choices.flatMap(({ value }, index) => {
    const isGood = isNumeric ? typeof value === 'number' : typeof value === 'string';
    if (type === 0 || (isGood && (type !== INTEGER || Number.isSafeInteger(value)))) return [];
    const [code, message] = isNumeric
      ? ['NUMBER_TYPE_COERCE', `Value is not ${type === INTEGER ? 'int' : 'float'}.`]
      : ['STRING_TYPE_CONVERT', 'Could not interpret the value as string.'];
    return [{ path: ['data', 'choices', index, 'value'], code, message }];
  });
  if (faults.length > 0) throw invalidForm(faults);
}

/** Type of the option that the user is typing; undefined where no option is focused. */
function focused(options: unknown): number | undefined {
  if (!Array.isArray(options)) return undefined;
  for (const { type, focused: is, options: below } of options as Readonly<Record<string, unknown>>[]) {
    if (is === true) return Number(type);
    const found = focused(below);
    if (found !== undefined) return found;
  }
  return undefined;
}
