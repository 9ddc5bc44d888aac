import asyncio

import discord
from discord import app_commands
from discord.ext import commands


class Reminder(commands.Cog):
    def __init__(self, bot):
        self.bot = bot
        self.tasks = set()

    @app_commands.command(description='Reminds you')
    async def remind(self, interaction: discord.Interaction, seconds: float, what: str):
        await interaction.response.send_message(f'I will remind you in {seconds:g} s.', ephemeral=True)
        task = asyncio.create_task(self.later(interaction.user, interaction.channel, seconds, what))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def later(self, user, channel, seconds, what):
        await asyncio.sleep(seconds)
        await channel.send(f'{user.mention}: {what}')


async def setup(bot):
    await bot.add_cog(Reminder(bot))
