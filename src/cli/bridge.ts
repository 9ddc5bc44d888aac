// What has a bridge in it, or a good part of one: the other commands start without it. All of it is loaded as one, because
// each further `import()` of a part of ours would cut what is loaded into more files, which costs more than the part.
import { processIo } from '../daemon/io.ts';
import { version } from '../daemon/version.ts';
import type { OpenApiDocument } from '../emulator/http/openapi.ts';
import { run } from './commands/run.ts';
import { runProgram } from './program.ts';

export { loadFixture } from '../daemon/emulator.ts';
export { runDaemon } from '../daemon/run.ts';
export { defaultFixture } from '../emulator/fixture/default.ts';
export { fixtureToToml } from '../emulator/fixture/toml.ts';
export { protocolSchema } from '../protocol/reference.ts';
export { commands, events } from '../protocol/registry.ts';
export { runCoreConformance } from './conformance-core.ts';
export { runAgainstEmulator } from './emulate/emulate.ts';
export { knownWords } from './known-words.ts';

/** The OpenAPI document of the emulator's HTTP API; a running bridge has no use for what makes it. */
export async function platformDocument(): Promise<OpenApiDocument> {
  const { openApiDocument } = await import('../emulator/http/openapi.ts');
  return openApiDocument(version());
}

/** Runs a command line of `footbridge run`, as `command-line.ts` does any, without loading the other commands. */
export function runMain(argv: readonly string[]): Promise<number> {
  return runProgram(argv, [run], processIo());
}
