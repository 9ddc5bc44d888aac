import type { PeerEntrance } from './core.ts';

/**
 * One phrase about the endpoint and the sandbox of an app, for prompts and lists: `endpoint "music", Flatpak
 * org.videolan.VLC`. The sandbox is proven, unlike everything else about an app.
 */
export function entranceText({ name, sandbox }: PeerEntrance): string {
  if (sandbox === null) return `endpoint "${name}", outside of a sandbox`;
  return `endpoint "${name}", ${sandbox === 'unverified' ? 'unverified sandbox' : sandbox}`;
}
