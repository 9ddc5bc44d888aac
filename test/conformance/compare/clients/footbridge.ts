import { connect } from '../../../../src/client/index.ts';
import { contract, perform, stay, tell } from './contract.ts';

stay();
try {
  // Shorter than the suite's patience.
  const client = await connect({ clientId: contract.clientId, requestTimeoutMs: 8000 });
  client.on('disconnected', () => tell('closed'));
  client.on('dispatch', (event, data) => {
    if (event === contract.event) tell('event', { data });
  });
  tell('ready', { user: client.user?.id });
  await perform({
    setActivity: (activity) => client.setActivity(activity),
    clearActivity: () => client.clearActivity(),
    request: (cmd, args) => client.requestRaw(cmd, args),
    subscribe: (event) => client.subscribeRaw(event, {}, () => {}),
    leave: () => client.close(),
  });
} catch (error) {
  tell('failed', { message: error instanceof Error ? error.message : 'unknown' });
}
