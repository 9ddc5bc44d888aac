import * as z from 'zod';
import { fault } from '../api/fields.ts';

/** Schema for component types that exist, but are not allowed in this context. */
export const misplaced = (...types: readonly number[]) =>
  z
    .object({ type: z.literal([...types]) })
    .refine(
      () => false,
      fault('COMPONENT_TYPE_INVALID', 'The specified component type is invalid in this context'),
    )
    // The refinement always fails.
    .transform((value) => value as never);
