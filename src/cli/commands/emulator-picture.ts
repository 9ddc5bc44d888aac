import { printable } from '../../base/text.ts';
import { MAX_WIDTH, MIN_WIDTH, USUAL_WIDTH, WINDOW_HEIGHT } from '../../picture/size.ts';
import { defineCommand, textOption } from '../command.ts';
import { daemonClient, printResult } from '../daemon-client.ts';
import { usage } from '../parse.ts';
import { writableTarget, writeTarget } from '../private-target.ts';

/** `footbridge emulator picture MESSAGE FILE.png`. */
export const emulatorPicture = defineCommand({
  name: 'emulator picture',
  summary: 'Draw a message as a chat client does, as a PNG',
  group: 'emulator',
  positionals: [
    { name: 'MESSAGE', help: 'id of the message', arity: 'one' },
    { name: 'FILE.png', help: 'where to write it', arity: 'one' },
  ],
  options: {
    as: textOption('USER', 'who sees it; the logged-in user unless given', { completes: 'users' }),
    part: textOption(
      'PART',
      `surface: the whole message alone (default); viewport: a window of ${WINDOW_HEIGHT} pixels height`,
      {
        choices: ['surface', 'viewport'],
      },
    ),
    theme: textOption('THEME', 'light (default) or dark', { choices: ['light', 'dark'] }),
    width: textOption('N', `width in pixels, ${MIN_WIDTH} to ${MAX_WIDTH} (default ${USUAL_WIDTH})`),
  },
  json: true,
  details: [
    'It needs a Chromium, Chrome or Edge: the first of PATH, or the one in FOOTBRIDGE_CHROMIUM. None is downloaded, and it fetches nothing.',
    'The same message has the same bytes each time, with the same browser and fonts, while the clock of the emulator stands still.',
  ],
  examples: [
    ['footbridge emulator picture 1461234567890123456 reply.png', 'The whole message'],
    [
      'footbridge emulator picture 1461234567890123456 reply.png --as heron --theme dark',
      'As somebody else sees it',
    ],
    [
      'footbridge emulator picture 1461234567890123456 reply.png --width 360 --json',
      'Narrow, with what drew it',
    ],
  ],
  async run({ positionals: [message = '', path = ''], values, json }, io) {
    const { as: user, part = 'surface', theme = 'light' } = values;
    const width = widthOf(values.width);
    const target = writableTarget(path, 'file');
    const { takePicture } = await import('../picture/take-picture.ts');
    const request = {
      message,
      user,
      part: part as 'surface' | 'viewport',
      theme: theme as 'light' | 'dark',
      width,
    };
    const { png, ...facts } = await takePicture(daemonClient(io), request, io);
    await writeTarget(target, path, png, 'file');
    return printResult(io, json, { file: target, ...facts }, () => {
      const { height, browser, fonts, sandboxed } = facts;
      const sandbox = sandboxed ? '' : ' without its sandbox, which root cannot have';
      return `${printable(`${path}: ${width} × ${height} pixels, by ${browser}${sandbox}, with ${fonts.join(', ')}.`)}\n`;
    });
  },
});

/** Throws `LocalError` FOOTBRIDGE_USAGE. */
function widthOf(typed: string | undefined): number {
  if (typed === undefined) return USUAL_WIDTH;
  const width = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (width >= MIN_WIDTH && width <= MAX_WIDTH) return width;
  const problem = `--width: ${printable(JSON.stringify(typed.slice(0, 60)))} is no number of pixels from ${MIN_WIDTH} to ${MAX_WIDTH}.`;
  throw usage(problem, { name: 'emulator picture' });
}
