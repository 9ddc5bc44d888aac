import asyncio

import discord
from discord import app_commands
from discord.ext import commands

WORDS = {'spade': 'Spaten', 'rake': 'Rechen', 'bucket': 'Eimer'}


async def translated(text):
    await asyncio.sleep(0.3)  # as long as a service takes
    return ' '.join(WORDS.get(word, word) for word in text.split())


class Translate(commands.Cog):
    def __init__(self, bot):
        self.menu = app_commands.ContextMenu(name='Translate', callback=self.translate)
        bot.tree.add_command(self.menu)

    async def translate(self, interaction: discord.Interaction, message: discord.Message):
        await interaction.response.defer(ephemeral=True)
        await interaction.followup.send(await translated(message.content))


async def setup(bot):
    await bot.add_cog(Translate(bot))
