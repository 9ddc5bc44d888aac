import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { withoutTable, withTable } from '../../../src/cli/configuration/tables.ts';
import { ENDPOINT_TABLES } from '../../../src/cli/endpoints/tables.ts';

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

describe('withTable', () => {
  it('appends a table, and changes nothing else', () => {
    const table = { name: 'c', path: '/x/"c"\\', rights: ['rpc', 'presence'], client: undefined };
    const text = withTable(file(FILE), ENDPOINT_TABLES, table);
    expect(text.startsWith(FILE)).toBe(true);
    expect(parse(text)['endpoints']).toHaveLength(3);
    expect(parse(withTable(file(''), ENDPOINT_TABLES, table))).toEqual({
      endpoints: [{ name: 'c', path: '/x/"c"\\', rights: ['rpc', 'presence'] }],
    });
    expect(parse(withTable(file('core = "attach"'), ENDPOINT_TABLES, table))).toMatchObject({
      core: 'attach',
    });
  });

  it('refuses a file that has each endpoint in a list', () => {
    const list = file('endpoints = [{ name = "a", path = "/x/a" }]\n');
    expect(() => withTable(list, ENDPOINT_TABLES, { name: 'c', path: '/x/c' })).toThrow(
      '/f.toml has each endpoint in a list, endpoints = […], to which no table can be added. Add the endpoint with',
    );
  });
});

describe('withoutTable', () => {
  it('removes a table with its sub-tables, and leaves comments above other tables', () => {
    expect(withoutTable(file(FILE), ENDPOINT_TABLES, 0)).toBe(`# mine
core = "emulator" # stays

# the first

# about the second
[[ endpoints ]]
name = "b"
path = "/x/b"

[limits]
connections = 7
`);
    expect(withoutTable(file(FILE), ENDPOINT_TABLES, 1)).toContain(
      'connections = 2\n\n# about the second\n\n[limits]',
    );
    expect(withoutTable(file('[[endpoints]]\nname = "a"\n'), ENDPOINT_TABLES, 0)).toBe('');
  });

  it('refuses a file in which the table cannot be separated', () => {
    expect(() => withoutTable(file('endpoints = [{ name = "a" }]\n'), ENDPOINT_TABLES, 0)).toThrow(
      'with an editor',
    );
    const quoted = '[[endpoints]]\nname = "a"\npath = """\n[[endpoints]]\n"""\n';
    expect(() => withoutTable(file(quoted), ENDPOINT_TABLES, 0)).toThrow('with an editor');
  });
});
