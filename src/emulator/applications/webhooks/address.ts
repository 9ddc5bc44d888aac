import { parseUrl } from '../../../base/url.ts';
import { SettingError } from '../../kernel/errors.ts';

/** A URL that deliveries go to, and the host to connect to. */
export interface Target {
  readonly url: URL;
  /** A loopback address. It is fixed, because host names are never resolved. */
  readonly host: '127.0.0.1' | '::1';
}

/**
 * Parses a delivery URL, which must be on this machine.
 * @throws SettingError with the reason.
 */
export function readTarget(text: string): Target {
  const refuse = (reason: string): never => {
    throw new SettingError('url', `${reason}; events are delivered to http: addresses of this machine only`);
  };
  const url = parseUrl(text) ?? refuse('is no address');
  if (url.protocol !== 'http:') return refuse(`${url.protocol} is not delivered to`);
  if (url.username !== '' || url.password !== '') return refuse('has a user name or a password in it');
  // The host as it was written: a parser would convert 0x7f.1 and similar forms to 127.0.0.1.
  const [, written = ''] = /^http:\/\/(\[[^\]]*\]|[^/?#:]*)/i.exec(text.trim()) ?? [];
  if (written.toLowerCase() !== url.hostname)
    return refuse(`${JSON.stringify(written)} is an address in disguise`);
  if (url.hostname === '[::1]') return { url, host: '::1' };
  // Every address of 127.0.0.0/8 is loopback, but only 127.0.0.1 certainly exists on each system.
  if (url.hostname === '127.0.0.1' || url.hostname === 'localhost') return { url, host: '127.0.0.1' };
  return refuse(`${url.hostname} is another machine, or may be`);
}

/** Whether events may be delivered to a URL. */
export function isTarget(text: string): boolean {
  try {
    readTarget(text);
    return true;
  } catch {
    return false;
  }
}
