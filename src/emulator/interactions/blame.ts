import type { Reading } from '../api/world.ts';
import { INTERACTION_TYPES, type Interaction } from './records.ts';

/** Describes an interaction: what the user did, and where. */
export function actAndPlace(
  tables: Pick<Reading, 'users' | 'channels'>,
  { id, type, data, user, channel }: Interaction,
): { readonly what: string; readonly where: string } {
  const name = tables.users.get(user)?.username ?? user;
  const place = tables.channels.get(channel)?.name;
  return {
    what: `${ACTS[type]} ${JSON.stringify(nameOf(data))}`,
    where: `interaction ${id} of ${name}${place === undefined ? '' : ` in #${place}`}`,
  };
}

const ACTS: Readonly<Record<Interaction['type'], string>> = {
  [INTERACTION_TYPES.command]: 'the command',
  [INTERACTION_TYPES.component]: 'the component',
  [INTERACTION_TYPES.autocomplete]: 'the suggestions for',
  [INTERACTION_TYPES.modalSubmit]: 'the modal',
};

function nameOf({ name, custom_id, type }: Interaction['data']): string {
  if (typeof name !== 'string') return String(custom_id);
  // A context menu command has no slash.
  return type === undefined || type === 1 ? `/${name}` : name;
}
