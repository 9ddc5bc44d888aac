import type { ControlClient } from '../control/client.ts';

/** Whether a chat client or the emulator answers behind the core, and which; `behind` is null where that is unknown. */
export interface CoreReach {
  readonly core: string;
  readonly behind: boolean | null;
  /** Apps get READY, from the chat client or from the fallback. */
  readonly served: boolean;
  /** One phrase for the user. */
  readonly text: string;
  /** Advice to the user. */
  readonly remedy: string | null;
}

interface UpstreamStatus {
  readonly present: boolean;
  /** Current or last endpoint of the chat client; null when none was seen yet. */
  readonly path: string | null;
  /** Why the chat client cannot be used, and what to do; absent in the answer of an older bridge. */
  readonly why?: string | null;
  /** Names of the clients that are here, the primary one first; absent in the answer of an older bridge. */
  readonly clients?: readonly string[];
  readonly fallback: { readonly core: string } | null;
}

interface AttachList {
  readonly url: string | null;
  readonly clients: readonly { readonly name: string; readonly attached: readonly unknown[] }[];
}

/** Queries the running bridge for the final source of its apps' answers. */
export async function coreReach(
  client: Pick<ControlClient, 'status' | 'operations' | 'call'>,
  core: string,
): Promise<CoreReach> {
  switch (core) {
    case 'emulator':
      return served(core, true, 'the emulator answers by itself; no chat client is needed');
    case 'upstream':
      return upstreamReach((await client.call('upstream.status')) as UpstreamStatus);
    case 'attach':
      return attachReach((await client.call('attach.list')) as AttachList);
    default:
      return served(core, null, 'a third-party module, which does not report its chat client');
  }
}

function served(core: string, behind: true | null, text: string): CoreReach {
  return { core, behind, served: true, text, remedy: null };
}

function upstreamReach({ present, path, why = null, clients = [], fallback }: UpstreamStatus): CoreReach {
  const core = 'upstream';
  if (present) {
    const [, ...others] = clients;
    const further = others.length === 0 ? '' : `, and presence may go to ${others.join(', ')} as well`;
    return served(
      core,
      true,
      `a chat client stands behind it at ${path ?? 'an endpoint above ours'}${further}`,
    );
  }
  const meanwhile =
    fallback === null
      ? 'apps get the answer to try again later'
      : `the core "${fallback.core}" answers meanwhile`;
  const isServed = fallback !== null;
  if (why !== null) {
    const text = `nothing behind it can be used; ${meanwhile}`;
    return { core, behind: false, served: isServed, text, remedy: why };
  }
  const absence = path === null ? '' : ` any more (the last was at ${path})`;
  return {
    core,
    behind: false,
    served: isServed,
    text: `no chat client runs behind it${absence}; ${meanwhile}`,
    remedy: `start the chat client after the bridge${fallback === null ? ', or run the bridge with --fallback emulator' : ''}`,
  };
}

function attachReach({ url, clients }: AttachList): CoreReach {
  const core = 'attach';
  const attached = clients.filter((client) => client.attached.length > 0).map(({ name }) => name);
  if (attached.length > 0) return served(core, true, `attached: ${attached.join(', ')}`);
  const paired = clients.length === 0 ? 'no chat client is paired' : 'no paired chat client is attached';
  const remedy = 'pair and attach a chat client: footbridge attach';
  const where = url === null ? `${paired}, and the attach port is taken` : paired;
  const text = `${where}; apps get READY and their presence is stored, everything else is refused`;
  return { core, behind: false, served: true, text, remedy };
}
