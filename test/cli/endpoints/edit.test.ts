import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { withEndpoint, withoutEndpoint } from '../../../src/cli/endpoints/edit.ts';

const FILE = `# mine
core = "emulator" # stays

# the first
[[endpoints]]
name = "a"
path = "/x/a"
# inside of a
  [endpoints.limits]
  connections = 2

# about the second
[[ endpoints ]]
name = "b"
path = "/x/b"

[limits]
connections = 7
`;

describe('withEndpoint', () => {
  it('appends a table, and changes nothing else', () => {
    const table = { name: 'c', path: '/x/"c"\\', rights: ['rpc', 'presence'], client: undefined };
    const text = withEndpoint(FILE, table);
    expect(text.startsWith(FILE)).toBe(true);
    expect(parse(text)['endpoints']).toHaveLength(3);
    expect(parse(withEndpoint('', table))).toEqual({
      endpoints: [{ name: 'c', path: '/x/"c"\\', rights: ['rpc', 'presence'] }],
    });
    expect(parse(withEndpoint('core = "attach"', table))).toMatchObject({ core: 'attach' });
  });
});

describe('withoutEndpoint', () => {
  it('removes a table with its sub-tables, and leaves comments above other tables', () => {
    expect(withoutEndpoint(FILE, 0, parse)).toBe(`# mine
core = "emulator" # stays

# the first

# about the second
[[ endpoints ]]
name = "b"
path = "/x/b"

[limits]
connections = 7
`);
    expect(withoutEndpoint(FILE, 1, parse)).toContain('connections = 2\n\n# about the second\n\n[limits]');
    expect(withoutEndpoint('[[endpoints]]\nname = "a"\n', 0, parse)).toBe('');
  });

  it('refuses a file in which the table cannot be separated', () => {
    expect(() => withoutEndpoint('endpoints = [{ name = "a" }]\n', 0, parse)).toThrow('with an editor');
    const quoted = '[[endpoints]]\nname = "a"\npath = """\n[[endpoints]]\n"""\n';
    expect(() => withoutEndpoint(quoted, 0, parse)).toThrow('with an editor');
  });
});
