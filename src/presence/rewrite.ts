import type { Droppable, Replaceable } from './rule.ts';
import type { Json, Ruling } from './ruling.ts';

/** A link leads to what the text beside it says, so it goes with that text. */
const LINK_OF = {
  details: 'details_url',
  state: 'state_url',
  large_text: 'large_url',
  small_text: 'small_url',
} as const;

const TEXTS = ['name', 'state', 'state_url', 'details', 'details_url'] as const;
const IMAGE_FIELDS = [
  'large_image',
  'large_text',
  'large_url',
  'small_image',
  'small_text',
  'small_url',
] as const;
const OTHERS = ['type', 'timestamps', 'party', 'secrets', 'buttons', 'instance'] as const;
const KEPT = ['supported_platforms', 'status_display_type'] as const;

/** Whether a ruling changes activities. */
export function isRewriting({ drop, replace }: Ruling): boolean {
  return drop.size > 0 || Object.keys(replace).length > 0;
}

/**
 * Returns the activity that others may see: without the dropped fields, with the replaced ones, and with known fields
 * only, because an unknown field could repeat what was dropped. A replaced text appears only where
 * the app has set one; a replaced name always.
 */
export function rewritten(activity: Json, { drop, replace }: Ruling): Json {
  const gone = new Set<string>(drop);
  if (gone.has('assets')) for (const field of IMAGE_FIELDS) gone.add(field);
  for (const [text, link] of Object.entries(LINK_OF)) {
    if (gone.has(text) || text in replace) gone.add(link);
  }
  const text = (fields: Json, field: Droppable): readonly (readonly [string, unknown])[] => {
    const value = fields[field];
    const other = field in replace ? replace[field as Replaceable] : undefined;
    // Without a name of its own, an activity is shown with the name of its application.
    if (other !== undefined && (field === 'name' || typeof value === 'string')) return [[field, other]];
    return gone.has(field) || typeof value !== 'string' ? [] : [[field, value]];
  };
  const assets = Object(activity['assets']) as Json;
  const images = Object.fromEntries(IMAGE_FIELDS.flatMap((field) => text(assets, field)));
  const others = [...OTHERS, ...KEPT].flatMap((field) =>
    activity[field] === undefined || gone.has(field) ? [] : [[field, activity[field]] as const],
  );
  return {
    ...Object.fromEntries(TEXTS.flatMap((field) => text(activity, field))),
    ...(Object.keys(images).length === 0 ? {} : { assets: images }),
    ...Object.fromEntries(others),
  };
}
