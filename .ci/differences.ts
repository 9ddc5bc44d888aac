// Differences between two sources of the platform's contract, with the emulator's choice; the reference page lists
// them.

/** One point on which the sources differ. */
export interface Difference {
  /** Id of the row of `coverage.json` from whose statement the other source differs; absent for other differences. */
  readonly row?: string;
  readonly about: string;
  readonly one: string;
  readonly other: string;
  readonly here: string;
}

/** Differences between a statement of `coverage.json` and the published contract. */
export const statedAndPublished: readonly Difference[] = [
  {
    row: 'O-13',
    about: '`permissions_new`, `allow_new`, `deny_new`',
    one: 'carry the full set',
    other: 'only in answers of version 6, which is also the default; from 8 on the base fields are texts',
    here: 'both: numbers of 31 bits with the twins in versions 6 and 7 and where none is named, texts alone from 8 on',
  },
  {
    row: 'O-23',
    about: 'the name of audit log entry 192',
    one: '`VOICE_CHANNEL_STATUS_UPDATE`',
    other: 'the reference has `…_CREATE`',
    here: 'only the number goes over the wire',
  },
  {
    row: 'M-1',
    about: 'what a Label of a modal holds',
    one: 'a text input or a select',
    other: 'also a file upload, a radio group, a checkbox group and a checkbox',
    here: 'all ten kinds',
  },
  {
    row: 'M-11',
    about: 'the largest number of files of an upload',
    one: '0 to 10',
    other: '1 to 10',
    here: '0 is refused with 50035',
  },
  {
    row: 'M-13',
    about: 'components at the top of a modal',
    one: 'the prose: 1 to 5',
    other: 'the OpenAPI document: 1 to 40',
    here: '1 to 5',
  },
  { row: 'E-8', about: '`/oauth2/token`', one: 'GET', other: 'POST', here: 'POST; GET answers 405' },
  {
    row: 'P-20',
    about: "who may see and change an invite's target users",
    one: 'MANAGE_GUILD',
    other: 'who made the invite, too; VIEW_AUDIT_LOG is enough to see them',
    here: 'any of them',
  },
  {
    row: 'U-3',
    about: 'unlinking',
    one: 'both tokens are to be revoked',
    other: 'one revocation deletes every token of that user and application',
    here: 'one is enough, a second answers 200',
  },
  {
    row: 'R-4',
    about: '110000, not indexed yet',
    one: 'an error',
    other: 'status 202 with the body of an error',
    here: '202 with `retry_after`',
  },
  {
    row: 'N-4',
    about: 'the day from which pins need PIN_MESSAGES',
    one: '2026-01-12',
    other: 'moved to 2026-02-23',
    here: '2026-02-23, by the clock of the emulator',
  },
];

/** Between published sources. */
export const publishedSources: readonly Difference[] = [
  {
    row: 'P-1',
    about: 'longest `max_age` of an invite',
    one: 'the prose: 604,800',
    other: 'the OpenAPI document: 5,184,000',
    here: '604,800',
  },
  {
    row: 'E-3',
    about: 'metadata of a lobby',
    one: 'the prose: 1,000 characters in all',
    other: 'the OpenAPI document: 25 pairs of up to 1,024 characters',
    here: '1,000 in all',
  },
  {
    row: 'R-7',
    about: 'the code of a fault in a field',
    one: 'a text, in every answer that was seen',
    other: 'the OpenAPI document: a number',
    here: 'a text',
  },
  {
    row: 'E-8',
    about: 'routes of OAuth 2.0, and child tokens',
    one: 'the prose has them',
    other: 'the OpenAPI document has not',
    here: 'offered',
  },
  {
    row: 'P-6',
    about: 'the newer routes of target users',
    one: 'the change-log has them',
    other: 'the OpenAPI document is older',
    here: 'as the change-log says',
  },
  {
    row: 'K-1',
    about: 'the redirect address of a code that came over RPC',
    one: 'the prose: a registered one, in the exchange',
    other: 'AUTHORIZE refuses one, and embedded activities send none',
    here: 'none, or any that is registered',
  },
  {
    row: 'V-8',
    about: '`voice_start_time`',
    one: 'seconds since 1970',
    other: 'one table: ISO 8601',
    here: 'seconds',
  },
  {
    row: 'E-8',
    about: 'the content type of token and revocation requests',
    one: 'the prose: a form alone',
    other: 'a library in use sends multipart',
    here: 'both; JSON is refused',
  },
  {
    row: 'N-7',
    about: 'the version of a path without one',
    one: 'the prose: 6',
    other: 'most clients name 10',
    here: 'as 10, but for the twins of O-13',
  },
  {
    row: 'V-8',
    about: '`nonce` of a request over the gateway',
    one: 'up to 32 bytes',
    other: 'nothing is said of longer ones',
    here: 'a longer one is not given back',
  },
  {
    row: 'U-1',
    about: 'bots at `/oauth2/@me` and `/oauth2/userinfo`',
    one: 'the OpenAPI document lets them in',
    other: 'the prose has both for people',
    here: 'people only',
  },
];
