package main

import (
	"log"

	"github.com/bwmarrin/discordgo"
)

// addMirror repeats what is said in #general in #log, by a webhook with the name of who said it.
func addMirror(s *discordgo.Session) {
	hooks := map[string]*discordgo.Webhook{}
	s.AddHandler(func(s *discordgo.Session, m *discordgo.MessageCreate) {
		if m.Author.Bot || m.WebhookID != "" || m.ChannelID != channelNamed(s, m.GuildID, "general") {
			return
		}
		log_ := channelNamed(s, m.GuildID, "log")
		hook := hooks[log_]
		if hook == nil {
			var err error
			if hook, err = s.WebhookCreate(log_, "mirror", ""); err != nil {
				log.Print(err)
				return
			}
			hooks[log_] = hook
		}
		if _, err := s.WebhookExecute(hook.ID, hook.Token, true, &discordgo.WebhookParams{
			Content: m.Content, Username: m.Author.Username,
		}); err != nil {
			log.Print(err)
		}
	})
}
