import { LocalError } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { shellWord } from '../../base/shell-word.ts';
import { quote, usage } from '../parse.ts';

/** Kinds of endpoints that `footbridge endpoints add` takes. */
export const ENDPOINT_KINDS = ['flatpak', 'snap', 'path'] as const;

/** A kind of {@link ENDPOINT_KINDS}. */
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** Options of `footbridge endpoints add` that a corrected command repeats. */
export interface KindOptions {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly rights?: string | undefined;
}

/**
 * The kind as typed, in any case. Throws `LocalError` FOOTBRIDGE_USAGE for another word, with the command that was
 * probably meant: users type the name of the endpoint, or the path of its socket, in the place of the kind.
 */
export function endpointKind(word: string, options: KindOptions): EndpointKind {
  const kind = ENDPOINT_KINDS.find((one) => one === word.toLowerCase());
  if (kind !== undefined) return kind;
  const problem = `KIND: ${quote(word)} is not one of ${ENDPOINT_KINDS.join(', ')}.`;
  const hint = meantCommand(word, options);
  if (hint !== undefined) throw new LocalError('FOOTBRIDGE_USAGE', `${problem} ${hint}`);
  throw usage(`${problem}${didYouMean(word, ENDPOINT_KINDS)}`, { name: 'endpoints add' });
}

/** A rule and the command that was probably meant; undefined where none is likely. */
function meantCommand(word: string, { name, path, rights }: KindOptions): string | undefined {
  const command = (parts: Readonly<Record<string, string | undefined>>): string => {
    const options = Object.entries({ ...parts, rights }).flatMap(([option, value]) =>
      value === undefined ? [] : [` --${option} ${shellWord(value)}`],
    );
    return `footbridge endpoints add path${options.join('')}`;
  };
  if (path === undefined && word.startsWith('/'))
    return `The path of a socket stands after --path: ${command({ name, path: word })}`;
  if (path === undefined) return undefined;
  if (name !== undefined) return `An endpoint with --path has the kind path: ${command({ name, path })}`;
  return `A name stands after --name: ${command({ name: word, path })}`;
}
