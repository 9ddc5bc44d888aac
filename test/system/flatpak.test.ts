// A real Flatpak, of a runtime and an app that are made here, in a mount namespace with a runtime folder of its own.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROGRAM } from '../helpers/fault-bridge.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const ID = 'org.example.Game';
const isRoot = process.getuid?.() === 0;
const has = (...argv: readonly [string, ...string[]]): boolean =>
  spawnSync(argv[0], argv.slice(1), { stdio: 'ignore' }).status === 0;
const isAble =
  isRoot && has('flatpak', '--version') && has('busybox', 'true') && has('unshare', '-m', 'true');

/** Makes runtime and app, starts the bridge, the app, and the bridge again; prints what doctor shows. */
const SCRIPT = String.raw`
  set -e
  cd "$W"
  mount -t tmpfs tmpfs /run/user
  mkdir -p home run rt/usr/bin rt/usr/etc app/files/bin app/export /run/user/0
  chmod 700 /run/user/0
  export HOME=$W/home XDG_DATA_HOME=$W/data XDG_CACHE_HOME=$W/cache XDG_CONFIG_HOME=$W/config XDG_RUNTIME_DIR=/run/user/0
  export FLATPAK_SYSTEM_DIR=$W/system
  unset DBUS_SESSION_BUS_ADDRESS
  cp "$(command -v busybox)" rt/usr/bin/busybox
  for name in sh sleep; do ln -s busybox rt/usr/bin/$name; done
  platform=org.example.Platform/$(uname -m)/1
  printf '[Runtime]\nname=org.example.Platform\nruntime=%s\nsdk=%s\n' $platform $platform > rt/metadata
  printf '[Application]\nname=${ID}\nruntime=%s\nsdk=%s\ncommand=game\n' $platform $platform > app/metadata
  printf '#!/bin/sh\necho started; exec sleep 600\n' > app/files/bin/game
  chmod +x app/files/bin/game
  {
    flatpak build-export --runtime --files=usr repo rt 1
    flatpak build-export repo app 1
    flatpak --user remote-add --no-gpg-verify local repo
    flatpak --user install -y --noninteractive local ${ID}
  } > log 2>&1 || { cat log; exit 1; }
  bridge() {
    rm -f ready
    node "$PROGRAM" run --json --ws-port off --http-port 0 --consent deny > ready 2>> log &
    pid=$!
    until grep -q ready ready; do sleep 0.05; done
  }
  app() {
    flatpak --user run ${ID} > app.log 2>> log &
    until grep -q started app.log; do sleep 0.05; done
  }
  show() { echo "$1"; node "$PROGRAM" doctor | grep -E '${ID}|a regular file' || true; }
  bridge
  app
  show blind
  flatpak kill ${ID}
  flatpak override --user --filesystem=xdg-run/discord-ipc-0 ${ID}
  app
  show allowed
  kill $pid
  wait $pid || true
  bridge
  show restarted
  echo served
  node "$PROGRAM" endpoints add flatpak --client ${ID} >> log 2>> log || echo "added, exit code $?"
  served() { node "$PROGRAM" endpoints | grep -o '^flatpak  *[a-z]*  .*xdg-run/discord-ipc-0.*' | sed 's/  */ /g'; }
  served
  flatpak kill ${ID}
  until served | grep -q serving; do sleep 0.5; done
  served
  kill $pid
`;

it.skipIf(!isAble)(
  'doctor shows what an app of a real Flatpak sees (needs root, flatpak, busybox and unshare)',
  { timeout: 180_000 },
  async () => {
    const folder = temporaryFolder();
    const env = { PATH: process.env['PATH'] ?? '', W: folder, PROGRAM };
    const child = spawn(
      'unshare',
      ['--mount', '--kill-child', '--pid', '--fork', '--mount-proc', 'bash', '-c', SCRIPT],
      {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const printed = Buffer.concat((await child.stdout.toArray()) as Buffer[]).toString();
    const plain = printed
      .replaceAll(/\(pid \d+\)/g, '(pid N)')
      .replaceAll(/^(?:ok|warning)? *(?:flatpak|sandboxes)? */gm, '');
    const command = `flatpak override --user --filesystem=xdg-run/discord-ipc-0 ${ID}, then start`;
    const placeholder = `/run/user/0/.flatpak/${ID}/xdg-run/discord-ipc-0`;
    const path = join('/run/user/0', 'discord-ipc-0');
    expect(plain.trim().split('\n')).toEqual([
      'blind',
      `not: ${ID}`,
      `Flatpak ${ID} (pid N): sees no endpoint; in /run/user/0, /tmp`,
      `to do: if Flatpak ${ID} needs it: ${command} it again`,
      'allowed',
      `Flatpak ${ID} (pid N): sees the bridge at ${path}`,
      'restarted',
      `Flatpak ${ID} (pid N): sees a dead socket at ${path}`,
      `to do: start Flatpak ${ID} again, so that it receives the present socket`,
      'served',
      // The endpoint is served when the app has ended.
      'added, exit code 2',
      expect.stringContaining(
        `blocked presence ${placeholder} ${placeholder} is taken: Flatpak ${ID} may run with`,
      ),
      expect.stringContaining(`serving presence ${placeholder}`),
    ]);
  },
);
