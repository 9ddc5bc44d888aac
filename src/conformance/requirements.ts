import requirementsFile from './requirements.json' with { type: 'json' };

/** MUST: documented, or common to all servers and needed by clients. SHOULD: reported behaviour. */
export type Level = 'MUST' | 'SHOULD';

/** Testable statement about the protocol. */
export interface Requirement {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  /** Keys of {@link sources}. */
  readonly sources: readonly string[];
  /** Ids of the cases that test the requirement. */
  readonly cases: readonly string[];
  /** Reason why no case tests the requirement; only when `cases` is empty. */
  readonly reason?: string;
}

/** Every requirement, in the order of the protocol. */
export const requirements: readonly Requirement[] = requirementsFile.requirements as readonly Requirement[];

/** Titles of the requirements' sources by key. */
export const sources: Readonly<Record<string, string>> = requirementsFile.sources;

/** Ids of the requirements that name the case; a requirement of the case's own section comes first. */
export function requirementIdsOf(caseId: string): readonly string[] {
  const isOther = ({ id }: Requirement): boolean => id.split('.')[0] !== caseId.split('/')[0];
  return requirements
    .filter(({ cases }) => cases.includes(caseId))
    .toSorted((one, other) => Number(isOther(one)) - Number(isOther(other)))
    .map(({ id }) => id);
}

const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));

/** Requirement with this id. Throws for an unknown id, which is a mistake in the suite. */
export function requirement(id: string): Requirement {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`unknown requirement ${id}`);
  return found;
}

/** Level of a case: the level of its first requirement. */
export function levelOf(ids: readonly string[]): Level {
  const [first] = ids;
  return first === undefined ? 'SHOULD' : requirement(first).level;
}
