import { parseUrl } from '../../../base/url.ts';
import { SettingError } from '../../kernel/errors.ts';

/** An address to deliver to, with the host that is connected to. */
export interface Target {
  readonly url: URL;
  /** An address of loopback; a name is never looked up. */
  readonly host: '127.0.0.1' | '::1';
}

/**
 * Reads an address that events are delivered to: of this machine, and nothing else.
 * @throws SettingError with the reason.
 */
export function readTarget(text: string): Target {
  const refuse = (reason: string): never => {
    throw new SettingError('url', `${reason}; events are delivered to http: addresses of this machine only`);
  };
  const url = parseUrl(text) ?? refuse('is no address');
  if (url.protocol !== 'http:') return refuse(`${url.protocol} is not delivered to`);
  if (url.username !== '' || url.password !== '') return refuse('has a user name or a password in it');
  // How it is written, before a parser makes 127.0.0.1 of 0x7f.1 and the like.
  const [, written = ''] = /^http:\/\/(\[[^\]]*\]|[^/?#:]*)/i.exec(text.trim()) ?? [];
  if (written.toLowerCase() !== url.hostname)
    return refuse(`${JSON.stringify(written)} is an address in disguise`);
  if (url.hostname === '[::1]') return { url, host: '::1' };
  // Every address of 127.0.0.0/8 is loopback, but only this one is surely there.
  if (url.hostname === '127.0.0.1' || url.hostname === 'localhost') return { url, host: '127.0.0.1' };
  return refuse(`${url.hostname} is another machine, or may be`);
}

/** Whether events may be delivered to an address. */
export function isTarget(text: string): boolean {
  try {
    readTarget(text);
    return true;
  } catch {
    return false;
  }
}
