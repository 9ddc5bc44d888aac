import type { Environment } from '../../platform/endpoint/endpoints.ts';

/** Flags by which the same page has the same pixels in every run of the same browser with the same fonts. */
const SAME_PIXELS = [
  '--force-device-scale-factor=1',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-font-subpixel-positioning',
  '--disable-lcd-text',
  '--disable-gpu',
  // The same code for every processor.
  '--disable-skia-runtime-opts',
  '--disable-partial-raster',
  '--hide-scrollbars',
  '--lang=en-US',
  // An animated picture stays at its first frame.
  '--blink-settings=imageAnimationPolicy=2',
];

/** Flags of a browser that fetches nothing but the console's page, and shows and stores nothing. */
const ALONE = [
  '--headless',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
  '--no-proxy-server',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-quic',
  '--disable-sync',
  '--disable-features=MediaRouter,OptimizationHints,Translate,DialMediaRouteProvider',
  '--metrics-recording-only',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
];

/** Command line of a browser with a profile in that folder, which is commanded over pipes. */
export function chromiumFlags(profile: string, isSandboxed: boolean): readonly string[] {
  const sandbox = isSandboxed ? [] : ['--no-sandbox'];
  return [...ALONE, ...SAME_PIXELS, ...sandbox, '--remote-debugging-pipe', `--user-data-dir=${profile}`];
}

/** Variables that a browser needs; of all others none may change its pictures. */
const PASSED = ['PATH', 'SystemRoot', 'SystemDrive', 'ProgramFiles', 'ProgramFiles(x86)', 'ProgramData'];

/**
 * Environment of the browser, whose working folder is its profile: its home is its profile, so that no setting, font or
 * extension of the user counts.
 */
export function chromiumEnv(env: Environment, profile: string): Record<string, string> {
  const passed = PASSED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  // Relative, because the browser ends where the path of its socket is longer than about 100 bytes, as below the
  // temporary folders of macOS and of many CI machines.
  const own = { HOME: profile, TMPDIR: '.', TEMP: profile, TMP: profile, TZ: 'UTC', LANG: 'C.UTF-8' };
  return { ...Object.fromEntries(passed), ...own };
}
