import { expect, it } from 'vitest';
import { LocalError } from '../../../src/base/local-error.ts';
import { endpointKind, type KindOptions } from '../../../src/cli/endpoints/kind.ts';

it('a kind is taken in any case', () => {
  expect(endpointKind('Flatpak', {})).toBe('flatpak');
});

it.each<[word: string, options: KindOptions, hint: string]>([
  [
    'box',
    { path: '/run/a' },
    ' A name stands after --name: footbridge endpoints add path --name box --path /run/a',
  ],
  [
    'box',
    { path: '/run/a b', rights: 'presence,identify' },
    " A name stands after --name: footbridge endpoints add path --name box --path '/run/a b' --rights presence,identify",
  ],
  [
    'socket',
    { name: 'box', path: '/run/a' },
    ' An endpoint with --path has the kind path: footbridge endpoints add path --name box --path /run/a',
  ],
  ['/run/a', {}, ' The path of a socket stands after --path: footbridge endpoints add path --path /run/a'],
  ['flatpack', {}, ' Did you mean "flatpak"? Try: footbridge endpoints add --help'],
  ['box', {}, ' Try: footbridge endpoints add --help'],
])('%s with %j instead of a kind is refused with the command that was meant', (word, options, hint) => {
  expect(() => endpointKind(word, options)).toThrow(
    new LocalError('FOOTBRIDGE_USAGE', `KIND: "${word}" is not one of flatpak, snap, path.${hint}`),
  );
});
