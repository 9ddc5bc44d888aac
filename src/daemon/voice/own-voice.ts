import { once } from '../../base/once.ts';
import { footbridgeApplication } from '../../emulator/applications/applications.ts';
import type { Transport } from '../../transport/transport.ts';
import type { CoreOptions } from '../core-options.ts';
import { innerTransport } from '../inner-transport.ts';
import type { VoiceHolder } from './operations.ts';
import type { Voice } from './voice.ts';

/** What voice takes from its bridge. */
export interface OwnVoiceOptions extends Pick<CoreOptions, 'data' | 'os' | 'logger' | 'stateFiles'> {
  /** Name of the client core. */
  readonly core: string;
  /** Settings `voice_application` and `voice_api`. */
  readonly voiceApplication: string | null;
  readonly voiceApi: string | null;
  /** Base address of the core's own API, once the core has started. */
  readonly coreApi: () => string | undefined;
}

/** Voice of a bridge that may never be used: the code, the session and the token are loaded by the first call. */
export interface OwnVoice extends VoiceHolder {
  /** Where the bridge's own app enters the server. It listens nowhere. */
  readonly transport: Transport;
  close(): Promise<void>;
}

/** Prepares voice for a bridge; nothing is opened. */
export function ownVoice(options: OwnVoiceOptions): OwnVoice {
  const inner = innerTransport();
  let opened: Promise<Voice> | undefined;
  const open = async (): Promise<Voice> => {
    const [{ Voice: OpenVoice }, { openTokenFile }, { ownTransport }] = await Promise.all([
      import('./voice.ts'),
      import('./token-file.ts'),
      import('./own-transport.ts'),
    ]);
    const { core, voiceApplication, voiceApi, coreApi, os } = options;
    return new OpenVoice({
      transport: ownTransport(core, { pid: process.pid, uid: os.uid ?? 0 }, (connection) =>
        inner.enter(connection),
      ),
      place: { core, clientId: voiceApplication ?? footbridgeApplication.id },
      api: voiceApi ?? coreApi(),
      tokens: await openTokenFile(options),
      clock: {
        now: () => Date.now(),
        after(ms, task) {
          const timer = setTimeout(task, ms).unref();
          return () => clearTimeout(timer);
        },
      },
    });
  };
  const begun = once(() => Date.now());
  return {
    get begun() {
      return begun();
    },
    voice() {
      opened ??= open().catch((error: unknown) => {
        // Another bridge may have had the file of the token.
        opened = undefined;
        throw error;
      });
      return opened;
    },
    transport: inner.transport,
    async close() {
      const voice = await opened?.catch(() => undefined);
      await voice?.close();
    },
  };
}
