// A stand-in for launchctl(1): a small state machine with the exit codes of the real one. Its state is a JSON file.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const file = process.env.FAKE_STATE;
const state = JSON.parse(readFileSync(file, 'utf8'));
const [verb, ...words] = process.argv.slice(2);
state.calls.push([verb, ...words].join(' '));

const end = (code, text = '') => {
  writeFileSync(file, JSON.stringify(state));
  if (text !== '') process.stderr.write(`${text}\n`);
  process.exit(code);
};
const start = () => {
  state.running = true;
  state.pid += 1;
  state.runs += 1;
};
const isTarget = (word) => word === 'gui/501/footbridge';

if (!state.session) end(125, 'Domain does not support specified action');
switch (verb) {
  case 'print':
    if (words[0] === 'gui/501') end(0);
    if (!isTarget(words[0])) end(113, 'Could not find service');
    // For a while after a bootout the service is still listed.
    if (!state.loaded && state.lingers > 0) state.lingers -= 1;
    else if (!state.loaded) end(113, 'Could not find service "footbridge" in domain for login');
    process.stdout.write(
      [
        'gui/501/footbridge = {',
        '\tactive count = 1',
        '\tpath = /Users/somebody/Library/LaunchAgents/footbridge.plist',
        `\tstate = ${state.running ? 'running' : state.exit === null ? 'spawn scheduled' : 'not running'}`,
        '',
        '\tenvironment = {',
        '\t\tstate = nonsense',
        '\t\tpid = 1',
        '\t}',
        `\truns = ${state.runs}`,
        ...(state.running ? [`\tpid = ${state.pid}`] : []),
        `\tlast exit code = ${state.exit ?? '(never exited)'}`,
        '}',
        '',
      ].join('\n'),
    );
    end(0);
    break;
  case 'enable':
    state.disabled = false;
    end(isTarget(words[0]) ? 0 : 113);
    break;
  case 'bootstrap':
    if (state.lingers > 0 || state.loaded || state.disabled || !existsSync(words[1]))
      end(5, 'Bootstrap failed: 5: Input/output error');
    if (state.eio > 0) {
      state.eio -= 1;
      end(5, 'Bootstrap failed: 5: Input/output error');
    }
    state.loaded = true;
    state.runs = 0;
    state.exit = null;
    if (readFileSync(words[1], 'utf8').includes('<key>RunAtLoad</key>\n    <true/>') && !state.lame) start();
    end(0);
    break;
  case 'bootout':
    if (!state.loaded) end(3, 'Boot-out failed: 3: No such process');
    state.loaded = false;
    state.running = false;
    state.lingers = state.slow;
    end(0);
    break;
  case 'kickstart':
    if (!state.loaded) end(113, 'Could not find service');
    if (!state.running) start();
    end(0);
    break;
  default:
    end(64, `Unrecognized subcommand: ${verb}`);
}
