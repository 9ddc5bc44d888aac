import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { guidePath } from '../../src/cli/guides.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { blockOf } from '../helpers/page-sessions.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { withoutPackages } from '../system/debian.ts';
import { compiled } from './compiled.ts';

const NATIVE = join(root, 'src/native');
const APP = '300000000000000001';
const skipped = (reason: string | undefined): string => (reason === undefined ? '' : ` (skipped: ${reason})`);

const noSdl = withoutPackages({ gcc: '/usr/bin/gcc', 'libsdl2-dev': '/usr/include/SDL2/SDL.h' });
const noMono = withoutPackages({
  gcc: '/usr/bin/gcc',
  'mono-mcs': '/usr/bin/mcs',
  'mono-runtime': '/usr/bin/mono',
});

it.skipIf(noSdl !== undefined)(
  `a loop of SDL shows its game from frame to frame, and nothing after its end${skipped(noSdl)}`,
  async () => {
    const bridge = await startEmulator();
    onTestFinished(() => bridge.close());
    const flags = ['-Wall', '-Wextra', '-Werror', '-I', NATIVE, '-isystem', '/usr/include/SDL2'];
    const program = compiled('../../src/native/examples/sdl.c', 'gcc', ...flags, '-lSDL2');
    const env = { ...process.env, SDL_VIDEODRIVER: 'dummy', ...bridge.env };
    const child = spawn(program, [APP], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    await expect.poll(() => bridge.presence(APP)).toMatchObject({ details: 'Level 1' });
    // SDL makes its event "quit" of it.
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(text).toMatch(/^\d+ frames\n$/);
    await expect.poll(() => bridge.presence(APP)).toBe(null);

    const some = spawnSync(program, [APP, '30'], { env, encoding: 'utf8' });
    expect([some.status, some.stdout]).toEqual([0, '30 frames\n']);
  },
);

/** Calls what the declarations have to get right: texts in both ways, a struct as a result, addresses, events. */
const EVERY_WAY = `
using System;
using System.Collections.Generic;
using Footbridge;

static class Ways {
  static readonly List<string> seen = new List<string>();
  static readonly fb_on_event OnEvent = (IntPtr user, IntPtr client, ref fb_event e) => {
    if (e.kind == fb_event_kind.FB_EVENT_READY) {
      seen.Add("ready " + Native.Text(Native.fb_get(Native.fb_get(e.data, "user"), "username")));
    } else {
      seen.Add(e.kind + " " + Native.Text(e.name) + " " + e.request + " " + e.code + " " + Native.Text(e.message));
    }
  };

  static void Main(string[] args) {
    var options = new fb_options { client_id = args[0], on_event = OnEvent };
    IntPtr client = IntPtr.Zero;
    Console.WriteLine(Native.fb_open(ref options, ref client));
    while (Native.fb_state_of(client) != fb_state.FB_STATE_READY) Native.fb_poll(client, 100);
    Console.WriteLine(Native.Text(Native.fb_endpoint(client)) == args[1]);
    var presence = new fb_presence {
      details = "Über den Fluß", start = 1700000000000, party_id = "crew", party_size = 2, party_max = 5,
      buttons_1 = new fb_button { label = "second", url = "https://example.com/2" },
      buttons_0 = new fb_button { label = "first", url = "https://example.com/1" },
      supported_platforms_0 = "desktop"
    };
    Console.WriteLine(Native.fb_show(client, ref presence));
    presence.details = "x";
    Console.WriteLine(Native.fb_show(client, ref presence));
    var text = new byte[200];
    int length = (int)Native.fb_error_text(client, text, (UIntPtr)text.Length);
    Console.Write(System.Text.Encoding.UTF8.GetString(text, 0, length));
    var voice = Native.fb_voice_unset();
    Console.WriteLine(voice.mute + " " + voice.output_volume + " " + voice.push_to_talk);
    uint request;
    Console.WriteLine(Native.fb_request(client, Native.FB_CMD_GET_GUILDS, null, out request) + " " + request);
    Console.WriteLine(Native.fb_request(client, "NOT_A_COMMAND", "{}", out request) + " " + request);
    while (seen.Count < 4) Native.fb_poll(client, 100);
    fb_pkce pkce = new fb_pkce();
    Console.WriteLine(Native.fb_pkce_new(ref pkce) + " " + pkce.verifier.Length + " " + pkce.challenge.Length);
    Console.WriteLine(Native.Text(Native.fb_result_text(fb_result.FB_OK)));
    foreach (string line in seen) Console.WriteLine(line);
    Console.ReadLine();
    Console.WriteLine(Native.fb_close(ref client) + " " + client);
  }
}
`;

it.skipIf(noMono !== undefined)(
  `the declarations for C# serve programs, and that of the guide${skipped(noMono)}`,
  async () => {
    const bridge = await startEmulator();
    onTestFinished(() => bridge.close());
    const folder = temporaryFolder();
    cpSync(join(NATIVE, 'csharp/Footbridge.cs'), join(folder, 'Footbridge.cs'));
    cpSync(join(NATIVE, 'footbridge.h'), join(folder, 'footbridge.h'));
    const [library = ''] = blockOf(guidePath('native-apps'), 'sh', 'libfootbridge.so').split('\n');
    execFileSync('sh', ['-ec', library], { cwd: folder });
    const start = (name: string, source: string, ...args: readonly string[]) => {
      writeFileSync(join(folder, `${name}.cs`), source);
      execFileSync('mcs', ['-warnaserror', `-out:${name}.exe`, 'Footbridge.cs', `${name}.cs`], {
        cwd: folder,
      });
      const env = { ...process.env, LD_LIBRARY_PATH: folder, ...bridge.env };
      const child = spawn('mono', [join(folder, `${name}.exe`), ...args], {
        env,
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };

    const ways = start('Ways', EVERY_WAY, APP, bridge.endpoint);
    let text = '';
    ways.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    await expect
      .poll(() => bridge.presence(APP))
      .toMatchObject({
        details: 'Über den Fluß',
        timestamps: { start: 1_700_000_000_000 },
        party: { id: 'crew', size: [2, 5] },
        buttons: ['first', 'second'],
      });
    ways.stdin.write('\n');
    expect(await once(ways, 'close')).toEqual([0, null]);
    expect(text).toBe(`FB_OK
True
FB_OK
FB_E_INVALID
presence.details: must be UTF-8 of 2 to 128 characters
-1 -1 -1
FB_OK 1
FB_OK 2
FB_OK 43 43
done
ready river
FB_EVENT_FAILED GET_GUILDS 1 4006 GET_GUILDS needs the scope rpc; AUTHORIZE and AUTHENTICATE first
FB_EVENT_FAILED NOT_A_COMMAND 2 4002 Unknown command: NOT_A_COMMAND
FB_EVENT_ANSWER SET_ACTIVITY 0 0\u0020
FB_OK 0
`);

    const game = start('Game', blockOf(guidePath('native-apps'), 'csharp', 'fb_open'), APP);
    game.stdout.resume();
    await expect.poll(() => bridge.presence(APP)).toMatchObject({ details: 'By the river' });
  },
);
