module helper

go 1.19

require github.com/bwmarrin/discordgo v0.29.0
