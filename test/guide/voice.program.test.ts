// The examples for voice, run next to a bridge: each command line in them, and the programs that are here.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programs } from '../helpers/examples.ts';
import { fences } from '../helpers/markdown.ts';
import { blockOf, bridgeWith, pageText, shellFor, stepsOf, unhurried } from '../helpers/page-sessions.ts';

const PAGE = '.github/guide/presence-and-voice.md';
/** Blocks of configuration, and how a command line is found in a line of each. */
const BINDINGS = [
  ['json', /"(?:exec|on-click(?:-right)?)": "(footbridge [^"]+)"/],
  ['ini', /^(?:exec|click-\w+) = (footbridge .+)$/],
  ['tmux', /(?:#\(|')(footbridge [^)'>]+)/],
  ['sway', /exec (footbridge .+)$/],
  ['hyprland', /exec, (footbridge .+)$/],
  ['desktop', /^Exec=(footbridge .+)$/],
  ['sh', /^(footbridge .+)$|command '(footbridge .+)'/],
] as const;

const bridge = () => bridgeWith('--consent', 'allow', '--ws-port', 'off');

/** Command lines of all bindings of the page. */
function bound(): string[] {
  const found = fences(pageText(PAGE)).flatMap(({ language, text }) =>
    BINDINGS.filter(([of]) => of === language).flatMap(([, pattern]) =>
      text.split('\n').flatMap((line) => pattern.exec(line)?.slice(1).find(Boolean)?.trim() ?? []),
    ),
  );
  return [...new Set(found)];
}

it('the session of the page prints what the page shows', async () => {
  const { run } = shellFor(await bridge());
  const steps = stepsOf(PAGE).filter(({ command }) => command.startsWith('footbridge voice '));
  expect(steps.length).toBeGreaterThan(4);
  for (const { command, printed } of steps) expect(unhurried(await run(command)), command).toBe(printed);
});

describe('the bindings', () => {
  it('run commands that work', { timeout: 120_000 }, async () => {
    const daemon = await bridge();
    const { run, start } = shellFor(daemon);
    await run('footbridge voice join Lounge; footbridge voice mode push-to-talk');
    const lines = bound();
    expect(lines).toEqual(
      expect.arrayContaining(['footbridge voice toggle-mute', 'footbridge voice talk --release']),
    );
    for (const line of lines) {
      if (!line.includes('--follow')) {
        const ended = await daemon.cli(line.split(' ').slice(1));
        expect({ line, code: ended.code, stderr: ended.stderr }).toEqual({ line, code: 0, stderr: '' });
        continue;
      }
      const follower = start(`exec ${line}`);
      onTestFinished(() => void follower.kill('SIGKILL'));
      let printed = '';
      follower.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
      await expect.poll(() => printed, { timeout: 30_000 }).toMatch(/\n/);
      if (line.includes('waybar'))
        expect(JSON.parse(printed.split('\n')[0] ?? '')).toMatchObject({ text: 'Lounge' });
    }
  });

  it('have icons for each class of the bar, in a module that is JSON', () => {
    const modules = JSON.parse(blockOf(PAGE, 'json', 'custom/voice')) as Record<
      string,
      Record<string, object>
    >;
    const icons = Object.keys(modules['custom/voice']?.['format-icons'] ?? {});
    expect(icons).toEqual(['open', 'muted', 'deafened', 'talking', 'default']);
  });

  const noTmux = spawnSync('tmux', ['-V']).status !== 0;
  it.skipIf(noTmux)(
    `of tmux show the state in its status line${noTmux ? ' (needs tmux)' : ''}`,
    { timeout: 120_000 },
    async () => {
      const daemon = await bridge();
      const { run } = shellFor(daemon);
      await run('footbridge voice join Lounge');
      writeFileSync(
        join(daemon.folder, 'tmux.conf'),
        `${blockOf(PAGE, 'tmux', 'status-right')}\nset -g status-right-length 200\n`,
      );
      const tmux = `tmux -S ${join(daemon.folder, 'tmux.sock')} -f ${join(daemon.folder, 'tmux.conf')}`;
      await run(`${tmux} new-session -d -x 250 -y 10 cat`);
      onTestFinished(async () => void (await run(`${tmux} kill-server`)));
      const state = async () =>
        JSON.parse((await daemon.cli(['voice', '--json'])).stdout) as { muted: boolean };
      expect((await state()).muted).toBe(false);
      // The key of the page, as it is bound.
      expect(await run(`${tmux} list-keys -T prefix m`)).toContain('footbridge voice toggle-mute');
      await run(`${tmux} run-shell 'footbridge voice toggle-mute >/dev/null'`);
      await expect.poll(async () => (await state()).muted, { timeout: 30_000 }).toBe(true);
    },
  );
});

it('GNOME gets one binding with the command', async () => {
  const daemon = await bridge();
  const log = join(daemon.folder, 'gsettings.log');
  const bin = programs(join(daemon.folder, 'gnome'), { gsettings: `echo "$@" >> '${log}'` });
  const { run } = shellFor(daemon);
  expect(await run(`PATH=${bin}:$PATH\n${blockOf(PAGE, 'sh', 'gsettings')}\ncat '${log}'`)).toContain(
    'custom-keybindings/footbridge-mute/ command footbridge voice toggle-mute',
  );
});

it('the script of OBS mutes its source with the user', { timeout: 120_000 }, async () => {
  const daemon = await bridge();
  const { run } = shellFor(daemon);
  const folder = join(daemon.folder, 'obs');
  mkdirSync(folder);
  // The calls of OBS that the script makes, noted in a file.
  const obs = [
    'def obs_get_source_by_name(name):\n    return name',
    'def obs_source_set_muted(source, muted):\n    open("muted", "a").write(f"{source} {muted}\\n")',
    'def obs_source_release(source):\n    pass',
  ];
  writeFileSync(join(folder, 'obspython.py'), obs.join('\n'));
  writeFileSync(join(folder, 'script.py'), blockOf(PAGE, 'python', 'obspython'));
  writeFileSync(
    join(folder, 'main.py'),
    [
      'import os, subprocess, time, script',
      'script.script_load(None)',
      'def wait(text):',
      '    for _ in range(600):',
      '        if os.path.exists("muted") and text in open("muted").read(): return',
      '        time.sleep(0.05)',
      '    raise SystemExit("no " + text)',
      'wait("Mic/Aux False")',
      'subprocess.run(["footbridge", "voice", "mute"], check=True, stdout=subprocess.DEVNULL)',
      'wait("Mic/Aux True")',
      'script.script_unload()',
      'print("both")',
    ].join('\n'),
  );
  expect(await run(`cd obs && python3 main.py`)).toBe('both');
});

it('the request of a program that stays changes the state', async () => {
  const daemon = await bridge();
  const { run } = shellFor(daemon);
  const answered = await run(blockOf(PAGE, 'sh', 'curl'));
  expect(JSON.parse(answered)).toMatchObject({ muted: true, mutedBy: ['self'] });
});
