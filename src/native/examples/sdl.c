/* A window of SDL 2 whose game is shown: one fb_poll a frame, and a presence for each level. Space begins the next level.
 * cc -o sdl sdl.c $(pkg-config --cflags --libs sdl2 footbridge) && ./sdl CLIENT_ID [FRAMES], FRAMES: how many until the end */
#define FB_IMPLEMENTATION
#include "footbridge.h"

#include <SDL.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void show(fb_client *client, int level) {
  char details[32];
  fb_presence presence;
  memset(&presence, 0, sizeof presence);
  snprintf(details, sizeof details, "Level %d", level);
  presence.details = details;
  presence.start = (int64_t)time(NULL) * 1000;
  fb_show(client, &presence);
}

int main(int count, char **values) {
  fb_options options;
  fb_client *client;
  SDL_Event event;
  SDL_Window *window;
  SDL_Renderer *renderer;
  int level = 1, frames = 0, last = count > 2 ? atoi(values[2]) : 0, is_over = 0;
  memset(&options, 0, sizeof options);
  options.client_id = count > 1 ? values[1] : "300000000000000001";
  if (fb_open(&options, &client) != FB_OK) return 1;
  if (SDL_Init(SDL_INIT_VIDEO) != 0) {
    fprintf(stderr, "%s\n", SDL_GetError());
    return 1;
  }
  window = SDL_CreateWindow("River", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 640, 360, 0);
  renderer = SDL_CreateRenderer(window, -1, 0);
  show(client, level);
  while (!is_over) {
    while (SDL_PollEvent(&event)) {
      if (event.type == SDL_QUIT) is_over = 1;
      if (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_SPACE) show(client, ++level);
    }
    fb_poll(client, 0);
    SDL_SetRenderDrawColor(renderer, 30, (Uint8)(40 * level), 120, 255);
    SDL_RenderClear(renderer);
    SDL_RenderPresent(renderer);
    SDL_Delay(16);
    if (++frames == last) is_over = 1;
  }
  fb_close(&client);
  SDL_DestroyRenderer(renderer);
  SDL_DestroyWindow(window);
  SDL_Quit();
  printf("%d frames\n", frames);
  return 0;
}
