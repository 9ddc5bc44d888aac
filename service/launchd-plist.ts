import type { ServiceDefinition } from './manager.ts';
import { xmlText } from './xml.ts';

/** Label of the service in launchd, and name of its file. */
export const LABEL = 'footbridge';

/** Minimum interval between two starts (s), so that an invalid setting causes one start per interval and not a loop. */
const THROTTLE_S = 30;

type Value = string | number | boolean | readonly string[] | { readonly [key: string]: Value };

/**
 * Returns the LaunchAgent (launchd.plist(5)). It runs while its user is logged in at the screen, and is restarted after
 * a failure.
 */
export function launchAgent({ argv, env }: Pick<ServiceDefinition, 'argv' | 'env'>): string {
  return propertyList({
    Label: LABEL,
    ProgramArguments: argv,
    ...(Object.keys(env).length === 0 ? {} : { EnvironmentVariables: env }),
    RunAtLoad: true,
    // launchd does not restart a bridge that was stopped, because the bridge answers SIGTERM with exit code 0.
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: THROTTLE_S,
    ExitTimeOut: 10,
    ProcessType: 'Background',
    LimitLoadToSessionType: 'Aqua',
    Umask: 0o077,
    HardResourceLimits: { Core: 0 },
    SoftResourceLimits: { Core: 0 },
    // The bridge writes its own log files, because launchd would let its files grow without limit.
    StandardOutPath: '/dev/null',
    StandardErrorPath: '/dev/null',
  });
}

function propertyList(root: { readonly [key: string]: Value }): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    element(root, ''),
    '</plist>',
    '',
  ].join('\n');
}

function element(value: Value, indent: string): string {
  if (typeof value === 'string') return `${indent}<string>${xmlText(value)}</string>`;
  if (typeof value === 'number') return `${indent}<integer>${value}</integer>`;
  if (typeof value === 'boolean') return `${indent}<${value}/>`;
  const deeper = `${indent}  `;
  const lines = isArray(value)
    ? value.map((one) => element(one, deeper))
    : Object.entries(value).flatMap(([key, one]) => [
        `${deeper}<key>${xmlText(key)}</key>`,
        element(one, deeper),
      ]);
  const name = isArray(value) ? 'array' : 'dict';
  return [`${indent}<${name}>`, ...lines, `${indent}</${name}>`].join('\n');
}

function isArray(value: Value): value is readonly string[] {
  return Array.isArray(value);
}
