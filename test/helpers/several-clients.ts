import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { OwnProbes } from '../../platform/endpoint/own-probes.ts';
import { currentOs } from '../../platform/operating-system.ts';
import type { ChoiceStore } from '../../src/core/upstream/choice.ts';
import { upstreamCore } from '../../src/core/upstream/upstream-core.ts';
import { upstreamSearch } from '../../src/daemon/find-upstream.ts';
import { createServer } from '../../src/server/server.ts';
import { memoryTransport } from '../../src/transport/memory.ts';
import { AppPeer, CLIENT_ID } from './app-peer.ts';
import { fakeReady } from './fake-core.ts';
import { recordingLogger } from './memory-bridge.ts';
import { type Script, ScriptedClient, type ScriptedSession } from './scripted-client.ts';
import { temporaryFolder } from './sockets.ts';

const os = await currentOs();

/** A chat client that accepts its own tokens, and counts the apps whose activity it shows. */
export class ShowingClient extends ScriptedClient {
  /** Details of the activity that each open connection shows. */
  readonly #shown = new Map<ScriptedSession, string>();

  constructor(path: string, user: string, script: Script = {}) {
    super(path, {
      handshake: (session) => {
        session.socket.once('close', () => void this.#shown.delete(session));
        session.ready({ ...fakeReady, user: { ...fakeReady.user, id: user } });
      },
      request: (session, request) => {
        const { cmd, args } = request;
        if (cmd === 'SET_ACTIVITY') {
          const activity = args.activity as { details: string } | null | undefined;
          if (activity == null) this.#shown.delete(session);
          else this.#shown.set(session, activity.details);
          return session.answer(request, activity ?? null);
        }
        if (cmd === 'AUTHENTICATE' && args.access_token !== `token of ${user}`) {
          const { nonce } = request;
          return session.payload({
            cmd,
            nonce,
            evt: 'ERROR',
            data: { code: 4009, message: 'Invalid token' },
          });
        }
        session.answer(request, cmd === 'AUTHENTICATE' ? { scopes: ['rpc'] } : { by: user });
      },
      ...script,
    });
  }

  get shown(): readonly string[] {
    return [...this.#shown.values()].sort();
  }
}

/** Starts a bridge in a folder of its own, whose clients are found as a real one finds them; ends with the test. */
export async function severalBridge(
  options: { readonly upstream?: string; readonly store?: ChoiceStore; readonly maxLinks?: number } = {},
) {
  const folder = temporaryFolder();
  const search = upstreamSearch({
    os,
    folders: os.prepareFolders({ XDG_RUNTIME_DIR: folder }),
    env: { XDG_RUNTIME_DIR: folder },
    upstream: options.upstream ?? 'auto',
    endpoint: () => join(folder, 'discord-ipc-0'),
    ownPaths: () => [],
    ownProbes: new OwnProbes(),
  });
  const { store, maxLinks } = options;
  const core = upstreamCore({
    connect: search.connect,
    source: search,
    ...(store && { store }),
    ...(maxLinks !== undefined && { maxLinks }),
  });
  const transport = memoryTransport();
  const { logger, log } = recordingLogger();
  const server = await createServer({ transports: [transport], core, logger });
  onTestFinished(() => server.close());
  return {
    folder,
    server,
    core,
    log,
    // biome-ignore lint/suspicious/noExplicitAny: results of several operations
    call: async (operation: string, args: object = {}): Promise<any> =>
      server.core.admin[operation]?.run(args, { via: 'control' }),
    client: (index: number, user: string, script?: Script) =>
      new ShowingClient(join(folder, `discord-ipc-${index}`), user, script).start() as Promise<ShowingClient>,
    async app(clientId = CLIENT_ID) {
      const app = new AppPeer(transport.connect());
      await app.handshake(clientId);
      return app;
    },
  };
}

/** Arguments of SET_ACTIVITY. */
export const activity = (details: string | null) => ({
  pid: process.pid,
  activity: details === null ? null : { details },
});
