import * as z from 'zod';

/** Types of components that are there, but not here. */
export const misplaced = (...types: readonly number[]) =>
  z
    .object({ type: z.literal([...types]) })
    .refine(() => false, {
      params: {
        code: 'COMPONENT_TYPE_INVALID',
        message: 'The specified component type is invalid in this context',
      },
    })
    // There is never one.
    .transform((given) => given as never);
