import { readlinkSync } from 'node:fs';
import { type Holder, thisHolder } from './pid-file.ts';

/**
 * Returns a text that identifies this process in the name of a file or folder, so that other processes can check
 * whether it is still running.
 */
export function holderName(): string {
  const { pid, start = '0' } = thisHolder();
  return `${pid}-${start}-${pidNamespace()}`;
}

/**
 * Returns the process that such a text identifies; undefined for another text, and for a process of another PID
 * namespace.
 */
export function holderNamed(text: string): Holder | undefined {
  const match = /^([1-9]\d{0,9})-(\d{1,20})-(\d{1,20})$/.exec(text);
  if (match === null || match[3] !== pidNamespace()) return undefined;
  const [, pid, start = '0'] = match;
  return { by: 'pid', pid: Number(pid), ...(start === '0' ? {} : { start }) };
}

/**
 * Returns the number of the PID namespace; in another namespace, a pid belongs to another process or to none. `0` on a
 * system without namespaces.
 */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
