import * as z from 'zod';
import { userShape } from '../../users/shapes.ts';

/** The body of a PING to an interactions endpoint. */
export const pingShape = z.object({
  id: z.string(),
  application_id: z.string(),
  type: z.literal(1),
  version: z.int(),
  user: userShape,
});
