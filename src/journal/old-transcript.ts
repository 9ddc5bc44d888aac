import { printExact } from '../base/exact-json.ts';
import { Opcode } from '../wire/codes.ts';

type Fields = Readonly<Record<string, unknown>>;

const OPCODES: Readonly<Record<string, Opcode>> = {
  handshake: Opcode.HANDSHAKE,
  request: Opcode.FRAME,
  answer: Opcode.FRAME,
  error: Opcode.FRAME,
  event: Opcode.FRAME,
};

/**
 * Reads the lines of a transcript that `emulate --transcript` wrote before version 2 of the format: returns the entries
 * of each line, which the caller checks like any other entry. Skips HTTP exchanges, because that format did not contain
 * their bodies.
 */
export function oldTranscriptReader(): (line: Fields) => readonly Fields[] {
  const connections = new Set<unknown>();
  let seq = 0;
  return (line) => {
    const { ms, connection, transport } = line;
    const session = `c${String(connection)}`;
    const number = (entry: Fields): Fields => {
      seq += 1;
      return { ...entry, seq, at: ms };
    };
    const entry = entryOf(line, session);
    if (entry === undefined) return [];
    if (connection === undefined || connections.has(connection)) return [number(entry)];
    connections.add(connection);
    return [number({ kind: 'connect', session, over: transport }), number(entry)];
  };
}

function entryOf(line: Fields, session: string): Fields | undefined {
  const { kind, from, payload, message, application, field, reason, what, times } = line;
  const isOut = from === 'bridge';
  switch (kind) {
    case 'close':
      if (isOut) return { kind, session, ...Object(payload) };
      return frame(Opcode.CLOSE, false, payload, session);
    case 'broken':
      return { kind, session, message };
    case 'end':
      return { kind, session };
    case 'http':
      return undefined;
    case 'doubt':
      return {
        kind: 'warning',
        session: String(application),
        message: `${String(field)}: ${String(reason)}`,
      };
    case 'missing':
      return { kind, what, times };
    default: {
      const opcode = typeof kind === 'string' && Object.hasOwn(OPCODES, kind) ? OPCODES[kind] : undefined;
      return opcode === undefined ? line : frame(opcode, isOut, payload, session);
    }
  }
}

function frame(opcode: Opcode, isOut: boolean, payload: unknown, session: string): Fields {
  const text = printExact(payload ?? null);
  const bytes = new TextEncoder().encode(text).byteLength;
  return { kind: 'frame', session, direction: isOut ? 'out' : 'in', opcode, text, bytes };
}
