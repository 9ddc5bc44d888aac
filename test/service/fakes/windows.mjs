// Stand-ins for schtasks, reg and taskkill: state machines with their exit codes, and texts in another language.
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.env.FAKE_STATE;
const state = JSON.parse(readFileSync(file, 'utf8'));
const [program, verb, ...words] = process.argv.slice(2);
state.calls.push([program, verb, ...words].join(' '));

const end = (code, text = '') => {
  writeFileSync(file, JSON.stringify(state));
  if (text !== '') process.stderr.write(`${text}\r\n`);
  process.exit(code);
};
const option = (name) => words[words.indexOf(name) + 1];

if (program === 'schtasks') {
  const name = option('/TN');
  const task = state.tasks[name];
  if (verb === '/Create') {
    if (state.denied) end(1, 'ERROR: Acceso denegado.');
    const bytes = readFileSync(option('/XML'));
    if (bytes.readUInt16LE(0) !== 0xfeff) end(1, 'ERROR: no es Unicode.');
    const xml = bytes.subarray(2).toString('utf16le');
    // Without the user it is a task for everybody, and that needs an administrator.
    if (!/<LogonTrigger>\s*<Enabled>true<\/Enabled>\s*<UserId>[^<]+<\/UserId>/.test(xml))
      end(1, 'ERROR: Acceso denegado.');
    if (task !== undefined && !words.includes('/F')) end(1, 'ERROR: ya existe.');
    state.tasks[name] = { running: task?.running ?? false, last: 267011 };
    end(0);
  }
  if (task === undefined) end(1, 'ERROR: El sistema no puede encontrar el archivo especificado.');
  if (verb === '/Run') {
    if (state.lame) end(1, 'ERROR: no se puede iniciar.');
    Object.assign(
      task,
      state.crash === undefined ? { running: true, last: 267009 } : { running: false, last: state.crash },
    );
  } else if (verb === '/End') Object.assign(task, { running: false, last: 267014 });
  else if (verb === '/Delete') delete state.tasks[name];
  else if (verb === '/Query') {
    const text = task.running ? 'En ejecución' : 'Listo';
    process.stdout.write(
      `"PC","\\${name}","N/D","${text}","Sólo ""interactivo""","21/11/2026","${task.last}","PC\\u"\r\n`,
    );
  } else end(1, 'ERROR: sintaxis');
  end(0);
}
if (program === 'reg') {
  const [key] = words;
  const value = option('/v');
  if (!/^HKCU\\/.test(key)) end(1, 'ERROR: Acceso denegado.');
  if (verb === 'add') state.values[value] = option('/d');
  else if (state.values[value] === undefined) end(1, 'ERROR: no se encuentra');
  else if (verb === 'delete') delete state.values[value];
  end(0);
}
if (program === 'taskkill') {
  state.killed.push(Number(words[0]));
  end(0);
}
end(9009, 'no such program');
