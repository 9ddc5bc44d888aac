import discord
from discord import app_commands
from discord.ext import commands

PLANTS = ['Bean', 'Beetroot', 'Carrot', 'Kale', 'Leek', 'Pea', 'Potato']
SIZE = 3
LAST = (len(PLANTS) - 1) // SIZE


class Pages(discord.ui.View):
    def __init__(self):
        super().__init__()
        self.page = 0
        self.update()

    def update(self):
        self.back.disabled = self.page == 0
        self.forward.disabled = self.page == LAST

    def embed(self):
        plants = PLANTS[self.page * SIZE:(self.page + 1) * SIZE]
        embed = discord.Embed(title='Plants', description='\n'.join(plants))
        return embed.set_footer(text=f'{self.page + 1} of {LAST + 1}')

    async def turn(self, interaction, by):
        self.page += by
        self.update()
        await interaction.response.edit_message(embed=self.embed(), view=self)

    @discord.ui.button(label='Back')
    async def back(self, interaction, button):
        await self.turn(interaction, -1)

    @discord.ui.button(label='Forward')
    async def forward(self, interaction, button):
        await self.turn(interaction, 1)


class Pagination(commands.Cog):
    @app_commands.command(description='Lists the plants')
    async def plants(self, interaction: discord.Interaction):
        pages = Pages()
        await interaction.response.send_message(embed=pages.embed(), view=pages)


async def setup(bot):
    await bot.add_cog(Pagination(bot))
