import { expect } from 'vitest';
import type { AdminDeclaration } from '../../src/base/admin-operation.ts';
import { adminDeclarations } from '../../src/daemon/operations.ts';

const all: readonly AdminDeclaration<never>[] = adminDeclarations;

/** The operation that a command of the command line calls, where it is one that an operation declares. */
export function declaredAs(command: string): AdminDeclaration<never> | undefined {
  return all.find((one) => one.command !== undefined && `emulator ${one.command.name}` === command);
}

/** The operation of this name. */
export function declaredOperation(name: string): AdminDeclaration<never> {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no operation ${name}`);
  return found;
}

/** Whether an operation of that name is declared. */
export function isDeclared(name: string): boolean {
  return all.some((one) => one.name === name);
}

/** A result has the shape that its operation declares, and nothing besides. */
export function expectDeclared(name: string, result: unknown): void {
  const parsed = all
    .find((one) => one.name === name)
    ?.result()
    .safeParse(result);
  expect(parsed?.success === false ? parsed.error.issues : [], name).toEqual([]);
  expect(parsed?.success === true ? parsed.data : undefined, name).toEqual(result);
}
