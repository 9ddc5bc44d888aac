import * as z from 'zod';
import type { FieldFault } from '../api/api-error.ts';
import { atMost, choice, integer, list, maybe, snowflake, text } from '../api/fields.ts';
import { present } from '../api/present.ts';
import { faultsInside } from './component-faults.ts';
import { misplaced } from './misplaced.ts';

// The components of a message as they are sent. They come out as they are kept: with their defaults, and without what is null.

const id = maybe(integer(0, 2 ** 31 - 1));
const customId = () => text(1, 100);
const off = () => maybe(z.boolean()).transform((is) => is ?? false);
const emoji = maybe(
  z.object({ id: maybe(snowflake()), name: maybe(atMost(32)), animated: maybe(z.boolean()) }),
);

const media = z.object({
  url: atMost(2048).refine((value) => /^(https?|attachment):\/\//i.test(value), {
    params: { code: 'URL_TYPE_INVALID_URL', message: 'Not a well formed URL.' },
  }),
});

const button = z.object({
  type: z.literal(2),
  id,
  style: choice(1, 2, 3, 4, 5, 6),
  label: maybe(atMost(80)),
  custom_id: maybe(customId()),
  url: maybe(atMost(512)),
  sku_id: maybe(snowflake()),
  emoji,
  disabled: maybe(z.boolean()),
});

const selects = {
  id,
  custom_id: customId(),
  placeholder: maybe(atMost(150)),
  min_values: maybe(integer(0, 25)).transform((least) => least ?? 1),
  max_values: maybe(integer(1, 25)).transform((most) => most ?? 1),
  disabled: maybe(z.boolean()),
  /** Read in modals alone. */
  required: maybe(z.boolean()).transform(() => undefined),
};
const option = z.object({
  label: text(1, 100),
  value: text(1, 100),
  description: maybe(atMost(100)),
  emoji,
  default: maybe(z.boolean()),
});
const defaults = maybe(list(z.object({ id: snowflake(), type: choice('user', 'role', 'channel') }), 0, 25));
const select = [
  z.object({ type: z.literal(3), ...selects, options: list(option, 1, 25) }),
  z.object({ type: z.literal(5), ...selects, default_values: defaults }),
  z.object({ type: z.literal(6), ...selects, default_values: defaults }),
  z.object({ type: z.literal(7), ...selects, default_values: defaults }),
  z.object({
    type: z.literal(8),
    ...selects,
    default_values: defaults,
    channel_types: maybe(list(integer(0, 16), 0, 20)),
  }),
] as const;

const textDisplay = z.object({ type: z.literal(10), id, content: text(1, 4000) });
const thumbnail = z.object({
  type: z.literal(11),
  id,
  media,
  description: maybe(text(1, 1024)).transform((said) => said ?? null),
  spoiler: off(),
});
const row = z.object({
  type: z.literal(1),
  id,
  components: list(
    z.discriminatedUnion('type', [
      button,
      ...select,
      misplaced(1, 4, 9, 10, 11, 12, 13, 14, 17, 18, 19, 21, 22, 23),
    ]),
    1,
    5,
  ),
});
const section = z.object({
  type: z.literal(9),
  id,
  components: list(textDisplay, 1, 3),
  accessory: z.discriminatedUnion('type', [button, thumbnail]),
});
const gallery = z.object({
  type: z.literal(12),
  id,
  items: list(
    z.object({ media, description: maybe(text(1, 1024)).transform((said) => said ?? null), spoiler: off() }),
    1,
    10,
  ),
});
/** A file is shown as it came with the message, and from nowhere else. */
const attached = z.object({
  url: atMost(2048).refine((value) => /^attachment:\/\/./i.test(value), {
    params: {
      code: 'URL_TYPE_INVALID_SCHEME',
      message: "Scheme must be one of ('attachment',).",
    },
  }),
});
const file = z.object({ type: z.literal(13), id, file: attached, spoiler: off() });
const separator = z.object({
  type: z.literal(14),
  id,
  spacing: maybe(choice(1, 2)).transform((given) => given ?? 1),
  divider: maybe(z.boolean()).transform((is) => is ?? true),
});
const inContainer = [row, section, textDisplay, gallery, file, separator] as const;
const container = z.object({
  type: z.literal(17),
  id,
  accent_color: maybe(integer(0, 0xff_ff_ff)).transform((color) => color ?? null),
  spoiler: off(),
  components: list(
    z.discriminatedUnion('type', [
      ...inContainer,
      misplaced(2, 3, 4, 5, 6, 7, 8, 11, 17, 18, 19, 21, 22, 23),
    ]),
    1,
    40,
  ),
});

