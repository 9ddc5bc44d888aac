import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { ApiError, inField, invalidForm } from '../../../src/emulator/api/api-error.ts';
import { ERROR_CODES } from '../../../src/emulator/api/error-codes.ts';
import { ROOT, sourceFiles } from '../../helpers/source-files.ts';
import { bareText } from '../../helpers/source-text.ts';

/** Codes that discord-api-types has not, or has under one name only, with where the number is public. */
const NOT_IN_THE_LIBRARY: Readonly<Record<string, string>> = {
  UnknownAutoModerationRule: 'shares 10066 with the permissions of a command',
  UnknownGuildScheduledEventException: 'shares 10070 with the event itself',
  InvalidUserType: 'guide to provisional accounts',
  CannotRemoveEntryPointCommandInBulkUpdate: 'reference of application commands',
  IncomingFriendRequestsDisabled: 'answers of the relationship routes',
  FriendRequestBlocked: 'answers of the relationship routes',
  BotsCannotHaveRelationships: 'answers of the relationship routes',
  CannotSendFriendRequestsToSelf: 'answers of the relationship routes',
  NoIncomingFriendRequestFromThatUser: 'answers of the relationship routes',
  ForwardMessagesCannotHaveAdditionalContent: 'reference of messages',
  GuildScheduledEventExceptionIsEmpty: 'reference of scheduled events',
  OIDCConfigurationNotFound: 'guide to provisional accounts',
  OIDCJWKSNotFound: 'guide to provisional accounts',
  UserAccountIsNotProvisional: 'guide to provisional accounts',
  MergeSourceIsNotProvisional: 'guide to provisional accounts',
  MergeDestinationIsProvisional: 'guide to provisional accounts',
  MergeSourceUserIsBanned: 'guide to provisional accounts',
  InvalidOIDCJWTToken: 'guide to provisional accounts',
  UserAlreadyHasAnExternalIdentityOfThisApplication: 'guide to provisional accounts',
  IdTokenJWTHasNoKeyId: 'guide to provisional accounts',
};

/** Numbers that equal an error code and are something else. */
const OTHER_NUMBERS = [
  'src/emulator/guilds/guild-answers.ts max_members: 500_000',
  'src/emulator/kernel/limits.ts MAX_RECORDS = 200_000',
];

const known: Readonly<Record<string, unknown>> = RESTJSONErrorCodes;
const names = Object.keys(ERROR_CODES);
const numbers = new Set<number>(Object.values(ERROR_CODES).map(([code]) => code));
/** Each file that may refuse something, without comments. */
const texts = ['src/emulator', 'src/core/emulator']
  .flatMap(sourceFiles)
  .filter((file) => file !== 'src/emulator/api/error-codes.ts')
  .map((file) => [file, bareText(readFileSync(join(ROOT, file), 'utf8'))] as const);

describe('the table of error codes', () => {
  it('has the names and numbers of discord-api-types', () => {
    const wrong = Object.entries(ERROR_CODES).filter(
      ([name, [code]]) => !(name in NOT_IN_THE_LIBRARY) && known[name] !== code,
    );
    expect(wrong).toEqual([]);
  });

  it('lists the codes that discord-api-types lacks, and no others', () => {
    const lacking = names.filter((name) => known[name] === undefined);
    expect(lacking.sort()).toEqual(Object.keys(NOT_IN_THE_LIBRARY).sort());
  });

  it('is sorted by number', () => {
    const listed = Object.values(ERROR_CODES).map(([code]) => code);
    expect(listed).toEqual([...listed].sort((one, other) => one - other));
  });

  it('has only rows that a refusal uses', () => {
    const sources = texts.map(([, { code }]) => code).join('\n');
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
  });

  it('is the only place in the emulator with the number of a code', () => {
    const found = texts.flatMap(([file, { bare }]) =>
      [...bare.matchAll(/(\w+)(?: =|:)?\W*?(?<![\w.])(\d[\d_]*)(?![\w.])/g)]
        .filter(([, name, digits = '']) => isCode(name, Number(digits.replaceAll('_', ''))))
        .map(([text]) => `${file} ${text}`),
    );
    expect(found).toEqual(OTHER_NUMBERS);
  });
});

/** Whether a number is that of an error code. A zero is one where it is called so. */
function isCode(name: string | undefined, number: number): boolean {
  return number === 0 ? name === 'code' : numbers.has(number);
}

describe('ApiError', () => {
  it('has status, code and message of its row', () => {
    const error = new ApiError('UnknownUser');
    expect(error.reply).toEqual({ status: 404, body: { message: 'Unknown User', code: 10013 }, headers: {} });
  });

  it('names the limit in the message of a row with one', () => {
    const { body } = new ApiError('MaximumNumberOfPinsReachedForTheChannel', { limit: 250 });
    expect(body).toEqual({ message: 'Maximum number of pins reached for the channel (250)', code: 30003 });
  });

  it('appends the advice after a colon', () => {
    expect(new ApiError('InvalidOIDCJWTToken', { advice: 'send another' }).message).toBe(
      'Invalid OIDC JWT token: send another',
    );
  });

  it('has a custom status and message for the general error', () => {
    const { reply } = new ApiError('GeneralError', {
      status: 503,
      message: 'Too many {limit}',
      headers: { 'Retry-After': '1' },
    });
    expect(reply).toEqual({
      status: 503,
      body: { message: 'Too many {limit}', code: 0 },
      headers: { 'Retry-After': '1' },
    });
  });

  it('remains the same refusal in a field of a larger form', () => {
    const faults = [{ path: ['name'], code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }];
    const moved = inField(invalidForm(faults), 'data');
    expect(moved).toBeInstanceOf(ApiError);
    expect((moved as ApiError).body).toEqual({
      message: 'Invalid Form Body',
      code: 50035,
      errors: {
        data: { name: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] } },
      },
    });
  });
});
