// slash-create answers commands that another library's gateway brings it, here cloudstorm's.
import { Client } from 'cloudstorm';
import * as SlashCreate from 'slash-create';
import { SnowTransfer } from 'snowtransfer';
import { APP } from '../story.ts';
import { CHART, COMMANDS, MODAL, ROWS } from './bot-content.ts';
import { botDay } from './bot-day.ts';
import { type BotParts, listens, placesFor } from './bot-parts.ts';
import type { Seen } from './bot-stage.ts';
import { playDay } from './day.ts';

const { CommandOptionType, GatewayServer, SlashCommand, SlashCreator } = SlashCreate;
const OWN = ['components', 'commands', 'autocomplete', 'modals', 'commandFiles'];
const others = Object.keys(botDay.steps).filter((step) => !OWN.includes(step));
const [TIDE, , CHART_COMMAND] = COMMANDS;

playDay(botDay, {
  name: 'slash-create',
  absent: Object.fromEntries(others.map((step) => [step, 'answers commands and nothing else'])) as {
    readonly [Step in keyof BotParts]?: string;
  },
  async start({ api, token }) {
    const faults: string[] = [];
    const creator = new SlashCreator({ applicationID: APP, token, client: undefined });
    Object.assign(creator.requestHandler.options, { baseURL: `${api}/v10` });
    creator.on('error', (error) => faults.push(String(error)));
    creator.on('commandError', (_, error) => faults.push(String(error)));
    const snow = new SnowTransfer(`Bot ${token}`, { baseHost: new URL(api).origin });
    const client = new Client(token, { snowtransferInstance: snow as never, intents: 0 });
    client.on('error', (error) => faults.push(error));
    const gateway = new GatewayServer((handle) => {
      client.on('dispatch', ({ t, d }: Seen) => {
        if (t === 'INTERACTION_CREATE') handle(d);
      });
    });
    creator.withServer(gateway);
    const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()));
    await client.connect();
    await ready;

    const noted = (done: Promise<unknown>): void => {
      done.catch((error: unknown) => faults.push(String(error)));
    };
    creator.registerGlobalComponent('sail', (context) =>
      noted(context.editParent({ content: `${context.user.username} sails`, components: [] })),
    );
    creator.registerGlobalComponent('port', (context) =>
      noted(context.send({ content: `To ${context.values[0]}`, ephemeral: true })),
    );

    return {
      faults: () => faults.splice(0),
      end: () => client.disconnect(),
      parts: {
        async components(channel) {
          const body = { content: 'Where to?', components: ROWS };
          const sent = await creator.requestHandler.request<{ readonly id: string }>(
            'POST',
            `/channels/${channel}/messages`,
            { auth: true, body },
          );
          return { channel, id: sent.id };
        },
        async commands(guild) {
          creator.registerCommands([tideOf(guild), logOf(guild), chartOf(guild)]);
          await creator.syncCommandsIn(guild);
        },
        autocomplete: listens,
        modals: listens,
        commandFiles: listens,
      },
    };
  },
});

function tideOf(guild: string) {
  return class Tide extends SlashCommand {
    constructor(creator: SlashCreate.BaseSlashCreator) {
      super(creator, {
        name: TIDE.name,
        description: TIDE.description,
        guildIDs: [guild],
        options: [
          {
            type: CommandOptionType.STRING,
            name: 'place',
            description: 'Where',
            required: true,
            autocomplete: true,
          },
          { type: CommandOptionType.USER, name: 'who', description: 'For whom' },
        ],
      });
    }
    override autocomplete(context: SlashCreate.AutocompleteContext): Promise<Seen> {
      return Promise.resolve(placesFor(context.options[context.focused]));
    }
    override run(context: SlashCreate.CommandContext): Promise<string> {
      const who = context.users.get(context.options['who']);
      return Promise.resolve(`${context.options['place']} for ${who?.username}`);
    }
  };
}

function logOf(guild: string) {
  return class Log extends SlashCommand {
    constructor(creator: SlashCreate.BaseSlashCreator) {
      super(creator, { name: 'log', description: 'Write in the log', guildIDs: [guild] });
    }
    override async run(context: SlashCreate.CommandContext): Promise<void> {
      await context.sendModal(MODAL as never, (form) => {
        // What it rejects with ends the test, as nobody handles it.
        void form.send(`Written: ${String(form.values['words'])}`);
      });
    }
  };
}

function chartOf(guild: string) {
  return class Chart extends SlashCommand {
    constructor(creator: SlashCreate.BaseSlashCreator) {
      super(creator, {
        name: CHART_COMMAND.name,
        description: CHART_COMMAND.description,
        guildIDs: [guild],
        options: [{ type: CommandOptionType.ATTACHMENT, name: 'file', description: 'The map' }],
      });
    }
    override async run(context: SlashCreate.CommandContext): Promise<void> {
      await context.defer();
      const file = context.attachments.get(context.options['file']);
      await context.editOriginal({
        content: `Chart of ${file?.filename}`,
        files: [{ name: 'chart.txt', file: CHART }],
      } as never);
    }
  };
}
