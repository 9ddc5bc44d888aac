import type { FurtherEndpoint } from '../../control/routes.ts';

/** Note on an endpoint: why it is not served, or that it is in no configuration; empty for any other. */
export function endpointNote({
  preset,
  why,
}: { readonly preset: string } & Pick<FurtherEndpoint, 'why'>): string {
  return why ?? (preset === 'private' ? 'private, as long as its forward runs' : '');
}
