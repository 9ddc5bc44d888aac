// Publishes an activity until Ctrl-C, also after a restart of the chat client.
// npx tsx src/client/examples/presence.ts
import { connect } from '../index.ts';

const client = await connect({ clientId: '300000000000000001', wait: true, keepAlive: true });
client.on('ready', ({ user }) => process.stdout.write(`Shown again for ${user?.username}\n`));
await client.setActivity({ details: 'By the river', timestamps: { start: new Date() } });
process.stdout.write(`Shown for ${client.user?.username}\n`);
process.once('SIGINT', () => void client.close());
