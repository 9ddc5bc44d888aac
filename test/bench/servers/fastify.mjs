// The least that a server with checked fields can be: routes of fastify with JSON schemas of what is asked and answered.
// Reads `{channel, answers: [user, messages, message]}` from stdin, and prints its address.
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';

const {
  channel,
  answers: [user, messages, message],
} = JSON.parse(await text(process.stdin));
const server = Fastify();
const headers = {
  type: 'object',
  required: ['authorization'],
  properties: { authorization: { type: 'string' } },
};

server.get(
  '/api/v10/users/@me',
  { schema: { headers, response: { 200: schemaOf(user) } } },
  async () => user,
);
server.get(
  '/api/v10/channels/:channel_id/messages',
  {
    schema: {
      headers,
      params: paramsOf(),
      querystring: {
        type: 'object',
        properties: {
          limit: { type: 'integer', minimum: 1, maximum: 100 },
          before: { type: 'string' },
          after: { type: 'string' },
          around: { type: 'string' },
        },
      },
      response: { 200: schemaOf(messages) },
    },
  },
  async () => messages,
);
server.post(
  '/api/v10/channels/:channel_id/messages',
  {
    schema: {
      headers,
      params: paramsOf(),
      body: {
        type: 'object',
        properties: {
          content: { type: 'string', maxLength: 2000 },
          tts: { type: 'boolean' },
          embeds: { type: 'array', maxItems: 10, items: { type: 'object' } },
        },
      },
      response: { 200: schemaOf(message) },
    },
  },
  async ({ body }) => ({ ...message, content: body.content }),
);
await server.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`http://127.0.0.1:${server.server.address().port}\n`);

function paramsOf() {
  return { type: 'object', properties: { channel_id: { type: 'string', enum: [channel] } } };
}

/** The schema of values like this one. */
function schemaOf(value) {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOf(value[0]) };
  if (typeof value !== 'object') return { type: typeof value };
  const entries = Object.entries(value);
  return {
    type: 'object',
    required: entries.map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, one]) => [name, schemaOf(one)])),
  };
}
