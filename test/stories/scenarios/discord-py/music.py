from collections import deque

import discord
from discord import app_commands
from discord.ext import commands


class Music(commands.Cog):
    """Plays nothing, but comes, goes and keeps the queue."""

    def __init__(self, bot):
        self.bot = bot
        self.songs = deque()

    @app_commands.command(description='Puts a song into the queue')
    async def play(self, interaction: discord.Interaction, song: str):
        if interaction.user.voice is None:
            await interaction.response.send_message('Join a voice channel first.', ephemeral=True)
            return
        self.songs.append(song)
        if interaction.guild.me.voice is None:
            await interaction.guild.change_voice_state(channel=interaction.user.voice.channel, self_deaf=True)
        await interaction.response.send_message(f'{song} is number {len(self.songs)}.')

    @app_commands.command(description='Goes on to the next song')
    async def skip(self, interaction: discord.Interaction):
        await interaction.response.defer()
        if self.songs:
            self.songs.popleft()
        await interaction.followup.send(f'Now: {self.songs[0]}' if self.songs else 'The queue is empty.')

    @commands.Cog.listener()
    async def on_voice_state_update(self, member, before, after):
        me = member.guild.me
        if me.voice is None or me.voice.channel is None:
            return
        if not [one for one in me.voice.channel.members if not one.bot]:
            self.songs.clear()
            await member.guild.change_voice_state(channel=None)


async def setup(bot):
    await bot.add_cog(Music(bot))
