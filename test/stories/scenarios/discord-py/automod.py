import discord
from discord import app_commands
from discord.ext import commands


class Automod(commands.Cog):
    @app_commands.command(description='Blocks a word')
    @app_commands.default_permissions(manage_guild=True)
    async def block(self, interaction: discord.Interaction, word: str):
        await interaction.guild.create_automod_rule(
            name=f'No {word}',
            event_type=discord.AutoModRuleEventType.message_send,
            trigger=discord.AutoModTrigger(keyword_filter=[word]),
            actions=[discord.AutoModRuleAction()],
            enabled=True,
        )
        await interaction.response.send_message(f'Nobody says {word} any longer.', ephemeral=True)

    @commands.Cog.listener()
    async def on_automod_action(self, execution):
        log = discord.utils.get(execution.guild.text_channels, name='log')
        await log.send(f'{execution.member.name} wanted to say {execution.matched_keyword}.')


async def setup(bot):
    await bot.add_cog(Automod(bot))
