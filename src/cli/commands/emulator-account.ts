import { defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

/** `footbridge emulator id-token APP SUBJECT`. */
export const emulatorIdToken = defineCommand({
  name: 'emulator id-token',
  summary: 'Print an id_token of the built-in issuer, as proof of who somebody is outside the platform',
  group: 'emulator',
  positionals: [
    { name: 'APP', help: 'id or exact name of the application', arity: 'one', completes: 'applications' },
    { name: 'SUBJECT', help: 'what the issuer calls the user', arity: 'one' },
  ],
  options: {
    name: { type: 'string', value: 'NAME', help: 'the display name that the user has there' },
    nonce: { type: 'string', value: 'NONCE', help: 'the nonce that the token carries' },
  },
  json: true,
  details: ['Good for an hour, as external_auth_token of the type OIDC.'],
  examples: [
    ["footbridge emulator id-token 'Harbour Example' player-7 --name Gull", 'Somebody whom a game knows'],
  ],
  run({ positionals: [app, subject], values, json }, io) {
    const { name, nonce } = values;
    return changeEmulator(io, json, {
      operation: 'id-token',
      args: {
        app,
        subject,
        ...(name === undefined ? {} : { name }),
        ...(nonce === undefined ? {} : { nonce }),
      },
      say: ({ id_token }: { readonly id_token: string }) => id_token,
    });
  },
});
