import { expect, it } from 'vitest';
import * as bridge from '../../src/cli/bridge.ts';
import * as parts from '../../src/cli/bridge-parts.ts';

it('the file that answers for the parts of a bridge in a bundle has all of their exports', () => {
  expect(Object.keys(bridge)).toEqual(expect.arrayContaining(Object.keys(parts)));
});
