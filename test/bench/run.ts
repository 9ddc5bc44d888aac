// Measures the built daemon beside arRPC and a bare server. `npm run bench [-- --json] [-- --passes N]`
// `npm run bench -- dispatch` measures what the declarations of the commands cost instead, `npm run bench -- client` the
// client library beside others, `npm run bench -- cores` the client cores.
// It judges nothing by its exit code: a busy machine is no defect.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Measurement, measure } from './measure.ts';
import { preparePeers } from './peers.ts';
import { makeReport, reportText } from './report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, passes: { type: 'string', default: '5' } },
});
// So that 'exit' comes, and with it the end of every server, on Ctrl-C too.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
if (positionals[0] === 'dispatch') {
  const { measureRegistry, registryText } = await import('./registry.ts');
  const cost = await measureRegistry();
  process.stdout.write(values.json ? `${JSON.stringify(cost)}\n` : registryText(cost));
  process.exit(0);
}
if (positionals[0] === 'cores') {
  const { measureCores, coresText } = await import('./cores.ts');
  const say = (name: string): void => void process.stderr.write(`measuring: ${name}\n`);
  const figures = await measureCores(Number(values.passes), say);
  process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : coresText(figures));
  process.exit(0);
}
if (positionals[0] === 'client') {
  const { clientsText, measureClients } = await import('./client.ts');
  const report = await measureClients(Number(values.passes), (text) => {
    process.stderr.write(`\r${text.padEnd(50)}`);
  });
  process.stderr.write('\r'.padEnd(50).concat('\r'));
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : clientsText(report));
  process.exit(0);
}
const workFolder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-bench-'));
process.once('exit', () => rmSync(workFolder, { recursive: true, force: true }));

const peers = await preparePeers(workFolder);
const passes = new Map<string, Measurement[]>(peers.map(({ name }) => [name, []]));
for (let pass = 1; pass <= Number(values.passes); pass++) {
  for (const peer of peers) {
    process.stderr.write(`\rpass ${pass} of ${values.passes}: ${peer.name.padEnd(20)}`);
    passes.get(peer.name)?.push(await measure(peer));
  }
}
process.stderr.write('\r'.padEnd(50).concat('\r'));
const report = makeReport(passes);
process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : reportText(report));
