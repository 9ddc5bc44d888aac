# discord.py through a day: calls come as lines of JSON, each is a step. The library names no option for another platform; what
# it looks its addresses up in is set instead.
import asyncio
import base64
import datetime
import io
import json
import sys

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

api, gateway, token = sys.argv[1:]
Route.BASE = f'{api}/v10'
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
PLACES = ('Harbour', 'Headland', 'Mouth')
RULES = 'the rules'
BLUE = 0x3366FF


def tell(**said):
    print(json.dumps(said), flush=True)


class Log(discord.ui.Modal, title='The log'):
    words = discord.ui.TextInput(label='Words', custom_id='words')

    async def on_submit(self, interaction):
        await interaction.response.send_message(f'Written: {self.words.value}')


class Where(discord.ui.View):
    @discord.ui.button(label='Sail', custom_id='sail', row=0)
    async def sail(self, interaction, button):
        await interaction.response.edit_message(content=f'{interaction.user.name} sails', view=None)

    @discord.ui.select(custom_id='port', row=1, options=[discord.SelectOption(label=place) for place in PLACES])
    async def port(self, interaction, select):
        await interaction.response.send_message(f'To {select.values[0]}', ephemeral=True)


class Bot(discord.Client):
    def __init__(self):
        intents = discord.Intents.default()
        intents.members = True
        intents.message_content = True
        super().__init__(intents=intents)
        self.tree = app_commands.CommandTree(self)
        self.heard = []
        self.resumed = 0
        self.is_up = asyncio.Event()
        self.read = None

    async def on_ready(self):
        self.is_up.set()

    async def on_resumed(self):
        self.resumed += 1

    async def on_message(self, message):
        if message.author != self.user and message.webhook_id is None:
            self.heard.append(message)

    async def on_error(self, event, *args):
        tell(fault=f'{event}: {sys.exc_info()[1]!r}')


bot = Bot()


def place(message):
    return {'channel': str(message.channel.id), 'id': str(message.id)}


def channel_of(number):
    return bot.get_channel(int(number))


def guild_of(number):
    return bot.get_guild(int(number))


def picture(png, name, **more):
    return discord.File(io.BytesIO(base64.b64decode(png)), filename=name, **more)


def notes():
    return discord.File(io.BytesIO(b'06:12 high'), filename='notes.txt')


async def eventually(find):
    for _ in range(600):
        found = find()
        if found:
            return found
        await asyncio.sleep(0.025)
    raise TimeoutError('it does not come')


