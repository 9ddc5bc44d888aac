import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { isTrustedOwner } from '../../../../platform/endpoint/endpoints.ts';
import { systemErrorText } from '../../../../platform/system-error-text.ts';
import { messageOf, systemCode } from '../../../base/local-error.ts';
import type { Settings } from '../../../daemon/config/settings.ts';
import { isModulePath } from '../../../daemon/module-path.ts';
import { upstreamPaths } from '../../../daemon/upstream-paths.ts';
import { type Check, type Finding, notApplicable, ok, type Scene } from '../check.ts';

/** File that a setting names. */
interface Named {
  readonly key: string;
  readonly path: string;
  /** True when the bridge does not start without the file. */
  readonly needed: boolean;
  /** Returns the problem with an existing file, or undefined. */
  readonly validate: (status: Stats, scene: Scene) => Promise<string | undefined> | string | undefined;
}

/** Checks every file that the configuration names, as `run` would use it. A core's module is checked but not run. */
export const files: Check = {
  id: 'files',
  title: 'Files that the configuration names',
  explanation: `
    The fixture, the module of a client core and the socket of the upstream client are files of yours. The check opens
    them as a start would, except a module, which is not run.

    It fails when the bridge cannot start without the file. A socket of a chat client may be missing until the client
    starts. A socket of another user is never used.
  `,
  async inspect(scene) {
    const { configuration, service } = scene;
    if (configuration.kind === 'unknown') return notApplicable('the configuration is not known');
    const installed = service.kind === 'known' ? service.receipt?.core : undefined;
    const named = filesOf(configuration.value.settings, installed);
    if (named.length === 0) return ok('the configuration names none');
    const seen = await Promise.all(
      named.map(async (file) => ({ file, wrong: await wrongWith(file, scene) })),
    );
    const bad = seen.filter(({ wrong }) => wrong !== undefined);
    const finding: Finding = {
      verdict: bad.some(({ file }) => file.needed) ? 'failed' : bad.length > 0 ? 'warning' : 'ok',
      evidence: seen.map(({ file, wrong }) => `${file.key}: ${wrong ?? file.path}`),
      fix: bad.length > 0 ? 'correct that; footbridge config show says where each key comes from' : null,
    };
    return finding;
  },
};

type Entry = [
  key: string,
  path: string | null | undefined,
  needed: boolean,
  validate: typeof moduleValidator,
];

function filesOf(settings: Settings, installed: string | undefined): Named[] {
  const { core, fallback, fixture, upstream } = settings;
  const isUpstream = core === 'upstream';
  const emulates = core === 'emulator' || (isUpstream && fallback === 'emulator');
  const entries: Entry[] = [
    ['fixture', fixture, emulates, fixtureValidator],
    ['core', moduleOf(core), true, moduleValidator],
    ['fallback', moduleOf(fallback), isUpstream, moduleValidator],
    ...upstreamEntries(upstream).map((path) => ['upstream', path, isUpstream, socketValidator] as Entry),
    ["the service's core", moduleOf(installed), true, moduleValidator],
  ];
  return entries.flatMap(([key, path, needed, makeValidator]) =>
    path == null ? [] : [{ key, path, needed, validate: makeValidator(path) }],
  );
}

function upstreamEntries(setting: string): readonly string[] {
  const paths = upstreamPaths(setting);
  return paths === 'auto' ? [] : paths;
}

function moduleOf(core: string | null | undefined): string | undefined {
  return core != null && isModulePath(core) ? core : undefined;
}

async function wrongWith({ path, key, validate }: Named, scene: Scene): Promise<string | undefined> {
  // A named pipe is not tested, because a test would connect to it.
  if (path.startsWith('\\\\')) return undefined;
  try {
    return await validate(statSync(path), scene);
  } catch (error) {
    const code = systemCode(error);
    // A chat client creates its socket when it starts, so the socket may be missing until then.
    if (key === 'upstream' && code === 'ENOENT') return undefined;
    return `${path}: ${code === 'ENOENT' ? 'there is no such file' : `cannot be looked at: ${systemErrorText(error)}`}`;
  }
}

/** Reads the fixture as the bridge would, but not from a pipe, which would be empty afterwards. */
function fixtureValidator(path: string): Named['validate'] {
  return async (status) => {
    if (status.isDirectory()) return `${path}: is a folder`;
    if (!status.isFile()) return undefined;
    const { loadFixture } = await import('../../../daemon/emulator.ts');
    try {
      const read = await loadFixture(path, { again: true });
      if ('files' in read) read.files?.discard();
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
}

function moduleValidator(path: string): Named['validate'] {
  return (status) => {
    if (!status.isFile()) return `${path}: is no file`;
    accessSync(path, constants.R_OK);
    return undefined;
  };
}

function socketValidator(path: string): Named['validate'] {
  return (status, { uid }) => {
    if (!status.isSocket()) return `${path}: is no socket`;
    // The bridge checks the listener's owner with the kernel, and accepts no other user's chat client.
    if (uid === undefined || isTrustedOwner(status.uid, uid)) return undefined;
    return `${path}: belongs to user ${status.uid}, and is not used`;
  };
}
