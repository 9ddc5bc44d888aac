import { mayView } from '../../guilds/channels/access.ts';
import type { Chooser } from './choices.ts';
import { isThere } from './there.ts';

/** Kind of select that offers records of the platform instead of listed options. */
export type OfferedKind = 'user' | 'role' | 'mentionable' | 'channel';

/** Something that a client offers for a typed text. */
export interface Offer {
  readonly kind: 'user' | 'role' | 'channel';
  /** Id of the record. */
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** Maximum number of offers, as in clients. */
const MAX_OFFERS = 25;

/**
 * What a select of users, roles or channels offers a user for a typed text, in the order of the records: each fits
 * `choose` of `choices.ts`.
 */
export function offersFor(chooser: Chooser, kind: OfferedKind, text: string): readonly Offer[] {
  const wanted = text.toLowerCase();
  const found: Offer[] = [];
  for (const offer of all(chooser, kind)) {
    const texts = [offer.label, offer.description ?? '', offer.value];
    if (texts.some((one) => one.toLowerCase().includes(wanted))) found.push(offer);
    if (found.length === MAX_OFFERS) break;
  }
  return found;
}

function* all(chooser: Chooser, kind: OfferedKind): Generator<Offer> {
  const { tables, location, user } = chooser;
  const { guild } = location;
  if (kind === 'user' || kind === 'mentionable') {
    for (const { id, username, global_name } of tables.users) {
      if (isThere(tables, location, id))
        yield { kind: 'user', value: id, label: global_name ?? username, description: username };
    }
  }
  if (guild === null) return;
  if (kind === 'role' || kind === 'mentionable') {
    for (const { id, name } of tables.roles.by('guild', guild))
      yield { kind: 'role', value: id, label: name };
  }
  if (kind === 'channel') {
    for (const channel of tables.channels.by('guild', guild)) {
      if (mayView(tables, channel, user.id)) yield { kind, value: channel.id, label: channel.name };
    }
  }
}
