import { expect, it } from 'vitest';
import { buildName, isPattern, matches } from '../../../src/core/upstream/client-name.ts';

const RUN = '/run/user/1000';
const program = (exe: string, name = exe.slice(exe.lastIndexOf('/') + 1)) => ({ pid: 1, exe, name });

it.each([
  [`${RUN}/app/com.discordapp.Discord/discord-ipc-0`, undefined, 'stable'],
  [`${RUN}/app/com.discordapp.DiscordCanary/discord-ipc-0`, undefined, 'canary'],
  [`${RUN}/.flatpak/dev.vencord.Vesktop/xdg-run/discord-ipc-0`, undefined, 'vesktop'],
  // The folder counts before the program, which is that of a sandbox.
  [`${RUN}/app/app.legcord.Legcord/discord-ipc-0`, program('/usr/bin/bwrap'), 'legcord'],
  [`${RUN}/snap.discord/discord-ipc-0`, undefined, 'stable'],
  [`${RUN}/snap.discord-canary/discord-ipc-0`, undefined, 'canary'],
  [`${RUN}/discord-ipc-1`, program('/usr/share/discord/Discord'), 'stable'],
  [`${RUN}/discord-ipc-1`, program('/opt/discord-ptb/DiscordPTB'), 'ptb'],
  [`${RUN}/discord-ipc-1`, program('/opt/discord-canary/DiscordCanary'), 'canary'],
  [`${RUN}/discord-ipc-1`, program('C:\\\\Discord.exe', 'Discord.exe'), 'stable'],
  [`${RUN}/discord-ipc-1`, program('/opt/Vesktop/vesktop.bin'), 'vesktop'],
  [`${RUN}/discord-ipc-1`, program('/opt/ArmCord/armcord'), 'legcord'],
  [`${RUN}/discord-ipc-1`, program('/usr/bin/node', 'node footbridge.js'), 'footbridge'],
  [`${RUN}/discord-ipc-1`, program('/usr/bin/node', 'node arrpc'), 'arrpc'],
  [`${RUN}/discord-ipc-1`, program('/usr/lib/electron/electron', 'electron equibop.asar'), 'equibop'],
  [`${RUN}/discord-ipc-2`, program('/usr/bin/node', 'node index.js'), 'client-2'],
  [`${RUN}/discord-ipc-2`, program('/opt/x/\u001b[31mEvil \u202e*', '\u001b[31mEvil'), '31mevil'],
  [`${RUN}/discord-ipc-2`, { pid: 1 }, 'client-2'],
  [`${RUN}/elsewhere`, undefined, 'client'],
])('the client at %s, served by %j, is named %s', (path, by, name) => {
  expect(buildName(path, by)).toBe(name);
});

it.each([
  ['stable', true],
  ['stable-2', true],
  ['*', true],
  ['user:123', true],
  ['user:*', true],
  ['', false],
  ['-x', false],
  ['a b', false],
  ['user:abc', false],
  [`${'a'.repeat(61)}`, false],
])('%j as a pattern of names: %s', (text, is) => {
  expect(isPattern(text)).toBe(is);
});

it.each<[pattern: string, name: string, user: string | undefined, matches: boolean | 'unknown']>([
  ['stable', 'stable', undefined, true],
  ['STABLE', 'stable', undefined, true],
  ['stable', 'stable-2', undefined, false],
  ['stable*', 'stable-2', undefined, true],
  ['*able', 'stable', undefined, true],
  ['s*b*e', 'stable', undefined, true],
  ['s*e*b', 'stable', undefined, false],
  ['stable*stable', 'stable', undefined, false],
  ['a*a', 'a', undefined, false],
  ['*b*b*', 'stable', undefined, false],
  ['user:12', 'stable', '12', true],
  ['user:12', 'stable', '123', false],
  ['user:12*', 'stable', '123', true],
  ['user:12', 'stable', undefined, 'unknown'],
  ['12', 'stable', '12', false],
])('the pattern %j matches the client %s of the account %s: %s', (pattern, name, user, is) => {
  expect(matches(pattern, { name, user })).toBe(is);
});
