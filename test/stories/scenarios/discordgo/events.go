package main

import (
	"fmt"
	"log"
	"time"

	"github.com/bwmarrin/discordgo"
)

// addEvents has members plan meetings, and says in #general who comes.
func addEvents(s *discordgo.Session) {
	registered = append(registered, &discordgo.ApplicationCommand{
		Name: "meeting", Description: "Plans a meeting",
		Options: []*discordgo.ApplicationCommandOption{
			{Type: discordgo.ApplicationCommandOptionString, Name: "what", Description: "What for", Required: true},
			{Type: discordgo.ApplicationCommandOptionInteger, Name: "hours", Description: "From now", Required: true},
		},
	})
	commands["meeting"] = func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		options := i.ApplicationCommandData().Options
		start, _ := discordgo.SnowflakeTimestamp(i.ID)
		start = start.Add(time.Duration(options[1].IntValue()) * time.Hour)
		end := start.Add(time.Hour)
		event, err := s.GuildScheduledEventCreate(i.GuildID, &discordgo.GuildScheduledEventParams{
			Name:               options[0].StringValue(),
			ScheduledStartTime: &start,
			ScheduledEndTime:   &end,
			EntityType:         discordgo.GuildScheduledEventEntityTypeExternal,
			EntityMetadata:     &discordgo.GuildScheduledEventEntityMetadata{Location: "The shed"},
			PrivacyLevel:       discordgo.GuildScheduledEventPrivacyLevelGuildOnly,
		})
		if err != nil {
			log.Print(err)
			answer(s, i, "The meeting could not be planned.")
			return
		}
		answer(s, i, fmt.Sprintf("%s is planned: %s", event.Name, event.ID))
	}
	s.AddHandler(func(s *discordgo.Session, add *discordgo.GuildScheduledEventUserAdd) {
		event, err := s.GuildScheduledEvent(add.GuildID, add.GuildScheduledEventID, true)
		if err != nil {
			log.Print(err)
			return
		}
		text := fmt.Sprintf("<@%s> comes to %s, %d so far.", add.UserID, event.Name, event.UserCount)
		s.ChannelMessageSend(channelNamed(s, add.GuildID, "general"), text)
	})
}
