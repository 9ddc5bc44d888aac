// The app in the pictures of the console, a process of its own: a bridge lets nobody answer a request of their own. Arguments:
// its endpoint and the address of its HTTP API. It signs in, watches the voice settings, is refused once, shows an activity,
// and asks again on a second connection.
import { connect } from '../src/client/index.ts';
import { authorize } from '../src/client/oauth2.ts';

const clientId = '300000000000000001';
const [endpoint = '', api = ''] = process.argv.slice(2);
const scopes = ['rpc', 'identify'];
const options = { clientId, paths: [endpoint], reconnect: false };

const app = await connect(options);
await authorize(app, { api, clientId, clientSecret: 'anything', scopes });
await app.subscribe('VOICE_SETTINGS_UPDATE', {}, () => {});
await app.request('SET_VOICE_SETTINGS', { mute: true });
await app.request('GET_GUILD', { guild_id: '1' }).catch(() => {});
await fetch(`${api}/v10/gateway`);
await app.setActivity({
  state: 'In the harbour',
  details: 'Waiting for the ferry',
  party: { id: 'quay', size: [2, 4] },
});
const other = await connect(options);
// Nobody answers it.
await other.request('AUTHORIZE', { client_id: clientId, scopes }).catch(() => {});
