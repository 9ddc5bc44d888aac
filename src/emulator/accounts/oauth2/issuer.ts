/**
 * The issuer of the emulator's id_tokens, derived from the base URL of the API. It is the address at which libraries
 * look for the discovery document.
 */
export function issuerOf(base: string): string {
  return base.replace(/\/api$/, '');
}
