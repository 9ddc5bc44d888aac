import { boundOperations } from '../../src/base/admin-operation.ts';
import type { Operations } from '../../src/control/generated.ts';
import { callOperation } from '../../src/control/routes.ts';
import { operatorOperations } from '../../src/emulator/compose/operator-operations.ts';
import { type PlayedPlatform, playedPlatform } from './answering.ts';
import { expectDeclared } from './declared-result.ts';

/** A platform with the bot of the built-in application, and every operation of the operator. */
export interface ViewedPlatform extends PlayedPlatform {
  /** Runs an operation, and holds its result against the declared shape. */
  readonly run: <Name extends keyof Operations>(
    name: Name,
    args: object,
  ) => Promise<Operations[Name]['result']>;
}

/** Starts it; `change` patches the built-in fixture. */
export async function viewedPlatform(change: object = {}): Promise<ViewedPlatform> {
  const platform = await playedPlatform(change);
  const operations = boundOperations(operatorOperations, platform.emulator);
  return {
    ...platform,
    async run(name, args) {
      const source = { operations, mayAllow: () => undefined };
      const result = await callOperation(source, name, args, { via: 'control' });
      expectDeclared(name, result);
      return result as never;
    },
  };
}
