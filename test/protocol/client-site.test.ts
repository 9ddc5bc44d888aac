import { describe, expect, it } from 'vitest';
import { isClientSite } from '../../src/protocol/client-site.ts';

describe("the chat client's own web site", () => {
  it.each([
    'https://discord.com',
    'https://ptb.discord.com',
    'https://canary.discord.com',
    'https://streamkit.discord.com',
    'https://discordapp.com',
    'https://canary.discordapp.com',
  ])('is %s', (origin) => {
    expect(isClientSite(origin)).toBe(true);
  });
  it.each([
    'http://discord.com',
    'https://discord.com/',
    'https://discord.com:8443',
    'https://DISCORD.com',
    'https://a.b.discord.com',
    'https://.discord.com',
    'https://evildiscord.com',
    'https://discord.com.evil.example',
    'https://discord.co',
    'https://staging.discord.com',
    'https://discord.com\n',
    'null',
    '',
  ])('is not %j', (origin) => {
    expect(isClientSite(origin)).toBe(false);
  });
});
