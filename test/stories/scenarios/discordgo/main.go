// A bot with discordgo.
package main

import (
	"log"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/bwmarrin/discordgo"
)

// The library has no option for another address: requests to the platform's go to the emulator instead.
type toEmulator struct{ api *url.URL }

func (to toEmulator) RoundTrip(request *http.Request) (*http.Response, error) {
	request.URL.Scheme, request.URL.Host, request.Host = to.api.Scheme, to.api.Host, to.api.Host
	return http.DefaultTransport.RoundTrip(request)
}

type command func(*discordgo.Session, *discordgo.InteractionCreate)

var commands = map[string]command{}
var registered []*discordgo.ApplicationCommand

func answer(s *discordgo.Session, i *discordgo.InteractionCreate, text string) {
	data := &discordgo.InteractionResponseData{Content: text}
	if err := s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
		Type: discordgo.InteractionResponseChannelMessageWithSource, Data: data,
	}); err != nil {
		log.Print(err)
	}
}

func channelNamed(s *discordgo.Session, guild, name string) string {
	channels, err := s.GuildChannels(guild)
	if err != nil {
		log.Print(err)
	}
	for _, channel := range channels {
		if channel.Name == name {
			return channel.ID
		}
	}
	return ""
}

func main() {
	api, err := url.Parse(os.Getenv("FOOTBRIDGE_API"))
	if err != nil {
		log.Fatal(err)
	}
	s, _ := discordgo.New("Bot " + os.Getenv("DISCORD_TOKEN"))
	s.Client.Transport = toEmulator{api}
	s.Identify.Intents = discordgo.IntentsAllWithoutPrivileged | discordgo.IntentMessageContent
	addEvents(s)
	addMirror(s)
	addThreads(s)
	s.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		if i.Type == discordgo.InteractionApplicationCommand {
			commands[strings.ToLower(i.ApplicationCommandData().Name)](s, i)
		}
	})
	s.AddHandler(func(s *discordgo.Session, r *discordgo.Ready) {
		if _, err := s.ApplicationCommandBulkOverwrite(r.Application.ID, "", registered); err != nil {
			log.Fatal(err)
		}
	})
	if err := s.Open(); err != nil {
		log.Fatal(err)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
	s.Close()
}
