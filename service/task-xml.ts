import { commandLine } from './windows-command-line.ts';
import { xmlText } from './xml.ts';

/** A task that starts when its user logs on. */
export interface LogonTask {
  /** User as `DOMAIN\user`. Without it the task would apply to every user and need an administrator. */
  readonly userId: string;
  readonly argv: readonly [string, ...string[]];
  readonly description: string;
}

/** Encodes a task in Task Scheduler schema 1.2, as UTF-16 with a byte order mark: the input of `schtasks /XML`. */
export function taskXml(task: LogonTask): Uint8Array {
  const text = taskText(task);
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let index = 0; index < text.length; index++) {
    view.setUint16(2 + index * 2, text.charCodeAt(index), true);
  }
  return bytes;
}

/**
 * Returns the task's XML. The durations and the two battery settings are set, because their defaults would end a daemon
 * at some time.
 */
function taskText({ userId, argv: [command, ...args], description }: LogonTask): string {
  const user = xmlText(userId);
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${xmlText(description)}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${user}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${user}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <AllowStartOnDemand>true</AllowStartOnDemand>
    <Enabled>true</Enabled>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>7</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>10</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xmlText(command)}</Command>
      <Arguments>${xmlText(commandLine(args))}</Arguments>
    </Exec>
  </Actions>
</Task>
`.replaceAll('\n', '\r\n');
}
