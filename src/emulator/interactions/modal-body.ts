import * as z from 'zod';
import { choice, fault, integer, list, maybe, set, snowflake, text, textUpTo } from '../api/fields.ts';
import { misplaced } from '../messages/misplaced-component.ts';
import { isFileType, MAX_FILE_TYPES, normalFileType } from './commands/file-types.ts';

// Schemas of a modal's components in a request.

const id = maybe(integer(0, 2 ** 31 - 1));
const customId = text(1, 100);
const isRequired = () => maybe(z.boolean()).transform((value) => value ?? true);

/** Accepts only false: modal components cannot be disabled. */
const disabled = maybe(
  z
    .boolean()
    .refine((is) => !is, fault('MODAL_COMPONENT_DISABLED', 'Modals do not support disabled components')),
);
const own = { id, custom_id: customId, disabled };

const input = {
  type: z.literal(4),
  ...own,
  style: choice(1, 2),
  value: maybe(textUpTo(4000)),
  placeholder: maybe(textUpTo(100)),
  required: isRequired(),
  min_length: maybe(integer(0, 4000)),
  max_length: maybe(integer(1, 4000)),
};

const select = {
  ...own,
  placeholder: maybe(textUpTo(150)),
  min_values: maybe(integer(0, 25)),
  max_values: maybe(integer(1, 25)),
  required: isRequired(),
};
const choosable = {
  label: text(1, 100),
  value: text(1, 100),
  description: maybe(textUpTo(100)),
  default: maybe(z.boolean()),
};
const emoji = maybe(
  z.object({ id: maybe(snowflake()), name: maybe(textUpTo(32)), animated: maybe(z.boolean()) }),
);
const defaults = <const Types extends readonly string[]>(...types: Types) =>
  maybe(list(z.object({ id: snowflake(), type: choice(...types) }), 0, 25));

/** A group of file types such as `image`, or an extension with its dot; case-insensitive. */
const fileTypes = () =>
  maybe(
    list(
      z
        .string()
        .refine(
          isFileType,
          fault('BASE_TYPE_CHOICES', 'Value must be image, video, audio, or an extension such as .png.'),
        )
        .transform(normalFileType),
      0,
      MAX_FILE_TYPES,
    ),
  );

const inLabel = [
  z.object({
    ...input,
    label: maybe(
      text(1, 45).refine(
        () => false,
        fault('COMPONENT_LABEL_NOT_ALLOWED', 'A text input inside of a label has no label of its own'),
      ),
    ),
  }),
  z.object({ type: z.literal(3), ...select, options: list(z.object({ ...choosable, emoji }), 1, 25) }),
  z.object({ type: z.literal(5), ...select, default_values: defaults('user') }),
  z.object({ type: z.literal(6), ...select, default_values: defaults('role') }),
  z.object({ type: z.literal(7), ...select, default_values: defaults('user', 'role') }),
  z.object({
    type: z.literal(8),
    ...select,
    default_values: defaults('channel'),
    channel_types: maybe(set(integer(0, 16), 0, 20)),
  }),
  z.object({
    type: z.literal(19),
    ...own,
    required: isRequired(),
    min_values: maybe(integer(0, 10)),
    max_values: maybe(integer(1, 10)),
    file_types: fileTypes(),
  }),
  z.object({
    type: z.literal(21),
    ...own,
    required: isRequired(),
    options: list(z.object(choosable), 2, 10),
  }),
  z.object({
    type: z.literal(22),
    ...own,
    required: isRequired(),
    min_values: maybe(integer(0, 10)),
    max_values: maybe(integer(1, 10)),
    options: list(z.object(choosable), 1, 10),
  }),
  z.object({ type: z.literal(23), ...own, default: maybe(z.boolean()) }),
  misplaced(1, 2, 9, 10, 11, 12, 13, 14, 17, 18),
] as const;

const row = z.object({
  type: z.literal(1),
  id,
  components: list(
    z.discriminatedUnion('type', [
      z.object({ ...input, label: maybe(text(1, 45)) }),
      misplaced(1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 19, 21, 22, 23),
    ]),
    1,
    5,
  ),
});
const label = z.object({
  type: z.literal(18),
  id,
  label: text(1, 45),
  description: maybe(text(1, 100)),
  component: z.discriminatedUnion('type', inLabel),
});
const textDisplay = z.object({ type: z.literal(10), id, content: text(1, 4000) });

/** A modal in a request. */
export const modalBody = z.object({
  custom_id: customId,
  title: text(1, 45),
  components: list(
    z.discriminatedUnion('type', [
      row,
      label,
      textDisplay,
      misplaced(2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 19, 21, 22, 23),
    ]),
    1,
    40,
  ),
});

/** A modal in a request. */
export type ModalRequest = z.output<typeof modalBody>;
