/** A folder of the source, and the tests that have to notice a fault in it. */
export interface MutatedFolder {
  /** Globs of the source files. */
  readonly mutate: readonly string[];
  /** Globs of their tests. */
  readonly tests: readonly string[];
  /** Tests that need a process of their own: they measure its memory, or start programs, which know of no mutant, or set what only a whole process has. Or they take long, and find nothing that others do not. */
  readonly without?: readonly string[];
  /**
   * Leaves out what runs only while modules load: constants and tables. Each of those needs every module loaded again and every test,
   * which takes hours where the tests of the folder are slow.
   */
  readonly ignoreStatic?: true;
  /**
   * Makes values on first use and keeps them: the kept modules have them without the mutant, and the test that made them is the only one
   * known to run its place. What survives is tested again with modules loaded anew, and all tests.
   */
  readonly lazy?: true;
}

/** Folders by the name that `npm run test:mutation` takes. */
export const FOLDERS: Readonly<Record<string, MutatedFolder>> = {
  wire: {
    mutate: ['src/wire/**/*.ts'],
    tests: ['test/wire/**/*.test.ts'],
    without: ['test/wire/decoder-memory.own.test.ts'],
  },
  protocol: {
    mutate: ['src/protocol/**/*.ts'],
    tests: ['test/protocol/**/*.test.ts', 'test/fuzz/payload.test.ts'],
    lazy: true,
  },
  session: {
    mutate: ['src/session/**/*.ts'],
    tests: ['test/session/**/*.test.ts', 'test/fuzz/step.test.ts'],
    without: ['test/session/idle-cost.own.test.ts'],
    ignoreStatic: true,
  },
  presence: {
    mutate: ['src/presence/**/*.ts'],
    tests: ['test/presence/**/*.test.ts'],
  },
  scheduling: {
    mutate: ['src/scheduling/**/*.ts'],
    tests: ['test/scheduling/**/*.test.ts'],
  },
  'transport/ipc': {
    mutate: ['src/transport/ipc/**/*.ts'],
    tests: ['test/transport/ipc/**/*.test.ts'],
    ignoreStatic: true,
  },
  client: {
    mutate: ['src/client/**/*.ts', '!src/client/generated.ts', '!src/client/examples/**'],
    tests: ['test/client/**/*.test.ts'],
    without: ['test/client/alive.test.ts', 'test/client/*.program.test.ts'],
    ignoreStatic: true,
  },
  'emulator/permissions': {
    mutate: ['src/emulator/api/permissions/**/*.ts'],
    tests: ['test/emulator/api/permissions/**/*.test.ts'],
  },
  'emulator/oauth2': {
    mutate: ['src/emulator/accounts/oauth2/**/*.ts'],
    tests: [
      'test/emulator/accounts/**/*.test.ts',
      'test/core/emulator/{authorization,unasked-tokens}.test.ts',
      'test/emulator/serve/http/{app,server}.test.ts',
    ],
    without: ['test/emulator/accounts/oauth2/storage/file-mode.test.ts'],
    ignoreStatic: true,
  },
  'emulator/state': {
    mutate: ['src/emulator/kernel/state/**/*.ts'],
    tests: ['test/emulator/kernel/state/**/*.test.ts', 'test/emulator/api/world.test.ts'],
    ignoreStatic: true,
  },
  'emulator/applications': {
    mutate: ['src/emulator/applications/**/*.ts'],
    tests: [
      'test/emulator/applications/**/*.test.ts',
      'test/emulator/api/operator-shapes.test.ts',
      'test/emulator/accounts/direct/webhook-events.test.ts',
      'test/emulator/accounts/oauth2/webhook-incoming.test.ts',
      'test/emulator/compose/{dated-changes,webhook-events,fixture/records}.test.ts',
      'test/emulator/interactions/endpoint.test.ts',
      'test/emulator/serve/http/{answers,form-payload,request-fields}.test.ts',
      'test/journal/platform.test.ts',
      'test/testing/webhooks.test.ts',
    ],
    ignoreStatic: true,
  },
  'emulator/serve': {
    mutate: ['src/emulator/serve/**/*.ts'],
    tests: [
      'test/emulator/serve/**/*.test.ts',
      'test/emulator/accounts/oauth2/{answers,throttle}.test.ts',
      'test/emulator/api/{error-codes,operator-shapes,read-json}.test.ts',
      'test/journal/platform.test.ts',
      'test/testing/gateway.test.ts',
    ],
    // Every operation, again and again.
    without: ['test/emulator/serve/http/{answers,bad-input,shares}.test.ts'],
    ignoreStatic: true,
  },
  'emulator/interactions': {
    mutate: ['src/emulator/interactions/**/*.ts'],
    tests: [
      'test/emulator/interactions/**/*.test.ts',
      'test/emulator/api/operator-shapes.test.ts',
      'test/core/emulator/{interaction,modal,use-command}.test.ts',
      'test/emulator/messages/{component-text,webhook-authors}.test.ts',
      'test/emulator/serve/http/{answers,form-payload}.test.ts',
    ],
    ignoreStatic: true,
  },
  'emulator/guilds': {
    mutate: ['src/emulator/guilds/**/*.ts'],
    tests: [
      'test/emulator/guilds/**/*.test.ts',
      'test/emulator/api/operator-shapes.test.ts',
      'test/emulator/accounts/oauth2/install{,-rules}.test.ts',
      'test/emulator/acts.test.ts',
      'test/emulator/compose/{dated-changes,followers}.test.ts',
      'test/emulator/serve/gateway/{commands,fresh-guild,library-payloads,obfuscation,people,presence,world-events,world-rules}.test.ts',
      'test/emulator/serve/http/answers.test.ts',
    ],
    ignoreStatic: true,
  },
  service: {
    mutate: ['service/**/*.ts'],
    tests: ['test/service/**/*.test.ts'],
    ignoreStatic: true,
  },
  forward: {
    mutate: ['src/forward/**/*.ts'],
    tests: ['test/forward/**/*.test.ts', 'test/daemon/forwards.test.ts', 'test/cli/forward/*.test.ts'],
    ignoreStatic: true,
  },
  journal: {
    mutate: ['src/journal/**/*.ts'],
    tests: [
      'test/journal/**/*.test.ts',
      'test/record/{record,server,streams}.test.ts',
      'test/console/{events,rates}.test.ts',
      'test/cli/emulate/transcript.test.ts',
      'test/daemon/refused-pages.test.ts',
    ],
    without: ['test/journal/{canary,platform}.test.ts'],
    ignoreStatic: true,
  },
  daemon: {
    // What these two set up is the process itself: tests that start programs see it, and those know of no mutant.
    mutate: ['src/daemon/**/*.ts', '!src/daemon/{heap-size,run-process}.ts'],
    tests: [
      'test/daemon/**/*.test.ts',
      'test/base/style.test.ts',
      'test/cli/{origins,texts}.test.ts',
      'test/core/emulator/token-port.test.ts',
      'test/faults/{faults,readme,rpc,transports}.test.ts',
      'test/loopback/listener.test.ts',
      'test/testing/{operation-results,restart,testing}.test.ts',
      'test/transport/websocket/websocket.test.ts',
    ],
    without: ['test/daemon/{signals,log/file-sink-umask}.test.ts'],
    ignoreStatic: true,
  },
  'core/upstream': {
    mutate: ['src/core/upstream/**/*.ts'],
    tests: ['test/core/upstream/**/*.test.ts'],
    without: ['test/core/upstream/{restarts,return}.test.ts'],
    ignoreStatic: true,
  },
};