class Steps:
    async def login(self):
        asyncio.get_running_loop().create_task(bot.start(token))
        await bot.is_up.wait()
        return bot.user.name

    async def cache(self, guild):
        known = guild_of(guild)
        # It asked for all members on the way in; a second time within half a minute is refused.
        await eventually(lambda: known.chunked)
        return {
            'name': known.name,
            'channels': len(known.channels),
            'roles': len(known.roles),
            'members': len(known.members),
        }

    async def reply(self, said, answer):
        [message] = await eventually(lambda: [each for each in bot.heard if each.content == said])
        return place(await message.reply(answer))

    async def message(self, channel):
        message = await channel_of(channel).send('low')
        await message.edit(content='high')
        await message.add_reaction('🌊')
        return place(message)

    async def direct(self, user, text):
        return place(await (await bot.fetch_user(int(user))).send(text))

    async def purge(self, channel, messages):
        await eventually(lambda: len([each for each in bot.heard if str(each.id) in messages]) == len(messages))
        await channel_of(channel).purge(limit=50, check=lambda message: str(message.id) in messages)

    async def roles(self, guild, user, other):
        known = guild_of(guild)
        may = discord.Permissions(manage_messages=True)
        crew = await known.create_role(name='crew', colour=BLUE, hoist=True, mentionable=True, permissions=may)
        member = known.get_member(int(user))
        await member.add_roles(crew)
        await member.edit(roles=[crew, discord.Object(int(other))])
        await member.remove_roles(discord.Object(int(other)))
        return str(crew.id)

    async def channels(self, guild, category):
        deck = await guild_of(guild).create_text_channel('deck', category=channel_of(category))
        await deck.edit(topic='On deck', slowmode_delay=5)
        await deck.edit(position=0)
        return str(deck.id)

    async def overwrites(self, channel, role, user):
        room = await eventually(lambda: channel_of(channel))
        member = room.guild.get_member(int(user))
        await room.set_permissions(room.guild.get_role(int(role)), view_channel=True, send_messages=False)
        await room.set_permissions(member, send_messages=True)
        await room.set_permissions(member, overwrite=None)

    async def threads(self, message, user):
        start = await channel_of(message['channel']).fetch_message(int(message['id']))
        thread = await start.create_thread(name='Tide')
        await thread.add_user(discord.Object(int(user)))
        await thread.send('Rising')
        await thread.edit(archived=True)
        await thread.edit(archived=False)
        await thread.edit(locked=True)
        return str(thread.id)

    async def forum(self, guild):
        tags = [discord.ForumTag(name='High'), discord.ForumTag(name='Low')]
        forum = await guild_of(guild).create_forum('logs', available_tags=tags)
        low = next(tag for tag in forum.available_tags if tag.name == 'Low')
        post = (await forum.create_thread(name='Monday', content='All well', applied_tags=[low])).thread
        return {'forum': str(forum.id), 'post': str(post.id)}

    async def files(self, channel, png):
        files = [picture(png, 'tide table.png', description='The tide'), notes()]
        message = await channel_of(channel).send(files=files)
        await message.edit(attachments=message.attachments[:1])
        return place(message)

    async def embeds(self, channel, png):
        embed = discord.Embed(title='Tide table', colour=BLUE)
        embed.add_field(name='High', value='06:12').add_field(name='Low', value='12:20')
        embed.set_image(url='attachment://tide.png')
        return place(await channel_of(channel).send(embed=embed, file=picture(png, 'tide.png')))

    async def components(self, channel):
        return place(await channel_of(channel).send('Where to?', view=Where()))

    async def moderation(self, guild, people):
        known = guild_of(guild)
        first, second, third = [known.get_member(int(each)) for each in people]
        await first.timeout(datetime.timedelta(minutes=1), reason=RULES)
        await first.timeout(None, reason=RULES)
        await second.kick(reason=RULES)
        await third.ban(delete_message_seconds=3600, reason=RULES)
        banned = [str(ban.user.id) async for ban in known.bans()]
        await known.unban(third, reason=RULES)
        return banned

    async def voice(self, guild, user, channel):
        member = guild_of(guild).get_member(int(user))
        await member.move_to(channel_of(channel))
        await member.edit(mute=True)
        await eventually(lambda: member.voice and str(member.voice.channel.id) == channel)
        return str(member.voice.channel.id)

    async def hangUp(self, guild, user):
        await guild_of(guild).get_member(int(user)).move_to(None)

    async def commands(self, guild):
        here = discord.Object(int(guild))

        @bot.tree.command(description='When the water is high', guild=here)
        async def tide(interaction: discord.Interaction, place: str, who: discord.Member):
            await interaction.response.send_message(f'{place} for {who.name}')

        @tide.autocomplete('place')
        async def places(interaction: discord.Interaction, current: str):
            return [app_commands.Choice(name=each, value=each) for each in PLACES if each.startswith(current)]

        @bot.tree.command(description='Write in the log', guild=here)
        async def log(interaction: discord.Interaction):
            await interaction.response.send_modal(Log())

        @bot.tree.command(description='Of the place', guild=here)
        async def chart(interaction: discord.Interaction, file: discord.Attachment):
            await interaction.response.defer()
            drawn = discord.File(io.BytesIO(b'shoals'), filename='chart.txt')
            await interaction.edit_original_response(content=f'Chart of {file.filename}', attachments=[drawn])

        await bot.tree.sync(guild=here)

    async def listens(self):
        pass

    autocomplete = modals = commandFiles = listens

    async def invites(self, channel):
        invite = await channel_of(channel).create_invite(max_age=3600, max_uses=2)
        listed = [each.code for each in await channel_of(channel).invites()]
        await invite.delete()
        return {'code': invite.code, 'listed': listed}

    async def webhooks(self, channel):
        hook = await channel_of(channel).create_webhook(name='Tide table')
        listed = [str(each.id) for each in await channel_of(channel).webhooks()]
        await hook.edit(name='Tides')
        return {'id': str(hook.id), 'listed': listed}

    async def webhookMessages(self, hook):
        known = discord.Webhook.partial(int(hook['id']), hook['token'], client=bot)
        message = await known.send(
            'High water', username='Buoy', embed=discord.Embed(title='Now'), file=notes(), wait=True
        )
        await message.edit(content='Low water')
        return place(message)

    async def events(self, guild, channel):
        start = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
        event = await guild_of(guild).create_scheduled_event(
            name='Regatta',
            start_time=start,
            channel=channel_of(channel),
            privacy_level=discord.PrivacyLevel.guild_only,
        )
        event = await event.edit(name='Race')
        await event.start()
        return str(event.id)

    async def pins(self, message):
        room = channel_of(message['channel'])
        await (await room.fetch_message(int(message['id']))).pin()
        return [str(each.id) for each in await room.pins()]

    async def resume(self):
        return {'resumed': bot.resumed, 'heard': [each.content for each in bot.heard]}


async def obey(steps, call):
    try:
        tell(id=call['id'], result=await getattr(steps, call['step'])(*call['args']))
    except Exception as error:  # What a step throws is its answer.
        tell(id=call['id'], error=f'{type(error).__name__}: {error}')


async def main():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 22)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    steps = Steps()
    async with bot:
        while line := await reader.readline():
            await obey(steps, json.loads(line))


asyncio.run(main())
