/** Header fields of a reply, names and values in turns. Node sends such a list as it is, and objects would have to be merged. */
export type HeaderFields = readonly (string | string[])[];

/** Header fields by name. */
type Named = Readonly<Record<string, string | string[]>>;

/** The fields `first` with those of `later`, which replace fields of the same name. */
export function withFields(first: HeaderFields, later: Named | undefined): HeaderFields {
  if (later === undefined) return first;
  const fields = [...first];
  for (const [name, value] of Object.entries(later)) {
    const at = placeOf(fields, name);
    if (at < 0) fields.push(name, value);
    else fields[at + 1] = value;
  }
  return fields;
}

/** The same fields by name. */
export function namedFields(fields: HeaderFields): Named {
  const named: Record<string, string | string[]> = {};
  for (let at = 0; at < fields.length; at += 2) named[String(fields[at])] = fields[at + 1] ?? '';
  return named;
}

/** The value of a field; undefined where it is missing. */
export function fieldOf(fields: HeaderFields, name: string): string | string[] | undefined {
  const at = placeOf(fields, name);
  return at < 0 ? undefined : fields[at + 1];
}

function placeOf(fields: HeaderFields, name: string): number {
  const wanted = name.toLowerCase();
  for (let at = 0; at < fields.length; at += 2) if (String(fields[at]).toLowerCase() === wanted) return at;
  return -1;
}
