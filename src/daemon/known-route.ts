import { didYouMean } from '../base/nearest.ts';

/** Parts of a platform route, without the version of the API; an undefined part matches any. */
export interface RouteParts {
  readonly method: string | undefined;
  readonly path: string | undefined;
}

/** Explains that the platform has no such route, and names the probable route; undefined for a known route. */
export async function unknownRoute(route: string, { method, path }: RouteParts): Promise<string | undefined> {
  // The module is loaded with the first request in any case.
  const { routesLike } = await import('../emulator/compose/route-names.ts');
  const { matches, known } = routesLike(method, path);
  if (matches) return undefined;
  return `the platform has no route ${JSON.stringify(route)}.${didYouMean(route, known)}`;
}

/** The path of a route relative to the versioned address of the API. */
export function pathBelowApi(path: string): string {
  return path.replace(/^\/api(?:\/v\d+)?(?=\/)/, '');
}
