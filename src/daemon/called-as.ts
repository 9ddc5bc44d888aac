import type { Environment } from '../../platform/endpoint/endpoints.ts';

/** What a person types before the name of a command: in a checkout, where npm has started the program, the way of npm. */
export function calledAs(env: Environment): string {
  const ours = env['npm_package_name'] === 'footbridge';
  const byScript = ours && ['start', 'footbridge'].includes(env['npm_lifecycle_event'] ?? '');
  return byScript ? 'npm run -s footbridge --' : 'footbridge';
}
