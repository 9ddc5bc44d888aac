import { defineCommand, flag, textOption } from '../command.ts';
import { ENDPOINT_KINDS, endpointKind } from '../endpoints/kind.ts';
import { usage } from '../parse.ts';

const config = textOption('FILE', 'configuration file of the bridge');
const named = { name: 'NAME', help: 'name of the endpoint' } as const;

/** Loaded late: the endpoints of a configuration are validated by modules of a bridge. */
const endpoints = () => import('../endpoints/endpoints.ts');

/** `footbridge endpoints`. */
export const endpointsList = defineCommand({
  name: 'endpoints',
  summary: 'List the further endpoints, for apps in sandboxes and containers',
  group: 'consent',
  positionals: [{ ...named, arity: 'optional' }],
  options: {
    path: flag('print only the folder that a container mounts to reach the endpoint'),
    config,
  },
  json: true,
  details: [
    'Each endpoint has a name, rights and limits of its own; prompts and lists show the name and the sandbox of an app.',
    'Mount the folder, not the socket: after a restart of the bridge the socket is another file.',
  ],
  examples: [
    ['footbridge endpoints', 'Each endpoint, and whether it is served'],
    [
      'docker run -v "$(footbridge endpoints --path)":/run/bridge -e XDG_RUNTIME_DIR=/run/bridge IMAGE',
      'An app in a container',
    ],
  ],
  async run({ values, positionals: [name], json }, io) {
    const { listEndpoints, printMountPath } = await endpoints();
    if (values.path === true) return printMountPath(name, values.config, json, io);
    if (name !== undefined && name !== 'list')
      throw usage('A name is for --path only. Leave it out to list all.', { name: 'endpoints' });
    return listEndpoints(values.config, json, io);
  },
});

/** `footbridge endpoints add KIND`. */
export const endpointsAdd = defineCommand({
  name: 'endpoints add',
  summary: 'Serve apps in Flatpaks, in snaps or at a path of yours',
  group: 'consent',
  positionals: [
    {
      name: 'KIND',
      help: 'flatpak, snap, or path for a socket at a path of yours',
      arity: 'one',
      completes: ENDPOINT_KINDS,
    },
  ],
  options: {
    name: textOption('NAME', 'name of the endpoint (default: KIND)'),
    client: textOption(
      'ID',
      'chat client whose folder the apps search (default com.discordapp.Discord, discord)',
    ),
    path: textOption('PATH', 'absolute path of the socket, for the kind path'),
    rights: textOption(
      'presence|full|LIST',
      'what the apps may do (default presence): the list has scopes, commands and events, with commas between',
    ),
    config,
  },
  json: true,
  details: [
    'It is written to the configuration file, and the running bridge serves it at once; exit code 2 where something is in',
    'the way. With presence, apps can show an activity and cannot request authorization.',
  ],
  examples: [
    ['footbridge endpoints add flatpak', 'Apps in Flatpaks that search the Flatpak of the official client'],
    [
      'footbridge endpoints add path --name box --path /run/user/1000/box/discord-ipc-0 --rights presence,identify',
      'A folder for containers',
    ],
  ],
  async run({ values, positionals: [word = ''], json }, io) {
    const kind = endpointKind(word, values);
    const { addEndpoint } = await endpoints();
    const { name = kind, client, path, rights } = values;
    if (kind === 'path' && path === undefined)
      throw usage('The kind path needs --path SOCKET.', { name: 'endpoints add' });
    const table = {
      name,
      ...(kind === 'path' ? {} : { preset: kind }),
      client,
      path,
      rights: rights === undefined || rights === 'presence' || rights === 'full' ? rights : rights.split(','),
    };
    return addEndpoint(table, values.config, json, io);
  },
});

/** `footbridge endpoints remove NAME`. */
export const endpointsRemove = defineCommand({
  name: 'endpoints remove',
  summary: 'Close an endpoint and remove it from the configuration',
  group: 'consent',
  positionals: [{ ...named, arity: 'one' }],
  options: { config },
  json: true,
  examples: [['footbridge endpoints remove flatpak', 'Its apps get a CLOSE, and its socket is removed']],
  async run({ values, positionals: [name = ''], json }, io) {
    const { removeEndpoint } = await endpoints();
    return removeEndpoint(name, values.config, json, io);
  },
});
