import { defineCommand, textOption } from '../command.ts';
import { runForward } from '../forward/run-forward.ts';
import { usage } from '../parse.ts';

const RIGHTS = ['presence', 'full'] as const;

/** `footbridge forward`. */
export const forward = defineCommand({
  name: 'forward',
  summary: 'Lead apps of another machine, container or sandbox to a bridge',
  group: 'bridge',
  options: {
    from: textOption('ENDPOINT', 'where apps connect: a path, stdio: or exec:COMMAND'),
    to: textOption('ENDPOINT', 'where the bridge is: a path, auto, stdio: or exec:COMMAND'),
    rights: textOption(
      RIGHTS.join('|'),
      'what the apps may do (default presence); the smaller of both ends counts at stdio:',
      { choices: RIGHTS },
    ),
    name: textOption('NAME', 'name of the apps’ side in prompts and lists (default: its host or folder)'),
  },
  json: true,
  details: [
    'A path is that of a socket, or of a pipe of Windows (\\\\.\\pipe\\NAME). auto is the bridge of this machine, or the',
    'chat client that apps would find. exec:COMMAND runs a command without a shell, and speaks with a second "footbridge',
    'forward" over its standard input and output, which has stdio: there. One command carries the sessions of all apps;',
    'it is started again when it ends, and its sessions get a CLOSE frame. No port of a network is ever opened.',
    '--rights full lets the apps do everything that local apps may. It asks once for each pair of ends that has exec:.',
  ],
  examples: [
    [
      "footbridge forward --from /run/user/1000/discord-ipc-0 --to 'exec:ssh desk footbridge forward --from stdio: --to auto'",
      'Apps here, the bridge on the machine desk',
    ],
    [
      "footbridge forward --from 'exec:docker exec -i web footbridge forward --from /tmp/discord-ipc-0 --to stdio:' --to auto",
      'Apps in the container web, the bridge here',
    ],
  ],
  run({ values: { from, to, rights, name }, json }, io) {
    if (from === undefined || to === undefined)
      throw usage(`${from === undefined ? '--from' : '--to'} ENDPOINT is missing.`, { name: 'forward' });
    return runForward({ from, to, rights: RIGHTS.find((one) => one === rights), name, json }, io);
  },
});
