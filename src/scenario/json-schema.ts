import * as z from 'zod';
import { scenarioFile } from './schema.ts';

/**
 * JSON Schema of a scenario file, for editors. Only `npm run gen` and tests load this file: the reader validates with the
 * schemas themselves.
 */
export function scenarioSchema(): object {
  const { $schema: draft, ...rest } = z.toJSONSchema(scenarioFile(), {
    io: 'input',
    target: 'draft-2020-12',
  });
  return { $schema: draft, title: 'Scenarios of Footbridge', ...rest };
}
