import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { withEndpoint, withoutEndpoint } from '../../../src/cli/endpoints/edit.ts';

const file = (text: string) => ({ path: '/f.toml', text, parse });
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
    const text = withEndpoint(file(FILE), table);
    expect(text.startsWith(FILE)).toBe(true);
    expect(parse(text)['endpoints']).toHaveLength(3);
    expect(parse(withEndpoint(file(''), table))).toEqual({
      endpoints: [{ name: 'c', path: '/x/"c"\\', rights: ['rpc', 'presence'] }],
    });
    expect(parse(withEndpoint(file('core = "attach"'), table))).toMatchObject({ core: 'attach' });
  });

  it('refuses a file that has its endpoints in a list', () => {
    const list = file('endpoints = [{ name = "a", path = "/x/a" }]\n');
    expect(() => withEndpoint(list, { name: 'c', path: '/x/c' })).toThrow(
      '/f.toml has its endpoints in a list, endpoints = […], to which no table can be added. Add the endpoint with',
    );
  });
});

describe('withoutEndpoint', () => {
  it('removes a table with its sub-tables, and leaves comments above other tables', () => {
    expect(withoutEndpoint(file(FILE), 0)).toBe(`# mine
core = "emulator" # stays

# the first

# about the second
[[ endpoints ]]
name = "b"
path = "/x/b"

[limits]
connections = 7
`);
    expect(withoutEndpoint(file(FILE), 1)).toContain('connections = 2\n\n# about the second\n\n[limits]');
    expect(withoutEndpoint(file('[[endpoints]]\nname = "a"\n'), 0)).toBe('');
  });

  it('refuses a file in which the table cannot be separated', () => {
    expect(() => withoutEndpoint(file('endpoints = [{ name = "a" }]\n'), 0)).toThrow('with an editor');
    const quoted = '[[endpoints]]\nname = "a"\npath = """\n[[endpoints]]\n"""\n';
    expect(() => withoutEndpoint(file(quoted), 0)).toThrow('with an editor');
  });
});
