import type { Environment } from '../../platform/endpoint/endpoints.ts';

/**
 * Command line of this program before the name of a command: `footbridge`, or in a checkout, where npm has started the
 * program, the npm script that starts it.
 */
export function calledAs(env: Environment): string {
  const ours = env['npm_package_name'] === 'footbridge';
  const byScript = ours && ['start', 'footbridge'].includes(env['npm_lifecycle_event'] ?? '');
  return byScript ? 'npm run -s footbridge --' : 'footbridge';
}

/**
 * `footbridge` before the name of a command or an option, but not as part of a path, as the name of a program, or in a
 * command behind `exec:`, which runs on another machine.
 */
const OWN_COMMAND =
  /footbridge (?<!(?:[\w./\\-]|another |exec:[^'\n]*)footbridge )(?=[a-z]|COMMAND|--(?:help|version))(?!forward: )/g;

/** Message in which each command of this program, such as `footbridge status`, has the form that works here. */
export function withCallableCommands(message: string, env: Environment): string {
  return message.replace(OWN_COMMAND, () => `${calledAs(env)} `);
}
