import { useEffect, useState } from 'preact/hooks';
import type { IconName } from '../parts/icon.ts';

/** View of the console; `needs` names the operation without which a bridge has no such view. */
export interface PageInfo {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly needs: string | undefined;
}

/** Views in the order of the navigation. The key of a view is its place in this list. */
export const PAGES = [
  { id: 'overview', title: 'Overview', icon: 'overview', needs: undefined },
  { id: 'traffic', title: 'Traffic', icon: 'traffic', needs: undefined },
  { id: 'requests', title: 'Requests', icon: 'grants', needs: 'origins.list' },
  { id: 'channels', title: 'Channels', icon: 'channels', needs: 'channel.view' },
  { id: 'presence', title: 'Presence', icon: 'presence', needs: 'presence.list' },
  { id: 'world', title: 'World', icon: 'world', needs: 'emulator.show' },
  { id: 'faults', title: 'Faults', icon: 'faults', needs: 'fault.list' },
  { id: 'operations', title: 'Operations', icon: 'operations', needs: undefined },
  { id: 'doctor', title: 'Doctor', icon: 'doctor', needs: undefined },
] as const satisfies readonly PageInfo[];

export type PageId = (typeof PAGES)[number]['id'];

/** Names of views in addresses that earlier versions printed. */
const FORMER: Readonly<Record<string, PageId>> = { frames: 'traffic', grants: 'requests' };

/** Address after `#/`: `traffic/ID?filter=…` is a view, its argument, and its options. */
export interface PageAddress {
  readonly id: string;
  readonly rest: string;
  readonly query: URLSearchParams;
}

/** Address of a view with options, for a link; an empty option is left out. */
export function pageAddress(id: PageId, rest = '', options: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(options).filter(([, value]) => value !== '')).toString();
  return `#/${id}${rest === '' ? '' : `/${encodeURIComponent(rest)}`}${query === '' ? '' : `?${query}`}`;
}

/** Address of the traffic of one app; `more` are further terms of the filter. */
export function appTraffic(name: string, more = ''): string {
  return pageAddress('traffic', '', { filter: `app:${JSON.stringify(name)}${more}` });
}

/** Sets options of the present address; without an entry of their own in the browser's history. */
export function replaceOptions(options: Readonly<Record<string, string>>): void {
  const { id, rest, query } = readAddress();
  const all = { ...Object.fromEntries(query), ...options };
  history.replaceState(null, '', pageAddress(id as PageId, rest, all));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The present address; it follows the browser's. */
export function usePageAddress(): PageAddress {
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const changed = (): void => setAddress(readAddress());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return address;
}

function readAddress(): PageAddress {
  const [, id = '', rest = '', query = ''] =
    /^#\/([\w-]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(location.hash) ?? [];
  return { id: FORMER[id] ?? id, rest: decoded(rest), query: new URLSearchParams(query) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A hand-written address with a lone percent sign.
    return text;
  }
}

/** Whether this page was opened for pictures of messages, with nothing else on it. */
export function isPicturePage(): boolean {
  return location.hash.startsWith('#/picture/');
}
