import requirementsFile from './requirements.json' with { type: 'json' };

/** MUST: documented, or done alike by every server and needed by clients. SHOULD: reported behaviour. */
export type Level = 'MUST' | 'SHOULD';

/** One statement about the protocol that can be tested. */
export interface Requirement {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  /** Keys of {@link sources}. */
  readonly sources: readonly string[];
  /** Ids of the cases that judge it. */
  readonly cases: readonly string[];
  /** Why no case judges it; only when `cases` is empty. */
  readonly reason?: string;
}

/** Every requirement, in the order of the protocol. */
export const requirements: readonly Requirement[] = requirementsFile.requirements as readonly Requirement[];

/** Where the requirements come from: key to title. */
export const sources: Readonly<Record<string, string>> = requirementsFile.sources;

const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));

/** The requirement with this id. Throws for an unknown one, which is a mistake in the suite. */
export function requirement(id: string): Requirement {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`unknown requirement ${id}`);
  return found;
}

/** The level of a case: that of the first requirement it judges. */
export function levelOf(judges: readonly string[]): Level {
  const [first] = judges;
  return first === undefined ? 'SHOULD' : requirement(first).level;
}
