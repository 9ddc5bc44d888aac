import type { Environment } from '../endpoint/endpoints.ts';

/** Runs a program without a shell, with limits of its time and output. Rejects when the program cannot be started. */
export type ProgramRunner = (
  argv: readonly [string, ...string[]],
) => Promise<{ readonly code: number | undefined; readonly stdout: string }>;

/** Integrity level of processes that run as administrator; `S-1-16-12288` in a token. */
export const HIGH_INTEGRITY = 0x3000;

/** SID of the group that owns what an elevated process creates. */
const ADMINISTRATORS = 'S-1-5-32-544';

/** Security facts about the server of a named pipe, as Windows reports them to this user. */
export interface PipeServer {
  readonly name: string;
  /** Undefined where a policy forbids the call. */
  readonly pid?: number;
  /** Integrity level of the process; undefined when Windows does not show its token to this program. */
  readonly integrity?: number;
  readonly rights: 'elevated' | 'same user' | 'another owner';
}

/**
 * Returns the integrity level of this process from `whoami /groups`, or undefined when it cannot be measured. Child
 * processes have the level of their parent. The SID is the same in every language of Windows.
 */
export async function ownIntegrity(run: ProgramRunner, env: Environment): Promise<number | undefined> {
  const whoami = systemProgramPath(env, 'whoami.exe');
  const output = await outputOf(run, [whoami, '/groups', '/fo', 'csv', '/nh']);
  return levelIn(output ?? '');
}

/**
 * Returns the servers of those named pipes that this user may inspect. Each pipe is opened for reading only, which the
 * default security descriptor grants to everyone, also where an app is refused, because it needs to write.
 */
export async function pipeServers(
  run: ProgramRunner,
  env: Environment,
  names: readonly string[],
): Promise<PipeServer[]> {
  const powershell = systemProgramPath(env, 'WindowsPowerShell\\v1.0\\powershell.exe');
  const script = Buffer.from(pipeScript(names), 'utf16le').toString('base64');
  const output = await outputOf(run, [
    powershell,
    '-NoLogo',
    '-NoProfile',
    '-NonInteractive',
    '-EncodedCommand',
    script,
  ]);
  return (output ?? '').split(/\r?\n/).flatMap((line) => {
    const [, name, owner, me, pid, level = ''] =
      /^pipe ([\w-]+) (S-[\d-]+) (S-[\d-]+)(?: (\d+))?(?: (S-[\d-]+))?$/.exec(line.trimEnd()) ?? [];
    if (name === undefined || owner === undefined || !names.includes(name)) return [];
    const integrity = levelIn(level);
    const server: PipeServer = {
      name,
      ...(pid ? { pid: Number(pid) } : {}),
      ...(integrity === undefined ? {} : { integrity }),
      rights: rightsOf(owner, me, integrity),
    };
    return [server];
  });
}

/** Name of a level for people. */
export function integrityName(level: number): string {
  const [, name] = LEVELS.find(([minimum]) => level >= minimum) ?? [];
  return name ?? 'untrusted';
}

const LEVELS = [
  [0x4000, 'system'],
  [HIGH_INTEGRITY, 'high'],
  [0x2000, 'medium'],
  [0x1000, 'low'],
] as const;

function rightsOf(
  owner: string,
  me: string | undefined,
  integrity: number | undefined,
): PipeServer['rights'] {
  if (integrity !== undefined ? integrity >= HIGH_INTEGRITY : owner === ADMINISTRATORS) return 'elevated';
  return owner === me ? 'same user' : 'another owner';
}

function levelIn(text: string): number | undefined {
  const [, level] = /\bS-1-16-(\d{1,5})\b/.exec(text) ?? [];
  return level === undefined ? undefined : Number(level);
}

async function outputOf(
  run: ProgramRunner,
  argv: readonly [string, ...string[]],
): Promise<string | undefined> {
  try {
    const { code, stdout } = await run(argv);
    return code === 0 ? stdout : undefined;
  } catch {
    return undefined;
  }
}

/** The path is absolute, because a folder of PATH may contain another program of that name. */
function systemProgramPath(env: Environment, name: string): string {
  return `${env['SystemRoot'] || 'C:\\Windows'}\\System32\\${name}`;
}

/**
 * Script that prints a line per pipe: name, SID of the owner, SID of this user, pid and integrity level of the server.
 * Sources: the documentation of NamedPipeClientStream, GetNamedPipeServerProcessId, OpenProcess (0x1000 is
 * PROCESS_QUERY_LIMITED_INFORMATION), OpenProcessToken (8 is TOKEN_QUERY) and GetTokenInformation (25 is
 * TokenIntegrityLevel). Windows may refuse the token of a process with a higher level; the owner is known then, too.
 */
function pipeScript(names: readonly string[]): string {
  const call = (library: string, returns: string, signature: string): string =>
    `[DllImport("${library}.dll")]public static extern ${returns} ${signature};`;
  const calls = [
    call('kernel32', 'bool', 'GetNamedPipeServerProcessId(SafeHandle p,out uint id)'),
    call('kernel32', 'IntPtr', 'OpenProcess(uint a,bool i,uint id)'),
    call('advapi32', 'bool', 'OpenProcessToken(IntPtr p,uint a,out IntPtr t)'),
    call('advapi32', 'bool', 'GetTokenInformation(IntPtr t,int c,IntPtr b,int n,out int r)'),
  ].join('');
  return `$me=[Security.Principal.WindowsIdentity]::GetCurrent().User.Value
try{Add-Type -Namespace FB -Name N -MemberDefinition '${calls}'}catch{}
foreach($n in ${names.map((name) => `'${name}'`).join(',')}){try{
$p=New-Object IO.Pipes.NamedPipeClientStream '.',$n,'In'
$p.Connect(500)
$owner=$p.GetAccessControl().GetOwner([Security.Principal.SecurityIdentifier]).Value
$id='';$level=''
try{$i=[uint32]0;if([FB.N]::GetNamedPipeServerProcessId($p.SafePipeHandle,[ref]$i)){$id=$i
$t=[IntPtr]::Zero;$r=0;$b=[Runtime.InteropServices.Marshal]::AllocHGlobal(256)
if([FB.N]::OpenProcessToken([FB.N]::OpenProcess(0x1000,$false,$i),8,[ref]$t) -and [FB.N]::GetTokenInformation($t,25,$b,256,[ref]$r)){
$level=(New-Object Security.Principal.SecurityIdentifier ([Runtime.InteropServices.Marshal]::ReadIntPtr($b))).Value}}}catch{}
$p.Dispose()
"pipe $n $owner $me $id $level"}catch{}}
`;
}
