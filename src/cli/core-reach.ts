import type { ControlClient } from '../control/client.ts';

/** Whether somebody stands behind the core, and who; `behind` is null where that cannot be known. */
export interface CoreReach {
  readonly core: string;
  readonly behind: boolean | null;
  /** One phrase for people. */
  readonly text: string;
}

interface UpstreamStatus {
  readonly present: boolean;
  readonly path: string | null;
  readonly fallback: { readonly core: string } | null;
}

interface AttachList {
  readonly url: string | null;
  readonly clients: readonly { readonly name: string; readonly attached: readonly unknown[] }[];
}

/** Asks the running bridge who answers its apps in the end. */
export async function coreReach(client: ControlClient, core: string): Promise<CoreReach> {
  switch (core) {
    case 'emulator':
      return { core, behind: true, text: 'the emulator answers by itself; no chat client is needed' };
    case 'upstream':
      return { core, ...upstreamReach((await client.call('upstream.status')) as UpstreamStatus) };
    case 'attach':
      return { core, ...attachReach((await client.call('attach.list')) as AttachList) };
    default:
      return {
        core,
        behind: null,
        text: "a module of somebody else's; it does not tell who stands behind it",
      };
  }
}

function upstreamReach({ present, path, fallback }: UpstreamStatus): Omit<CoreReach, 'core'> {
  if (present)
    return { behind: true, text: `a chat client stands behind it at ${path ?? 'an endpoint above ours'}` };
  const meanwhile =
    fallback === null ? 'apps are told to try again later' : `the core "${fallback.core}" answers meanwhile`;
  return { behind: false, text: `no chat client runs behind it; ${meanwhile}` };
}

function attachReach({ url, clients }: AttachList): Omit<CoreReach, 'core'> {
  const attached = clients.filter((client) => client.attached.length > 0).map(({ name }) => name);
  if (attached.length > 0) return { behind: true, text: `attached: ${attached.join(', ')}` };
  const paired = clients.length === 0 ? 'no chat client is paired' : 'no paired chat client is attached';
  return { behind: false, text: url === null ? `${paired}, and the attach port is taken` : `${paired}` };
}
