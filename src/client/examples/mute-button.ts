// Enter mutes and unmutes the microphone; the program also prints changes made elsewhere.
// npx tsx src/client/examples/mute-button.ts API, where API is the address that `npm start` prints as the token
// endpoint
import { createInterface } from 'node:readline';
import { connect, RpcError } from '../index.ts';
import { authorize } from '../oauth2.ts';

const app = { api: process.argv[2] ?? '', clientId: '300000000000000001' };
const client = await connect({ clientId: app.clientId, wait: true });
const scopes = ['identify', 'rpc', 'rpc.voice.read', 'rpc.voice.write'];
try {
  await authorize(client, { ...app, scopes });
} catch (error) {
  if (!(error instanceof RpcError)) throw error;
  // The user refused; only the user may start another attempt.
  process.stdout.write(`Refused: ${error.message}\n`);
  process.exit(1);
}

let muted = false;
await client.subscribe('VOICE_SETTINGS_UPDATE', {}, ({ mute }) => {
  muted = mute;
  process.stdout.write(mute ? 'muted\n' : 'live\n');
});
const lines = createInterface({ input: process.stdin });
for await (const _line of lines) await client.request('SET_VOICE_SETTINGS', { mute: !muted });
await client.close();
