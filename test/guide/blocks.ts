// Which test runs each block of code that the guides, AGENTS and README show.

/** A block by its language and words that it begins with or has in it; `test` is the file that runs it. */
interface Block {
  readonly language: string;
  readonly words: string;
  readonly test: string;
}

const VOICE = 'test/guide/voice.program.test.ts';
const SESSIONS = 'test/guide/sessions.program.test.ts';
const SANDBOXES = 'test/guide/sandboxes.program.test.ts';
const PRESENCE = 'test/guide/presence.program.test.ts';
const SCENARIOS = 'test/guide/scenarios.program.test.ts';
const PROGRAMS = 'test/guide/programs.program.test.ts';
const IN_PROCESS = 'test/guide/blocks.test.ts';
const PICTURES = 'test/picture/page/guide.test.ts';
const NATIVE = 'test/native/header.program.test.ts';
const README_SESSIONS = 'test/readme-sessions.program.test.ts';
const SYSTEM = 'test/testing/readme.system.test.ts';
/** It reads every command line of the pages, and every name of a script of npm. */
const PARSED = 'test/readme.test.ts';
const block = (language: string, words: string, test: string): Block => ({ language, words, test });

/** The blocks of each page, in their order. */
export const blocksOfPages: Readonly<Record<string, readonly Block[]>> = {
  'README.md': [
    block('sh', 'npm start -- --consent allow', PARSED),
    block('js', "from 'discord-rpc'", PARSED),
    block('sh', 'npm run -s footbridge --', PARSED),
    block('js', "startEmulator({ consent: 'deny' })", PROGRAMS),
    block('sh', 'footbridge emulate', PARSED),
    block('sh', 'footbridge emulator use', PARSED),
  ],
  '.github/AGENTS.md': [
    block('console', 'footbridge emulate', SESSIONS),
    block('js', "from 'footbridge/client'", PROGRAMS),
    block('js', "from 'discord.js'", PROGRAMS),
    block('js', "from 'footbridge/sdk'", PROGRAMS),
  ],
  '.github/guide/configuration.md': [
    block('toml', 'consent =', README_SESSIONS),
    block('console', 'footbridge config show', SESSIONS),
  ],
  '.github/guide/consent.md': [
    block('console', 'npm start', README_SESSIONS),
    block('console', 'footbridge call GET_GUILDS', README_SESSIONS),
    block('console', 'footbridge requests', README_SESSIONS),
  ],
  '.github/guide/emulator-behaviour.md': [
    block('json', '501: Not Implemented', SESSIONS),
    block('', '4014 Disallowed intent(s)', SESSIONS),
  ],
  '.github/guide/fixture.md': [
    block('toml', 'me = ', IN_PROCESS),
    block('console', 'footbridge emulator apply', SESSIONS),
    block('json', '"footbridge":"state"', IN_PROCESS),
  ],
  '.github/guide/inspect-record-faults.md': [
    block('console', 'footbridge console', SESSIONS),
    block('console', 'footbridge record', SESSIONS),
    block('console', 'footbridge emulator fault add', 'test/faults/readme.test.ts'),
  ],
  '.github/guide/installation.md': [
    block('sh', 'npm pack', PARSED),
    block('console', 'footbridge install', PARSED),
    block('yaml', 'services:', 'test/system/packages.test.ts'),
  ],
  '.github/guide/judge-a-server-or-client.md': [
    block('sh', 'footbridge conformance server', PARSED),
    block('console', 'footbridge conformance server --list', SESSIONS),
  ],
  '.github/guide/sandboxes.md': [
    block('console', 'footbridge env', SANDBOXES),
    block('sh', 'endpoints add path', SANDBOXES),
    block('toml', '[[endpoints]]', SANDBOXES),
    block('sh', 'flatpak override', PARSED),
    block('console', 'footbridge doctor', SANDBOXES),
    block('sh', 'docker run', SANDBOXES),
    block('json', 'mounts', SANDBOXES),
    block('sh', 'ssh -o', SANDBOXES),
    block('console', 'footbridge forward', SANDBOXES),
    block('toml', '[[forward]]', SANDBOXES),
  ],
  '.github/guide/test-a-bot.md': [
    block('toml', 'name = "the bot answers /ping"', SCENARIOS),
    block('js', 'Routes.applicationCommands', SCENARIOS),
    block('console', 'footbridge emulator play ping.toml', SCENARIOS),
    block('toml', 'bot_user', PROGRAMS),
    block('console', 'node listens.mjs', SESSIONS),
    block('js', "command: '/berth'", PROGRAMS),
    block('js', 'bridge.picture(', PICTURES),
    block('console', 'footbridge emulator read', PICTURES),
    block('js', "greets('ana')", PROGRAMS),
  ],
  '.github/guide/scenarios.md': [
    block('toml', 'name = "a ticket opens"', SCENARIOS),
    block('js', "from 'discord.js'", SCENARIOS),
    block('console', 'footbridge emulator play', SCENARIOS),
    block('console', 'ticket.toml:10', SCENARIOS),
    block('js', "from 'node:test'", SCENARIOS),
    block('py', 'Route.BASE', 'test/stories/scenarios/discord-py.test.ts'),
    block('go', 'RoundTrip', 'test/stories/scenarios/discordgo.test.ts'),
  ],
  '.github/guide/strict-mode.md': [
    block('sh', 'footbridge emulator allow', PARSED),
    block('text', 'MESSAGE_CREATE', 'test/journal/transcript.test.ts'),
  ],
  '.github/guide/test-a-game.md': [
    block('js', 'Signed in as', 'test/sdk/readme.program.test.ts'),
    block('js', 'bridge.users.switch(name)', 'test/sdk/readme.program.test.ts'),
    block('js', 'bridge.ban(', 'test/sdk/readme.program.test.ts'),
    block('html', 'importmap', 'test/sdk/page/page.test.ts'),
    block('console', 'footbridge emulator apply', SESSIONS),
  ],
  '.github/guide/test-an-app.md': [
    block('toml', 'name = "a friend may come along"', SCENARIOS),
    block('js', "subscribe('ACTIVITY_JOIN_REQUEST'", SCENARIOS),
    block('console', 'footbridge emulator play harbour.toml', SCENARIOS),
    block('js', "from 'discord-rpc'", PROGRAMS),
    block('js', 'toHaveBeenCalledTimes(1)', PROGRAMS),
    block('js', 'withBridge(', SYSTEM),
    block('console', 'footbridge emulate --transcript', SYSTEM),
    block('python', 'def test_', SYSTEM),
    block('console', 'python3 -m pytest', SYSTEM),
    block('js', "shows('At sea')", PROGRAMS),
  ],
  '.github/guide/test-in-ci.md': [
    block('yaml', 'uses:', SYSTEM),
    block('yaml', 'outputs.ready', SYSTEM),
    block('sh', 'emulate --ready', SYSTEM),
    block('console', 'jq', SYSTEM),
  ],
  '.github/guide/presence-rules.md': [
    block('console', 'presence set', PRESENCE),
    block('toml', 'replace =', PRESENCE),
    block('console', 'presence test', PRESENCE),
    block('console', 'presence hide', PRESENCE),
    block('toml', 'give_way_to', PRESENCE),
    block('console', 'presence clear', PRESENCE),
    block('toml', 'only =', PRESENCE),
    block('console', 'presence pause', PRESENCE),
    block('json', '"running":true', PRESENCE),
  ],
  '.github/guide/native-apps.md': [
    block('c', '#define FB_IMPLEMENTATION', NATIVE),
    block('console', '-o presence', NATIVE),
    block('cmake', 'find_package', 'test/native/packaging.system.test.ts'),
    block('cmake', 'FetchContent_Declare', 'test/native/packaging.system.test.ts'),
    block('console', 'libdiscord-rpc.so', 'test/native/compat.program.test.ts'),
    block('sh', 'libfootbridge.so', 'test/native/engines.system.test.ts'),
    block('csharp', 'fb_open', 'test/native/engines.system.test.ts'),
  ],
  '.github/guide/presence-and-voice.md': [
    block('console', 'footbridge voice join', VOICE),
    block('json', 'custom/voice', VOICE),
    block('ini', 'module/voice', VOICE),
    block('tmux', 'status-right', VOICE),
    block('sway', 'bindsym', VOICE),
    block('hyprland', 'bind =', VOICE),
    block('desktop', 'Desktop Entry', VOICE),
    block('sh', 'gsettings', VOICE),
    block('sh', 'footbridge voice show --json', VOICE),
    block('python', 'obspython', VOICE),
    block('sh', 'curl', VOICE),
  ],
  '.github/guide/use-with-my-chat-client.md': [
    block('console', 'footbridge run --core upstream', SESSIONS),
    block('console', 'footbridge upstream', SESSIONS),
    block('console', 'footbridge run --core attach', SESSIONS),
    block('console', 'footbridge attach my-client', SESSIONS),
  ],
  '.github/guide/web-pages-and-overlays.md': [
    block('console', 'footbridge origins add', SESSIONS),
    block('console', 'curl', README_SESSIONS),
    block('js', 'new WebSocket(', README_SESSIONS),
    block('sh', 'sed -i', SESSIONS),
    block('toml', '[[url_mappings]]', IN_PROCESS),
    block('js', 'ipc.connectTo', IN_PROCESS),
  ],
  '.github/guide/worlds.md': [
    block('js', 'bridge.world(', PROGRAMS),
    block('console', 'footbridge emulator world add', SESSIONS),
  ],
};
