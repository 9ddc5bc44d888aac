import json
import os
from urllib.request import urlopen

import discord
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

# The library has no option for another address: what it looks its addresses up in is set instead.
api = os.environ['FOOTBRIDGE_API']
Route.BASE = f'{api}/v10'
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(json.load(urlopen(f'{api}/v10/gateway'))['url'])

COGS = ['automod', 'moderation', 'music', 'pagination', 'reaction_log', 'reminder', 'translate']


class Helper(commands.Bot):
    async def setup_hook(self):
        for name in COGS:
            await self.load_extension(name)
        await self.tree.sync()


intents = discord.Intents.default()
intents.members = True
intents.message_content = True
bot = Helper(command_prefix='!', intents=intents)
bot.run(os.environ['DISCORD_TOKEN'], log_level=30)