/** The components of a message. */
export const components = list(
  z.discriminatedUnion('type', [
    ...inContainer,
    container,
    misplaced(2, 3, 4, 5, 6, 7, 8, 11, 18, 19, 21, 22, 23),
  ]),
  0,
  40,
);

interface Component {
  readonly type: number;
  readonly id?: number | undefined;
  readonly components?: readonly Component[];
  readonly accessory?: Component;
  readonly custom_id?: string | undefined;
  readonly [key: string]: unknown;
}

/** The types that only a message of version 2 has at its top. */
const ROW = 1;
const MOST_IN_ALL = 40;
const MOST_ROWS = 5;

/** What is wrong with the components of a message as a whole. */
export function faultsOfComponents(given: z.output<typeof components>, isV2: boolean): FieldFault[] {
  const path = ['components'];
  const all = [...walk(given as readonly Component[])];
  if (!isV2) {
    const place = given.findIndex(({ type }) => type !== ROW);
    if (place !== -1) {
      const message = 'Components of this type need the flag IS_COMPONENTS_V2';
      return [{ path: [...path, place, 'type'], code: 'UNION_TYPE_CHOICES', message }];
    }
    if (given.length > MOST_ROWS) {
      return [
        { path, code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between 1 and ${MOST_ROWS} in length.` },
      ];
    }
  }
  if (all.length > MOST_IN_ALL) {
    const message = `A message has at most ${MOST_IN_ALL} components`;
    return [{ path, code: 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED', message }];
  }
  const named = all.flatMap(({ custom_id }) => (custom_id === undefined ? [] : [custom_id]));
  if (new Set(named).size !== named.length) {
    return [
      { path, code: 'COMPONENT_CUSTOM_ID_DUPLICATED', message: 'Component custom id cannot be duplicated' },
    ];
  }
  const ids = all.flatMap((one) => (one.id ? [one.id] : []));
  if (new Set(ids).size !== ids.length) {
    return [{ path, code: 'COMPONENT_ID_DUPLICATED', message: 'Component id cannot be duplicated' }];
  }
  return faultsInside(given as readonly Component[], path);
}

/** A field that a message of version 2 cannot have. */
export function legacyFault(name: string): FieldFault {
  const message = `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
  return { path: [name], code: 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', message };
}

const BUTTON = 2;
const LINK = 5;
/** Selects of texts, users, roles, both, and channels. */
const SELECTS: readonly number[] = [3, 5, 6, 7, 8];

/** Whether some component asks its application something when it is used. */
export function areInteractive(given: z.output<typeof components>): boolean {
  return [...walk(given as readonly Component[])].some(
    (one) => SELECTS.includes(one.type) || (one.type === BUTTON && one['style'] !== LINK),
  );
}

/** The components as they are kept: each with an id that no other has, and what they show with one of its own. */
export function withIds(
  given: z.output<typeof components>,
  nextId: () => string,
): readonly Readonly<Record<string, unknown>>[] {
  const taken = new Set([...walk(given as readonly Component[])].map((one) => one.id));
  let next = 1;
  const number = (one: Component): Component => {
    let own = one.id;
    if (!own) {
      while (taken.has(next)) next += 1;
      own = next;
      next += 1;
    }
    return {
      ...(withMediaIds(one, nextId) as Component),
      id: own,
      ...(one.components === undefined ? {} : { components: one.components.map(number) }),
      ...(one.accessory === undefined ? {} : { accessory: number(one.accessory) }),
    };
  };
  return present((given as readonly Component[]).map(number));
}

/** What a component shows, pictures and files, has an id as if it were kept. */
function withMediaIds(
  one: Readonly<Record<string, unknown>>,
  nextId: () => string,
): Readonly<Record<string, unknown>> {
  const shown = (value: unknown): unknown => ({ ...(value as object), id: nextId() });
  return {
    ...one,
    ...(one['media'] === undefined ? {} : { media: shown(one['media']) }),
    ...(one['file'] === undefined ? {} : { file: shown(one['file']) }),
    ...(Array.isArray(one['items']) ? { items: one['items'].map((item) => withMediaIds(item, nextId)) } : {}),
  };
}

function* walk(given: readonly Component[]): Generator<Component> {
  for (const one of given) {
    yield one;
    yield* walk(one.components ?? []);
    if (one.accessory !== undefined) yield one.accessory;
  }
}
