import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { freePort } from '../helpers/sockets.ts';
import { footbridge, startDaemonProcess, startFootbridge, temporaryPlace } from './spawn.ts';

const APP = '300000000000000001';
const PAGE = 'http://localhost:3000';
const COMMAND = `footbridge origins add ${APP} ${PAGE}`;

interface Refused {
  readonly origin: string | null;
  readonly over: string;
  readonly count: number;
  readonly remedy: string;
}

it('journal, watch, status and doctor report a page closed with 4001, with the command that allows the page', async () => {
  const place = temporaryPlace();
  const port = await freePort();
  await startDaemonProcess(place, '--ws-port', String(port));
  const url = `ws://127.0.0.1:${port}`;
  const connect = async (): Promise<number> => {
    const socket = new WebSocket(`${url}/?v=1&client_id=${APP}&access_token=secret-in-query`, {
      origin: PAGE,
    });
    const first = await Promise.race([
      once(socket, 'close').then(([code]) => code as number),
      once(socket, 'message').then(() => 0),
    ]);
    socket.terminate();
    return first;
  };
  const json = async (...words: string[]) =>
    JSON.parse((await footbridge(place, ...words, '--json')).stdout) as Record<string, unknown>;
  const findingOf = async () => {
    const { checks } = (await json('doctor')) as unknown as { checks: { id: string; fix: string | null }[] };
    return checks.find(({ id }) => id === 'pages');
  };
  expect(await json('status')).toMatchObject({ refused: [] });
  expect(await findingOf()).toMatchObject({ verdict: 'ok' });

  const watch = startFootbridge(place, ['watch']);
  // From when on it follows, it tells nobody but a person at a terminal.
  do await footbridge(place, 'call', 'GET_VOICE_SETTINGS');
  while ((await watch.stdoutWith('')) === '');
  expect(await connect()).toBe(4001);
  const headers = { origin: 'https://other.example' };
  await fetch(`${url.replace('ws:', 'http:')}/rpc?v=1&client_id=7`, { method: 'POST', headers });
  await watch.stdoutWith(`over websocket: origin not allowed; to do: ${COMMAND}\n`);
  const watched = await watch.stdoutWith('to do: footbridge origins add 7 https://other.example\n');
  watch.child.kill('SIGINT');

  const { refused } = (await json('status')) as unknown as { refused: Refused[] };
  expect(refused.at(-1)).toMatchObject({ origin: PAGE, over: 'websocket', count: 1, remedy: COMMAND });
  expect(refused[0]).toMatchObject({ origin: 'https://other.example', over: 'http' });
  const { stdout: status } = await footbridge(place, 'status');
  expect(status).toMatch(
    new RegExp(`^refused +${PAGE} for .*\\(${APP}\\) over websocket: origin not allowed, last`, 'm'),
  );
  expect(status).toMatch(new RegExp(`^to do +${COMMAND}$`, 'm'));

  const { stdout: lines } = await footbridge(place, 'journal', '--json');
  const entries = JSON.parse(lines) as readonly JournalEntry[];
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: 'refused', origin: PAGE, clientId: APP, remedy: COMMAND }),
  );
  expect((await footbridge(place, 'journal')).stdout).toContain(COMMAND);
  expect(lines + status + watched).not.toContain('secret-in-query');
  expect(await findingOf()).toMatchObject({ verdict: 'warning', fix: expect.stringContaining(COMMAND) });

  // Of many the newest are shown, each with a line that can be pasted.
  for (const name of ['a', 'b', 'c', 'd'])
    await fetch(`${url.replace('ws:', 'http:')}/rpc?v=1&client_id=7`, {
      method: 'POST',
      headers: { origin: `https://${name}.example` },
    });
  const { stdout: many } = await footbridge(place, 'status');
  expect(many.match(/^refused .*/gm)).toEqual([
    expect.stringContaining('https://d.example'),
    expect.stringContaining('https://c.example'),
    expect.stringContaining('https://b.example'),
    expect.stringMatching(/^refused +3 more: footbridge status --json/),
  ]);
  const { stdout: report } = await footbridge(place, 'doctor');
  expect(report.match(/to do: footbridge origins add .*/g)).toEqual(
    ['d', 'c', 'b'].map((name) => `to do: footbridge origins add 7 https://${name}.example`),
  );

  expect((await footbridge(place, ...COMMAND.split(' ').slice(1))).code).toBe(0);
  expect(await connect()).toBe(0);
  const after = (await json('status')) as unknown as { refused: Refused[] };
  expect(after.refused.map(({ origin }) => origin)).not.toContain(PAGE);
}, 60_000);
