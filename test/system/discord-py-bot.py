# A bot of discord.py. The library names no option for another platform; what it looks its addresses up in is set instead.
import json
import sys

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

api, gateway, token, guild_id = sys.argv[1:]
Route.BASE = f'{api}/v10'
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
GUILD = discord.Object(int(guild_id))


def tell(**said):
    print(json.dumps(said), flush=True)


class Log(discord.ui.Modal, title='The log'):
    words = discord.ui.TextInput(label='Words')

    async def on_submit(self, interaction):
        await interaction.response.send_message(f'Written: {self.words.value}')


class Go(discord.ui.View):
    @discord.ui.button(label='Sail', custom_id='sail')
    async def sail(self, interaction, button):
        await interaction.response.edit_message(content=f'{interaction.user.name} sails', view=None)


class Bot(discord.Client):
    def __init__(self):
        intents = discord.Intents.default()
        intents.members = True
        intents.message_content = True
        super().__init__(intents=intents)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self):
        await self.tree.sync(guild=GUILD)

    async def on_ready(self):
        guild = self.get_guild(GUILD.id)
        tell(ready=self.user.name, guild=guild.name, members=len(guild.members), channels=len(guild.channels))

    async def on_resumed(self):
        tell(resumed=True)

    async def on_message(self, message):
        if message.author != self.user:
            tell(message=message.content, author=message.author.name)

    async def on_error(self, event, *args):
        tell(fault=f'{event}: {sys.exc_info()[1]!r}')


bot = Bot()


@bot.tree.command(description='When the water is high', guild=GUILD)
async def tide(interaction: discord.Interaction, place: str, who: discord.Member):
    await interaction.response.send_message(f'{place} for {who.name}', view=Go())


@bot.tree.command(description='Write in the log', guild=GUILD)
async def log(interaction: discord.Interaction):
    await interaction.response.send_modal(Log())


@tide.autocomplete('place')
async def places(interaction: discord.Interaction, current: str):
    return [app_commands.Choice(name=name, value=name) for name in ('Harbour', 'Mouth') if name.startswith(current)]


bot.run(token, log_handler=None)
