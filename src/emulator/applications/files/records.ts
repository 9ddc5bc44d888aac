import { byDigest, storedFile } from '../../files/stored-records.ts';
import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** A temporary picture that an application uploaded for an activity. */
export const applicationAttachments = defineRecord({
  name: 'application_attachments',
  noun: 'attachment of an application',
  about: 'files of applications',
  key: ['id'],
  indexes: { file: byDigest },
  file: 'file',
  schema: (parts: SchemaParts) => {
    const { table, snowflake, matching } = parts;
    return table({
      id: snowflake(),
      application: snowflake(),
      filename: matching(/^[\w.-]{1,260}$/, 'must be of letters, digits, and . _ -'),
      file: storedFile(parts),
    });
  },
});
