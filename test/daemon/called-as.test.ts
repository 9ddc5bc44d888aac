import { expect, it } from 'vitest';
import { calledAs, withCallableCommands } from '../../src/daemon/called-as.ts';

const checkout = { npm_package_name: 'footbridge', npm_lifecycle_event: 'footbridge' };

it.each([
  ['Start one with: footbridge run', 'Start one with: npm run -s footbridge -- run'],
  [
    '"footbridge grants" lists them; footbridge --help',
    '"npm run -s footbridge -- grants" lists them; npm run -s footbridge -- --help',
  ],
  ['source <(footbridge completion bash)', 'source <(npm run -s footbridge -- completion bash)'],
])(
  'withCallableCommands names the npm script of a checkout for each command in the message %j',
  (message, expected) => {
    expect(withCallableCommands(message, checkout)).toBe(expected);
    expect(withCallableCommands(message, {})).toBe(message);
  },
);

it.each([
  'footbridge: cannot be read',
  'footbridge 0.1.0',
  '/opt/footbridge run',
  'npm run -s footbridge -- status',
  'correct footbridge.toml',
  'another footbridge holds it',
  'footbridge forward: node (pid 7)',
  "--to 'exec:ssh desk footbridge forward --from stdio: --to auto'",
])('withCallableCommands leaves the message %j unchanged, which names no command', (message) => {
  expect(withCallableCommands(message, checkout)).toBe(message);
});

it.each([
  [{}, 'footbridge'],
  [{ npm_package_name: 'footbridge' }, 'footbridge'],
  [{ npm_package_name: 'footbridge', npm_lifecycle_event: 'test' }, 'footbridge'],
  [{ npm_package_name: 'other', npm_lifecycle_event: 'start' }, 'footbridge'],
  [{ npm_package_name: 'footbridge', npm_lifecycle_event: 'start' }, 'npm run -s footbridge --'],
  [checkout, 'npm run -s footbridge --'],
])('with the variables %j the program is called as %j', (env, text) => {
  expect(calledAs(env)).toBe(text);
});
