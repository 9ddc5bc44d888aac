import discord
from discord.ext import commands


class ReactionLog(commands.Cog):
    def __init__(self, bot):
        self.bot = bot

    async def note(self, event, what):
        log = discord.utils.get(self.bot.get_guild(event.guild_id).text_channels, name='log')
        user = self.bot.get_user(event.user_id)
        await log.send(f'{user.name} {what} {event.emoji}')

    @commands.Cog.listener()
    async def on_raw_reaction_add(self, event):
        await self.note(event, 'has added')

    @commands.Cog.listener()
    async def on_raw_reaction_remove(self, event):
        await self.note(event, 'has removed')


async def setup(bot):
    await bot.add_cog(ReactionLog(bot))
