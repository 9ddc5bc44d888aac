import { scopeRow } from '../../../protocol/scope.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import { ownText } from '../../kernel/own-text.ts';
import { plainText } from '../consent/display.ts';
import { OAuth2Error } from './error.ts';

/**
 * Checks requested scopes and returns them without repetitions, in the requested order.
 * @throws OAuth2Error `invalid_scope` naming the scopes that are unknown or not for such an application.
 */
export function checkScopes(
  requested: readonly string[],
  { partner, public_client }: Pick<ApplicationRecord, 'partner' | 'public_client'>,
): readonly string[] {
  const scopes = [...new Set(requested)];
  if (scopes.length === 0) throw new OAuth2Error('invalid_scope', 'No scope was requested.');
  const unknown = scopes.filter((name) => scopeRow(name) === undefined);
  if (unknown.length > 0) {
    const named = unknown.slice(0, 3).map((name) => `"${plainText(name)}"`);
    const more = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : '';
    throw new OAuth2Error('invalid_scope', `Unknown scope: ${named.join(', ')}${more}.`);
  }
  const reserved = scopes.filter((name) => scopeRow(name)?.partner === true);
  if (reserved.length > 0 && !partner) {
    throw new OAuth2Error('invalid_scope', `Only approved partners may request: ${reserved.join(', ')}.`);
  }
  const confidential = public_client ? scopes.filter((name) => CONFIDENTIAL.includes(name)) : [];
  if (confidential.length > 0) {
    throw new OAuth2Error('invalid_scope', `A public client may not request: ${confidential.join(', ')}.`);
  }
  return scopes;
}

/** Scopes that require an application with a secret. */
const CONFIDENTIAL: readonly string[] = ['role_connections.write'];

/** The scopes in a text. They are separated by spaces, or by pluses in a text that was encoded twice. */
export function scopesIn(text = ''): string[] {
  return text
    .split(/[ +]+/)
    .filter((scope) => scope !== '')
    .map(ownText);
}

/** Whether a remembered grant may cover these scopes. */
export function mayBeRemembered(scopes: readonly string[]): boolean {
  return !scopes.some((name) => scopeRow(name)?.requiresConsent === true);
}

/** Description of a scope for the user. */
export function describeScope(name: string): string {
  return scopeRow(name)?.sentence ?? 'Unknown';
}
