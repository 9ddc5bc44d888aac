import * as z from 'zod';
import { componentShape } from '../messages/content-shapes.ts';
import { resolvedShape } from './resolved.ts';

/** Option of a command as a user filled it in, or a subcommand with its own options. */
const optionShape = z
  .looseObject({
    name: z.string(),
    type: z.int(),
    value: z.optional(z.union([z.string(), z.number(), z.boolean()])),
    focused: z.optional(z.boolean()),
    get options() {
      return z.optional(z.array(optionShape));
    },
  })
  .meta({ id: 'InteractionOption' });

/** Details of an interaction: of a command, of a component, or of a modal. */
export const dataShape = z.looseObject({
  resolved: z.optional(resolvedShape),
  /** Id of the command, or the number of the component in its message. */
  id: z.optional(z.union([z.string(), z.int()])),
  name: z.optional(z.string()),
  type: z.optional(z.int()),
  guild_id: z.optional(z.string()),
  target_id: z.optional(z.string()),
  options: z.optional(z.array(optionShape)),
  custom_id: z.optional(z.string()),
  component_type: z.optional(z.int()),
  values: z.optional(z.array(z.string())),
  components: z.optional(z.array(componentShape)),
});
