package main

import (
	"log"
	"strings"

	"github.com/bwmarrin/discordgo"
)

// addThreads opens a thread for each question in #help, and closes it with /solved.
func addThreads(s *discordgo.Session) {
	registered = append(registered, &discordgo.ApplicationCommand{Name: "solved", Description: "Closes the thread"})
	commands["solved"] = func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		answer(s, i, "Solved.")
		closed := true
		if _, err := s.ChannelEdit(i.ChannelID, &discordgo.ChannelEdit{Archived: &closed, Locked: &closed}); err != nil {
			log.Print(err)
		}
	}
	s.AddHandler(func(s *discordgo.Session, m *discordgo.MessageCreate) {
		if m.Author.Bot || m.ChannelID != channelNamed(s, m.GuildID, "help") || !strings.HasSuffix(m.Content, "?") {
			return
		}
		name, _, _ := strings.Cut(m.Content, "?")
		thread, err := s.MessageThreadStart(m.ChannelID, m.ID, name, 60)
		if err != nil {
			log.Print(err)
			return
		}
		s.ChannelMessageSend(thread.ID, "Somebody will help you. Use /solved when it is.")
	})
}
