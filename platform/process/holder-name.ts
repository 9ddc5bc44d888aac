import { readlinkSync } from 'node:fs';
import { type Holder, thisHolder } from './pid-file.ts';

/** This process as a part of a file's or folder's name, from which other processes find out whether it still runs. */
export function holderName(): string {
  const { pid, start = '0' } = thisHolder();
  return `${pid}-${start}-${pidNamespace()}`;
}

/** The process that such a part names; undefined for another text, and for a process of another PID namespace. */
export function holderNamed(text: string): Holder | undefined {
  const match = /^([1-9]\d{0,9})-(\d{1,20})-(\d{1,20})$/.exec(text);
  if (match === null || match[3] !== pidNamespace()) return undefined;
  const [, pid, start = '0'] = match;
  return { by: 'pid', pid: Number(pid), ...(start === '0' ? {} : { start }) };
}

/**
 * The number of the PID namespace: in another one, a pid names another process or none. `0` on a system without
 * namespaces.
 */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
