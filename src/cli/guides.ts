/** A guide for users: the topic word that selects it, and a summary. */
export interface Guide {
  readonly topic: string;
  readonly summary: string;
}

/** Every guide, in the order in which `footbridge help` lists them. */
export const guides: readonly Guide[] = [
  {
    topic: 'test-an-app',
    summary: 'Test an app that uses local RPC: in Node, Python, any language',
  },
  { topic: 'test-a-bot', summary: 'Test a bot: its world, its commands, buttons and modals' },
  { topic: 'scenarios', summary: 'Test a bot by a file: what users do, and what the bot has to do then' },
  { topic: 'worlds', summary: 'Isolated states behind one bridge, one for each test' },
  { topic: 'test-in-ci', summary: 'The same in CI: a GitHub workflow, a server for a job, the transcript' },
  { topic: 'strict-mode', summary: 'Find what a bot does wrong, and read what passed where a test fails' },
  { topic: 'test-a-game', summary: 'Test a game made with the SDK: sign in, lobbies, messages, invites' },
  { topic: 'sdk-reference', summary: 'Rules of the SDK, and every name with its state' },
  { topic: 'use-with-my-chat-client', summary: 'Put the bridge in front of a chat client, or behind one' },
  {
    topic: 'sandboxes',
    summary: 'Reach the bridge from Flatpak, Snap, Steam, Wine, WSL, a container or another machine',
  },
  { topic: 'web-pages-and-overlays', summary: 'Let web pages, overlays and embedded activities connect' },
  { topic: 'presence-rules', summary: 'Hide, shorten, order and pause what apps show of you' },
  { topic: 'presence-and-voice', summary: 'Voice by a key, a bar, a deck or a script' },
  { topic: 'consent', summary: 'Answer apps that ask to act for you' },
  { topic: 'native-apps', summary: 'Presence, commands and events from C and C++, with one header' },
  {
    topic: 'judge-a-server-or-client',
    summary: 'Check a server or client of your own with the conformance suite',
  },
  { topic: 'inspect-record-faults', summary: 'See the traffic, record and replay it, inject faults' },
  { topic: 'troubleshooting', summary: 'From a symptom to the command that explains it; exit codes' },
  { topic: 'installation', summary: 'Packages, the background service, containers' },
  { topic: 'configuration', summary: 'Every setting and limit' },
  { topic: 'fixture', summary: 'The file that describes the users, guilds and applications of the emulator' },
  { topic: 'emulator-behaviour', summary: 'How the emulator behaves: time, HTTP API, gateway, OAuth 2.0' },
  { topic: 'emulator-accounts', summary: 'Accounts of games, friends, links, invites, purchases, decisions' },
  { topic: 'supported-systems', summary: 'Systems and libraries that were tested' },
  { topic: 'performance', summary: 'What a request, a connection and a start cost' },
  { topic: 'agents', summary: 'For coding agents: test an app, a bot and a game' },
];

/** Where the page of a guide lies in the npm package and in the checkout. */
export function guidePath(topic: string): string {
  return topic === 'agents' ? '.github/AGENTS.md' : `.github/guide/${topic}.md`;
}
