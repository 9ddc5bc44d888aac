// The packed SDK in a project of somebody else, with the oldest and the newest compiler that is supported, and before those who
// judge packages.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENTRY_POINTS } from '../../src/sdk/entry-points/table.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = `
import { type CallInfoHandle, type CallStatusCallback, type ChannelHandle, AuthorizationTokenType, Client, ClientResult, type LobbyHandle, type MessageHandle, StatusType, UserHandle } from 'footbridge/sdk';
const client = new Client('http://127.0.0.1:9/api', 'https://web.example');
client.SetStatusChangedCallback((status, error, detail) => [status === Client.Status.Ready, error === Client.Error.None, detail.toFixed()]);
const { result, lobbyId } = await client.CreateOrJoinLobbyWithMetadata('s', { a: 'b' }, {}, (given, id) => [given.RetryAfter(), id > 0n]);
const lobby: LobbyHandle | undefined = client.GetLobbyHandle(lobbyId);
const { messages } = await client.GetLobbyMessagesWithLimit(lobbyId, 5);
const first: MessageHandle | undefined = messages[0];
const moved: CallStatusCallback = (status, error) => [status, error];
client.StartCall(lobbyId)?.SetStatusChangedCallback(moved);
const info: CallInfoHandle | undefined = lobby?.GetCallInfoHandle();
await client.EndCall(lobbyId, () => info?.GetParticipants());
await client.UpdateToken(AuthorizationTokenType.Bearer, 'token');
const { user } = await client.GetDiscordClientConnectedUser('1', (given, who) => [given.ResponseBody(), who?.GameActivity()?.ApplicationId()]);
const url: string | undefined = user?.AvatarUrl(UserHandle.AvatarType.Gif, UserHandle.AvatarType.Png);
const channel: ChannelHandle | undefined = first?.Channel();
await client.SetOnlineStatus(StatusType.Idle, (given: ClientResult) => given.Successful());
// @ts-expect-error there is no such format
user?.AvatarUrl(4, 0);
// @ts-expect-error a number cannot hold every id
await client.LeaveLobby(1);
export const seen = [result.Retryable(), lobby?.Metadata()['a'], first?.AdditionalName()?.length, url, channel?.Recipients(), first?.AdditionalContent()?.Title()];
`;
const COMMONJS = `
import sdk = require('footbridge/sdk');
export const ids: bigint[] = new sdk.Client('http://127.0.0.1:9/api', 'https://web.example').GetLobbyIds();
`;
/** Prints what an editor shows of each entry point of the client: its parameters, and the docstring that completion shows. */
const EDITOR = `
const ts = require('./editor/node_modules/typescript');
const file = process.cwd() + '/editor.mts';
ts.sys.writeFile(file, "import { Client } from 'footbridge/sdk'; declare const client: Client; client.GetCall;");
const options = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  types: [],
};
const service = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) => ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(name)) : undefined,
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
});
const at = ts.sys.readFile(file).indexOf('client.') + 'client.'.length;
const shown = {};
for (const { name, source } of service.getCompletionsAtPosition(file, at, {}).entries) {
  const { displayParts, documentation } = service.getCompletionEntryDetails(file, at, name, {}, source, {}, undefined);
  shown[name] = [ts.displayPartsToString(displayParts), ts.displayPartsToString(documentation)];
}
console.log(JSON.stringify(shown));
`;
const STRICT = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom'];

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(realpathSync(tmpdir()), 'fb-types-'));
  const work = join(project, 'work');
  mkdirSync(work);
  for (const name of ['package.json', 'README.md', 'LICENSE', 'src/native/footbridge.h'])
    cpSync(join(ROOT, name), join(work, name));
  execFileSync(
    process.execPath,
    [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), '.ci/build.ts', join(work, 'dist')],
    {
      cwd: ROOT,
    },
  );
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(work, join(project, 'node_modules/footbridge'));
  writeFileSync(join(project, 'page.mts'), PROGRAM);
  writeFileSync(join(project, 'old.cts'), COMMONJS);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

it.each(['5.4.5', '7.0.2'])('the SDK compiles with TypeScript %s', (version) => {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    [
      ...['exec', '--yes', `--package=typescript@${version}`, '--', 'tsc', ...STRICT],
      ...['--module', 'nodenext', '--moduleResolution', 'nodenext', 'page.mts', 'old.cts'],
    ],
    { cwd: project, encoding: 'utf8' },
  );
  expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: '' });
});

it('an editor displays parameters and docstring of every entry point of the SDK', () => {
  writeFileSync(join(project, 'editor.cjs'), EDITOR);
  execFileSync('npm', ['install', '--no-save', '--prefix', join(project, 'editor'), 'typescript@5.4.5'], {
    cwd: project,
  });
  const said = execFileSync(process.execPath, ['editor.cjs'], {
    cwd: project,
    encoding: 'utf8',
  });
  const shown = JSON.parse(said) as Record<string, [type: string, docs: string]>;
  expect(Object.keys(shown).toSorted()).toEqual(Object.keys(ENTRY_POINTS).toSorted());
  expect(shown['CreateOrJoinLobbyWithMetadata']?.join('\n')).toMatch(
    /\(secret: string, lobbyMetadata: .*, memberMetadata: .*, callback\?: LobbyCallback.*\).*\n.*metadata of the lobby/s,
  );
  expect(shown['SetMessageCreatedCallback']).toEqual([
    expect.stringContaining('(callback: CallbackOf<"SetMessageCreatedCallback"> | undefined) => void'),
    expect.stringMatching(/^Called with each message of a lobby/),
  ]);
  expect(shown['GetCall']).toEqual([
    expect.stringContaining('(channelId: Id) => Call | undefined'),
    expect.stringContaining('call of a lobby'),
  ]);
  const parameters = Object.entries(shown).filter(([, [type]]) => /\bargs(_\d+)?: |\bany\b/.test(type));
  expect(parameters.map(([name]) => name)).toEqual(['Authorize']);
});

describe('the package', () => {
  let tarball: string;
  beforeAll(() => {
    const said = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', project], {
      cwd: join(project, 'work'),
      encoding: 'utf8',
    });
    const [packed] = JSON.parse(said) as { readonly filename: string }[];
    tarball = join(project, packed?.filename ?? '');
  });

  it('passes publint', () => {
    const args = [fileURLToPath(new URL('cli.js', import.meta.resolve('publint'))), tarball, '--strict'];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('All good!') });
  });

  it('passes attw for every kind of import', () => {
    const { status, stdout, stderr } = spawnSync(
      'npm',
      [
        ...['exec', '--yes', '--package=@arethetypeswrong/cli@0.18.5', '--', 'attw', tarball],
        // The resolution of Node 10 knows no exports, and the package has nothing else.
        ...['--profile', 'node16', '--format', 'json', '--entrypoints', 'sdk', 'client', 'client/oauth2'],
      ],
      { cwd: project, encoding: 'utf8' },
    );
    expect(status, stdout + stderr).toBe(0);
    const { analysis } = JSON.parse(stdout) as { readonly analysis: { readonly entrypoints: object } };
    expect(Object.keys(analysis.entrypoints)).toEqual(['./sdk', './client', './client/oauth2']);
  });
});
