import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { FOOTBRIDGE } from '../peers.ts';
import { withServer } from '../running.ts';
import { median } from '../statistics.ts';
import { less, type Row } from './row.ts';

const run = promisify(execFile);

/** Whole processes of the command line, beside the least a process of Node can be. */
export const commandsRow: Row = {
  id: 'commands',
  title: 'the command line, whole processes',
  quantities: [
    less('node', 'node -e 0', 'ms', 0),
    less('status', 'footbridge status', 'ms', 0),
    less('statusOver', 'status over node -e 0', '×', 2),
    less('call', 'footbridge call', 'ms', 0),
    less('callOver', 'call over node -e 0', '×', 2),
  ],
  peers: [FOOTBRIDGE],
  measure: (peer, bench) =>
    withServer(peer, {}, async ({ env }) => {
      const activity = '{"pid":1,"activity":{"state":"hello"}}';
      const commands: Readonly<Record<string, readonly string[]>> = {
        node: [process.execPath, '-e', '0'],
        status: [...bench.program.command, 'status'],
        call: [...bench.program.command, 'call', 'SET_ACTIVITY', activity],
      };
      const times: Readonly<Record<string, number[]>> = { node: [], status: [], call: [] };
      // One after the other, so that a mood of the machine meets all; the first round warms the file system.
      for (let round = 0; round < (bench.quick ? 4 : 10); round++) {
        for (const [name, [program = '', ...args]] of Object.entries(commands)) {
          const begin = performance.now();
          await run(program, args, { env });
          if (round > 0) times[name]?.push(performance.now() - begin);
        }
      }
      const [node, status, call] = [times['node'], times['status'], times['call']].map((list) =>
        median(list ?? []),
      );
      if (node === undefined || status === undefined || call === undefined) throw new Error('no times');
      return { node, status, call, statusOver: status / node, callOver: call / node };
    }),
};
