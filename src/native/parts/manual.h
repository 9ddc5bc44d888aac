/* footbridge.h: local RPC of a chat client for native programs, in one header. C99 and C++11.
 *
 *   #define FB_IMPLEMENTATION            // in one file of your program, before any other header
 *   #include "footbridge.h"
 *
 *   fb_options options = {0};
 *   options.client_id = "300000000000000001";
 *   fb_client *client;
 *   if (fb_open(&options, &client) == FB_OK) {
 *     fb_presence presence = {0};
 *     presence.details = "By the river";
 *     fb_show(client, &presence);        // shown now, or as soon as a chat client is there
 *     while (my_game_runs()) { fb_poll(client, 0); my_frame(); }
 *     fb_close(&client);                 // shows nothing any more, and hangs up
 *   }
 *
 * WHAT IT IS. A client for the socket (or named pipe) `discord-ipc-0` to `9` that chat clients and bridges serve. It has
 * no thread, no global, no signal and no dependency, never blocks longer than the time that you give, and is silent where
 * no chat client runs. It connects again after a loss and then restores the presence, the token and the subscriptions.
 *
 * FIVE ERRORS THAT PROGRAMS WITH A CLIENT OF THEIR OWN MAKE, and the line that avoids each:
 *   1. SET_ACTIVITY without a handshake, or one socket alone    fb_open and fb_poll: handshake and search are inside
 *   2. text that is pasted into JSON without escapes            fb_show, fb_w_text: escapes, and refuses what is no UTF-8
 *   3. a frame taken for a read: lost bytes, crashes at 64 KiB  fb_poll: any split, any size, bounded memory
 *   4. the paths of Flatpak and Snap forgotten                  fb_open: options.endpoint is for programs that know better
 *   5. retries without end after "Invalid Client ID"            fb_poll returns FB_E_REFUSED: stop polling
 *
 * RESULTS. FB_OK, or FB_AGAIN (nothing happened, or no room or no connection yet: call again later), or a negative
 * fb_result that fb_result_text() explains. FB_E_REFUSED is for ever; everything else may be different later.
 * fb_error_text() lists each path that the last search tried, and why it was none.
 *
 * EVENTS. fb_poll() calls options.on_event with each event (fb_event). Everything but fb_poll and fb_close may be called
 * from there, and none may leave it by an exception or longjmp. Views (fb_json, fb_event.name) live until the call returns.
 *
 * LOOPS OF OTHERS. fb_fd() (fb_handle() on Windows) and fb_timeout() are for poll, epoll, libuv and GLib: wait for the
 * descriptor to be readable (and writable while fb_wants_write() says so), at most fb_timeout() ms, then fb_poll(client,
 * 0). The descriptor changes with each connection, and is -1 between them.
 *
 * MEMORY. By default malloc's; options.allocate takes yours. With options.buffer nothing is allocated after fb_open, and
 * a frame that has no room there is read to its end and comes as an event with FB_E_TOO_LONG instead of its data.
 *
 * THREADS. One client belongs to one thread at a time. Clients do not share anything.
 *
 * SWITCHES, each before the include with FB_IMPLEMENTATION (and the first two before every include):
 *   FB_STATIC         every function is static
 *   FB_API            how functions are declared, such as __declspec(dllexport)
 *   FB_PRESENCE_ONLY  presence alone: no requests, no subscriptions, no tokens, no voice
 *   FB_NO_AUTH        no tokens and no PKCE
 *   FB_NO_STDIO       no <stdio.h>: without fb_print_error
 *   FB_NO_MALLOC      no malloc: options.allocate or options.buffer must be given
 *
 * SECURITY. Whoever listens on the socket gets your access token, so only sockets of your own user and of root are taken
 * (options.any_owner takes all); on Windows, where pipes have no such owner, any. A token is in memory until fb_close, which
 * wipes it, and in no text; events have it where the server sends it back.
 */
