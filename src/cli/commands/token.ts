import { appOptions } from '../app/connection.ts';
import { defineCommand, flag, textOption } from '../command.ts';
import { tokenOptions } from '../token/flags.ts';
import { runToken } from '../token/token.ts';

/** `footbridge token`. */
export const token = defineCommand({
  name: 'token',
  summary: 'Authorize as an app does and print the access token',
  group: 'develop',
  options: {
    ...appOptions,
    ...tokenOptions,
    out: textOption('FILE', 'write it to this file (mode 0600) instead of stdout'),
    forget: flag('remove the tokens that "call --scopes" stored, all or those for these options'),
  },
  json: true,
  details: [
    'Shakes hands, asks the user with AUTHORIZE and PKCE, and exchanges the code at the token endpoint. --json is the whole',
    'token response instead of the token alone. The secret of an application that has one is read from a variable or a',
    'file, because other programs can read a command line.',
  ],
  examples: [
    ['footbridge token --scopes rpc,identify', 'For a variable of a script'],
    [
      'footbridge token --scopes rpc --json --out token.json',
      'With its refresh token, for "call --token-file"',
    ],
    ['footbridge token --forget', 'Remove the tokens that "call --scopes" has stored'],
  ],
  run: ({ values, json }, io) => runToken(values, json, io),
});
