// `npm run bench [-- OPTIONS]`: the built and installed daemon beside other servers; README.md here has the rows.
// `npm run bench -- dispatch`, `-- client`, `-- cores`, `-- state`, `-- platform`, `-- http`, `-- gateway`, `-- journal`, `-- console`, `-- testing`, `-- scenarios`, `-- native` and `-- sdk` measure the
// declarations, the client library, the client cores, the emulator's tables, the offline platform, its HTTP API beside routes of fastify, its gateway alone, what the journal costs,
// the console's page in a browser, emulators and worlds in a test, scenarios, the C header, and sessions of the SDK.
// It judges nothing by its exit code: a busy machine is no defect. `npm run bench:guard` does.
import { readFileSync, writeFileSync } from 'node:fs';
import { benchArguments, wrongArguments } from './arguments.ts';
import type { Report } from './report/report.ts';

const USAGE = `Usage: npm run bench -- [KIND] [OPTIONS]

  KIND  what is measured: servers (default: the bridge beside other servers), client, cores, dispatch, state, platform,
        http, gateway, journal, console, testing, scenarios, native or sdk

  --rows A,B   these rows of the servers alone; any other word lists their ids
  --passes N   number of passes (default 5: a quarter of an hour for all rows)
  --quick      one short pass, for a look
  --json FILE  write every pass to a file
  --add FILE   take the other rows from such a file
  --publish    write the tables and the plot of the guide (servers and http); a whole run of servers does so anyway
`;
const { values, positionals } = benchArguments(USAGE, {
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    passes: { type: 'string' },
    rows: { type: 'string' },
    quick: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
    add: { type: 'string' },
  },
});
// So that 'exit' comes, and with it the end of every server, on Ctrl-C too.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
const passes = Number(values.passes ?? (values.quick ? 1 : 5));
const tell = (text: string): void =>
  void process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(60)}` : `${text}\n`);
const done = (report: unknown, text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${''.padEnd(60)}\r`);
  process.stdout.write(text);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, undefined, 1)}\n`);
};

const kinds: Readonly<Record<string, () => Promise<void>>> = {
  async servers() {
    const { chooseRows } = await import('./rows/rows.ts');
    const { measureServers, publish } = await import('./servers.ts');
    const { reportText } = await import('./report/table.ts');
    const earlier =
      values.add === undefined ? undefined : (JSON.parse(readFileSync(values.add, 'utf8')) as Report);
    const rows = chooseRows(values.rows);
    if (typeof rows === 'string') return wrongArguments(rows, USAGE);
    const report = await measureServers({ rows, passes, quick: values.quick, tell, earlier });
    done(report, reportText(report));
    // Part of the rows, or a short look, is no picture of the whole.
    if (values.publish || (values.rows === undefined && !values.quick)) publish(report);
  },
  async dispatch() {
    const { measureRegistry, registryText } = await import('./registry.ts');
    const cost = await measureRegistry();
    done(cost, registryText(cost));
  },
  async cores() {
    const { measureCores, coresText } = await import('./cores.ts');
    const figures = await measureCores(passes, (name) => tell(`measuring: ${name}`));
    done(figures, coresText(figures));
  },
  async state() {
    const { measureState, stateReport } = await import('./state.ts');
    const cost = await measureState(passes, tell);
    done(cost, stateReport(cost));
  },
  async platform() {
    const { measurePlatform, platformText } = await import('./platform.ts');
    const report = await measurePlatform(passes, tell);
    done(report, platformText(report));
  },
  async gateway() {
    const { measureGatewayAlone, platformText } = await import('./platform.ts');
    const report = await measureGatewayAlone(passes, tell);
    done(report, platformText(report));
  },
  async journal() {
    const { coresText } = await import('./cores.ts');
    const { measureJournal } = await import('./journal.ts');
    const figures = await measureJournal(passes, tell);
    done(figures, coresText(figures));
  },
  async console() {
    const { coresText } = await import('./cores.ts');
    const { measureConsole } = await import('./console.ts');
    const figures = await measureConsole(passes, tell);
    done(figures, coresText(figures));
  },
  async testing() {
    const { coresText } = await import('./cores.ts');
    const { measureTesting } = await import('./testing.ts');
    const { measureWorlds } = await import('./worlds.ts');
    const figures = [...measureTesting(passes, tell), ...measureWorlds(passes, tell)];
    done(figures, coresText(figures));
  },
  async scenarios() {
    const { coresText } = await import('./cores.ts');
    const { measureScenarios } = await import('./scenarios.ts');
    const figures = measureScenarios(passes, tell);
    done(figures, coresText(figures));
  },
  async native() {
    const { coresText } = await import('./cores.ts');
    const { measureNative } = await import('./native.ts');
    const figures = await measureNative(passes, tell);
    done(figures, coresText(figures));
  },
  async sdk() {
    const { coresText } = await import('./cores.ts');
    const { measureSdk } = await import('./sdk.ts');
    const figures = await measureSdk(passes, tell);
    done(figures, coresText(figures));
  },
  async http() {
    const { coresText } = await import('./cores.ts');
    const { measureHttp } = await import('./http.ts');
    const figures = await measureHttp(passes, tell);
    done(figures, coresText(figures));
    if (!values.publish) return;
    const { publishHttp } = await import('./servers.ts');
    publishHttp(figures, passes);
  },
  async client() {
    const { clientsText, measureClients } = await import('./client.ts');
    const report = await measureClients(passes, tell);
    done(report, clientsText(report));
  },
};
const [kind = 'servers'] = positionals;
const run = kinds[kind];
if (run === undefined) wrongArguments(`There is no benchmark "${kind}".`, USAGE);
if (!Number.isInteger(passes) || passes < 1)
  wrongArguments('--passes needs a whole number from 1 on.', USAGE);
await run();
process.exit(0);
