from datetime import timedelta

import discord
from discord import app_commands
from discord.ext import commands


class Moderation(commands.Cog):
    async def note(self, guild, text):
        await discord.utils.get(guild.text_channels, name='log').send(text)

    @app_commands.command(description='Gives somebody time to think')
    @app_commands.checks.has_permissions(moderate_members=True)
    async def timeout(self, interaction: discord.Interaction, who: discord.Member, minutes: int, reason: str):
        await who.timeout(timedelta(minutes=minutes), reason=reason)
        await self.note(interaction.guild, f'{interaction.user.name} has sent {who.name} out: {reason}')
        await interaction.response.send_message(f'{who.name} is back in {minutes} minutes.', ephemeral=True)

    @app_commands.command(description='Removes somebody')
    @app_commands.default_permissions(kick_members=True)
    async def kick(self, interaction: discord.Interaction, who: discord.Member):
        if who.top_role >= interaction.user.top_role and interaction.user != interaction.guild.owner:
            await interaction.response.send_message(f'{who.name} is above you.', ephemeral=True)
            return
        await who.kick(reason=f'by {interaction.user.name}')
        await interaction.response.send_message(f'{who.name} is gone.', ephemeral=True)

    async def cog_app_command_error(self, interaction, error):
        if not isinstance(error, app_commands.MissingPermissions):
            raise error
        await interaction.response.send_message('You may not do that.', ephemeral=True)


async def setup(bot):
    await bot.add_cog(Moderation(bot))
