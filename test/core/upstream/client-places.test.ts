import { expect, it } from 'vitest';
import { Clients } from '../../../src/core/upstream/clients.ts';

const [A, B, C] = ['/run/discord-ipc-1', '/run/discord-ipc-2', '/run/discord-ipc-3'] as const;
const program = { pid: 1, exe: '/opt/vesktop/vesktop', name: 'vesktop' };

function namesAt(places: Readonly<Record<string, string>>, ...paths: readonly string[]): readonly string[] {
  const clients = new Clients(
    undefined,
    () => {},
    () => {},
    () => places,
  );
  return paths.map((path) => clients.note({ path, program }).name);
}

it('two clients of one build keep their names at their paths, whichever answers first', () => {
  const places = { vesktop: A, 'vesktop-2': B };
  expect(namesAt(places, A, B)).toEqual(['vesktop', 'vesktop-2']);
  expect(namesAt(places, B, A)).toEqual(['vesktop-2', 'vesktop']);
  expect(namesAt(places, B), 'the other one is away').toEqual(['vesktop-2']);
  expect(namesAt(places, C, A), 'a third one takes no name of theirs').toEqual(['vesktop-3', 'vesktop']);
});

it('a client takes the name of its build at any path where nobody has chosen among two', () => {
  expect(namesAt({}, C)).toEqual(['vesktop']);
  expect(namesAt({ 'other-2': C }, C), 'another build had the path').toEqual(['vesktop']);
});
