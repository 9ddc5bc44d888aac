// Footbridge.cs: the declarations of footbridge.h for P/Invoke, read from the header itself, with its names.
import { nativeHeader } from './native-header.ts';

export const NATIVE_CSHARP = 'src/native/csharp/Footbridge.cs';

/** Functions that need memory which stays where it is after the call, or a FILE: those of JSON that the program has itself. */
const LEFT_OUT = /^fb_(?:w_\w+|parse|print_error)$/;

const UTF8 = '[MarshalAs(UnmanagedType.LPUTF8Str)] string';

/** Types of parameters, results and members, as C has them. */
const TYPES: Readonly<Record<string, string>> = {
  int: 'int',
  double: 'double',
  char: 'sbyte',
  int64_t: 'long',
  uint32_t: 'uint',
  uint64_t: 'ulong',
  size_t: 'UIntPtr',
  void: 'void',
  'void *': 'IntPtr',
  'fb_client *': 'IntPtr',
  'const fb_client *': 'IntPtr',
  'const char *': UTF8,
};
/** Parameters that are written to, or that C gets by address. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'char *': '[Out] byte[]',
  'fb_client **': 'ref IntPtr',
  'uint32_t *': 'out uint',
  'uint64_t *': 'out ulong',
  'int64_t *': 'out long',
  'double *': 'out double',
};

interface Declaration {
  readonly type: string;
  readonly name: string;
  readonly length: number;
}

/** Writes the whole file. */
export function nativeCSharp(): string {
  const text = publicPart();
  const parts = [...enumsIn(text), ...structsIn(text), nativeClass(text)];
  const head = `// The declarations of footbridge.h, whose first page is the manual. Generated from it by "npm run gen".
// This file is under the licences of the header.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Footbridge {`;
  return `${head}\n${parts.join('\n\n')}\n}\n`;
}

/** What users of the header see, without comments. */
function publicPart(): string {
  const header = nativeHeader();
  const [, text = ''] = /#ifndef FOOTBRIDGE_H\n([\s\S]*)#endif \/\* FOOTBRIDGE_H \*\//.exec(header) ?? [];
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '');
}

function enumsIn(text: string): string[] {
  return [...text.matchAll(/typedef enum (\w+) \{([^}]*)\}/g)].map(([, name, body = '']) => {
    const values = [...body.matchAll(/(\w+) = (-?\d+)/g)].map(([value]) => `    ${value},`);
    return `  public enum ${name} {\n${values.join('\n')}\n  }`;
  });
}

function structsIn(text: string): string[] {
  return [...text.matchAll(/typedef struct (\w+) \{([^}]*)\}/g)]
    .filter(([, name]) => name !== 'fb_writer')
    .map(([, name = '', body = '']) => {
      const members = [...body.matchAll(/([^;]+);/g)].flatMap(([, member = '']) =>
        membersOf(name, member.trim()),
      );
      const lines = members.map((member) => `    ${member}`);
      return `  [StructLayout(LayoutKind.Sequential)]\n  public struct ${name} {\n${lines.join('\n')}\n  }`;
    });
}

/** Members of C# for one of C. What the library writes (an event, a value) has addresses; what the program writes, texts. */
function membersOf(struct: string, member: string): string[] {
  const callback = /^void \(\*(\w+)\)\(void \*user, /.exec(member)?.[1];
  if (callback !== undefined) return [`public fb_${callback} ${callback};`];
  const pointer = /\(\*(\w+)\)\(/.exec(member)?.[1];
  if (pointer !== undefined) return [`public IntPtr ${pointer};`];
  const { type, name, length } = declarationOf(member);
  const isWritten = struct === 'fb_event' || struct === 'fb_json';
  if (type === 'char')
    return [`[MarshalAs(UnmanagedType.ByValTStr, SizeConst = ${length})] public string ${name};`];
  const own = isWritten && type === 'const char *' ? 'IntPtr' : typeOf(type);
  const line = (one: string) =>
    own === UTF8 ? `[MarshalAs(UnmanagedType.LPUTF8Str)] public string ${one};` : `public ${own} ${one};`;
  if (length === 0) return [line(name)];
  return Array.from({ length }, (_, index) => line(`${name}_${index}`));
}

function declarationOf(text: string): Declaration {
  const [, type = '', name = '', length = '0'] = /^(.*?)(\w+)(?:\[(\d+)\])?$/.exec(text) ?? [];
  return { type: type.trim(), name, length: Number(length) };
}

/** Throws for a type that this file does not know, so that the header cannot get ahead of it. */
function typeOf(type: string): string {
  const found = TYPES[type] ?? (/^fb_\w+$/.test(type) ? type : undefined);
  if (found === undefined) throw new Error(`footbridge.h has the type "${type}", which C# does not know yet`);
  return found;
}

function parameterOf(text: string): string {
  const { type, name } = declarationOf(text);
  const [, constant, struct] = /^(const )?(fb_(?!client)\w+) \*$/.exec(type) ?? [];
  // Words of C# that the header has as names.
  const own = name === 'event' || name === 'object' ? `@${name}` : name;
  if (struct !== undefined) return `${constant === undefined ? '' : '[In] '}ref ${struct} ${own}`;
  return `${ADDRESSES[type] ?? typeOf(type)} ${own}`;
}

function nativeClass(text: string): string {
  const functions = [...text.matchAll(/^FB_API (.*?)(\w+)\(([^)]*)\);/gm)]
    .filter(([, , name = '']) => !LEFT_OUT.test(name))
    .map(([, result = '', name, list = '']) => {
      const parameters = list === 'void' ? [] : list.split(',').map((one) => parameterOf(one.trim()));
      const type = result.trim() === 'const char *' ? 'IntPtr' : typeOf(result.trim());
      return `    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern ${type} ${name}(${parameters.join(', ')});`;
    });
  const names = [...text.matchAll(/^#define (FB_(?:CMD|EVT)_\w+) (".*")$/gm)].map(
    ([, name, value]) => `    public const string ${name} = ${value};`,
  );
  return `  [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
  public delegate void fb_on_event(IntPtr user, IntPtr client, ref fb_event @event);

  public static class Native {
    const string Library = "footbridge";

${functions.join('\n')}

    /// <summary>A text of the library, such as of fb_endpoint or the name of an event.</summary>
    public static string Text(IntPtr at) {
      if (at == IntPtr.Zero) return null;
      int length = 0;
      while (Marshal.ReadByte(at, length) != 0) length++;
      byte[] bytes = new byte[length];
      Marshal.Copy(at, bytes, 0, length);
      return Encoding.UTF8.GetString(bytes);
    }

    /// <summary>A text in JSON without its escapes; null where the value is no text.</summary>
    public static string Text(fb_json value) {
      if (fb_type(value) != '"') return null;
      byte[] bytes = new byte[(int)fb_text(value, null, UIntPtr.Zero) + 1];
      int length = (int)fb_text(value, bytes, (UIntPtr)bytes.Length);
      return Encoding.UTF8.GetString(bytes, 0, length);
    }

    /// <summary>The JSON of a value as it came; null where it is absent.</summary>
    public static string Json(fb_json value) {
      if (value.at == IntPtr.Zero) return null;
      byte[] bytes = new byte[value.end.ToInt64() - value.at.ToInt64()];
      Marshal.Copy(value.at, bytes, 0, bytes.Length);
      return Encoding.UTF8.GetString(bytes);
    }
${names.map((name) => `\n${name}`).join('')}
  }`;
}
