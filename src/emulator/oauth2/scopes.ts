import { scopeRow } from '../../protocol/scope.ts';
import { plainText } from '../people/display.ts';
import { OAuth2Error } from './error.ts';

/**
 * Checks requested scopes and returns them without repetitions, in the order asked.
 * @throws OAuth2Error `invalid_scope` naming what is unknown or reserved for partners.
 */
export function checkScopes(requested: readonly string[], partner: boolean): readonly string[] {
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
  return scopes;
}

/** The scopes in a text: with spaces between them, or pluses where somebody encoded it twice. */
export function scopesIn(text = ''): string[] {
  return text.split(/[ +]+/).filter((scope) => scope !== '');
}

/** Whether a remembered answer may stand in for a new one. */
export function mayBeRemembered(scopes: readonly string[]): boolean {
  return !scopes.some((name) => scopeRow(name)?.alwaysAsk === true);
}

/** The sentence a person reads about a scope. */
export function describeScope(name: string): string {
  return scopeRow(name)?.sentence ?? 'Unknown';
}
