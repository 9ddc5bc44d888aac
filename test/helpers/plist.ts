import { XMLValidator } from 'fast-xml-parser';
import { parse } from 'plist';

/** Reads an XML property list with somebody else's parser; throws at what is no well-formed XML, no plist, or cut short. */
export function parsePlist(source: string): unknown {
  const valid = XMLValidator.validate(source);
  if (valid !== true) throw new Error(valid.err.msg);
  if (!source.includes('"-//Apple//DTD PLIST 1.0//EN"')) throw new Error('the document type is missing');
  return parse(source);
}
