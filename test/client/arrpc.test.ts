import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { startArrpc } from '../helpers/arrpc.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const clientId = '207646673902501888';

it('the client sets presence on arRPC 3.5.0, clears it, and restores it after arRPC was killed', async () => {
  const folder = temporaryFolder();
  const arrpc = await startArrpc(folder);
  const client = await connect({ clientId, paths: [arrpc.path] });
  onTestFinished(() => client.close());
  expect(client.user?.username).toBe('arrpc');

  const shown = await client.setActivity({ details: 'By the river', timestamps: { start: new Date() } });
  expect(shown).toMatchObject({ application_id: clientId, details: 'By the river' });
  await eventually(() =>
    expect(arrpc.activities().at(-1)).toMatchObject({
      activity: { details: 'By the river' },
      pid: process.pid,
    }),
  );
  await client.clearActivity();
  await eventually(() => expect(arrpc.activities().at(-1)).toMatchObject({ activity: null }));
  await client.setActivity({ details: 'Back at the river' });

  const lost = new Promise((resolve) => client.on('disconnected', resolve));
  await arrpc.stop();
  await lost;
  const ready = new Promise((resolve) => client.on('ready', resolve));
  const again = await startArrpc(folder);
  await ready;
  await eventually(() =>
    expect(again.activities().at(-1)).toMatchObject({ activity: { details: 'Back at the river' } }),
  );
});

it('the client times out where arRPC 3.5.0 never answers', async () => {
  const arrpc = await startArrpc();
  const client = await connect({ clientId, paths: [arrpc.path] });
  onTestFinished(() => client.close());
  const asked = client.request('GET_GUILDS', {}, { timeoutMs: 50 });
  await expect(asked).rejects.toMatchObject({ code: 'FOOTBRIDGE_TIMEOUT' });
  expect(await client.setActivity({ details: 'By the river' })).toMatchObject({ details: 'By the river' });
});
