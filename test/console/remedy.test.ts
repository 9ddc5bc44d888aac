import { expect, it } from 'vitest';
import { commandsIn } from '../../src/console/page/views/doctor/remedy.ts';

it.each([
  [
    'footbridge run, or footbridge install for one that starts with your session',
    ['footbridge run', 'footbridge install'],
  ],
  ['chmod 0700 /home/a/data (footbridge doctor --fix does it)', ['chmod 0700 /home/a/data']],
  ['chmod 0700 /home/a/data, if nobody else uses it', ['chmod 0700 /home/a/data']],
  ['footbridge logs says why; then footbridge restart', ['footbridge logs', 'footbridge restart']],
  [
    'remove the dead sockets: footbridge doctor --fix, or rm /a/b /a/c',
    ['footbridge doctor --fix', 'rm /a/b /a/c'],
  ],
  ['move it away: mv /a /a.old', ['mv /a /a.old']],
  ['unset FOOTBRIDGE_ENDPOINT, and run footbridge doctor again', ['unset FOOTBRIDGE_ENDPOINT']],
  ['correct that; footbridge help configuration describes every key', ['footbridge help configuration']],
  [
    'for one that needs it: footbridge endpoints add snap --client chat',
    ['footbridge endpoints add snap --client chat'],
  ],
  ['footbridge install --force, once your changes are kept elsewhere', ['footbridge install --force']],
  [
    'flatpak override --user --filesystem=xdg-run/x org.a.B, then start the app',
    ['flatpak override --user --filesystem=xdg-run/x org.a.B'],
  ],
  ['follow that line', []],
  ['give another folder', []],
])('the commands in %j are %j', (remedy, commands) => {
  expect(commandsIn(remedy)).toEqual(commands);
});
