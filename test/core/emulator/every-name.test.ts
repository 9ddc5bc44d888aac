import { describe, expect, it } from 'vitest';
import { commands, events, findCommand, findEvent } from '../../../src/protocol/registry.ts';
import { settled } from '../../helpers/app-peer.ts';
import { allScopes, emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Every name of protocol 4.3 to 4.8 with a documented shape. */
const documented = words(`
  AUTHORIZE AUTHENTICATE SUBSCRIBE UNSUBSCRIBE
  GET_GUILD GET_GUILDS GET_CHANNEL GET_CHANNELS GET_CHANNEL_PERMISSIONS CREATE_CHANNEL_INVITE GET_RELATIONSHIPS
  GET_USER GET_IMAGE SELECT_TEXT_CHANNEL USER_SETTINGS_GET_LOCALE OPEN_MESSAGE
  GET_VOICE_SETTINGS SET_VOICE_SETTINGS SET_VOICE_SETTINGS_2 SET_USER_VOICE_SETTINGS SET_USER_VOICE_SETTINGS_2
  SELECT_VOICE_CHANNEL GET_SELECTED_VOICE_CHANNEL PUSH_TO_TALK TOGGLE_VIDEO TOGGLE_SCREENSHARE GET_SOUNDBOARD_SOUNDS
  PLAY_SOUNDBOARD_SOUND SET_CERTIFIED_DEVICES
  SET_ACTIVITY SEND_ACTIVITY_JOIN_INVITE CLOSE_ACTIVITY_JOIN_REQUEST CLOSE_ACTIVITY_REQUEST ACTIVITY_INVITE_USER
  ACCEPT_ACTIVITY_INVITE OPEN_INVITE_DIALOG SET_OVERLAY_LOCKED OPEN_OVERLAY_ACTIVITY_INVITE OPEN_OVERLAY_GUILD_INVITE
  OPEN_OVERLAY_VOICE_SETTINGS
  VALIDATE_APPLICATION GET_ENTITLEMENT_TICKET GET_APPLICATION_TICKET GET_SKUS GET_ENTITLEMENTS GET_SKUS_EMBEDDED
  GET_ENTITLEMENTS_EMBEDDED START_PURCHASE START_PREMIUM_PURCHASE GET_NETWORKING_CONFIG NETWORKING_CREATE_TOKEN
  NETWORKING_SYSTEM_METRICS NETWORKING_PEER_METRICS
  OPEN_EXTERNAL_LINK CAPTURE_LOG SEND_ANALYTICS_EVENT ENCOURAGE_HW_ACCELERATION SET_ORIENTATION_LOCK_STATE
  GET_PLATFORM_BEHAVIORS SET_CONFIG GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS OPEN_SHARE_MOMENT_DIALOG
  INITIATE_IMAGE_UPLOAD SHARE_LINK SHARE_INTERACTION INVITE_USER_EMBEDDED REQUEST_PROXY_TICKET_REFRESH
  GET_PROVIDER_ACCESS_TOKEN MAYBE_GET_PROVIDER_ACCESS_TOKEN NAVIGATE_TO_CONNECTIONS GET_QUEST_ENROLLMENT_STATUS
  QUEST_START_TIMER GET_QUEST INVITE_BROWSER GUILD_TEMPLATE_BROWSER GIFT_CODE_BROWSER DEEP_LINK CONNECTIONS_CALLBACK
  BILLING_POPUP_BRIDGE_CALLBACK BRAINTREE_POPUP_BRIDGE_CALLBACK BROWSER_HANDOFF
`);

/** Names without a documented shape, and removed ones. */
const unknown = words(`
  DISPATCH OVERLAY GET_CLIENT_VOICE_SETTINGS CAPTURE_SHORTCUT OPEN_INVITE OPEN_CONTEXT_MENU OPEN_MEDIA_VIEWER
  OPEN_USER_PROFILE OPEN_USER_POPOUT OPEN_GAME_PROFILE SHOW_TOOLTIP HIDE_TOOLTIP
  SET_PREFERS_PICTURE_IN_PICTURE_ON_NAVIGATE_AWAY SHOW_TOAST SHOW_CONFIRM_MODAL SET_SUPPRESS_NOTIFICATIONS
  SHARE_CONTENT START_APPLICATION_STREAMING_VIEW SUSPEND_APPLICATION_STREAMING_VIEW
  RESUME_APPLICATION_STREAMING_VIEW STOP_APPLICATION_STREAMING_VIEW GET_APPLICATION_STREAMING_VIEW_CAPABILITIES
  SET_APPLICATION_STREAMING_VIEW_FIT WATCH_APPLICATION_STREAMING_VIEW_ON_DISCORD SEND_GENERIC_EVENT CREATE_LOBBY
  UPDATE_LOBBY DELETE_LOBBY UPDATE_LOBBY_MEMBER CONNECT_TO_LOBBY DISCONNECT_FROM_LOBBY SEND_TO_LOBBY SEARCH_LOBBIES
  CONNECT_TO_LOBBY_VOICE DISCONNECT_FROM_LOBBY_VOICE SET_USER_ACHIEVEMENT GET_USER_ACHIEVEMENTS constructor __proto__
`);

const documentedEvents = words(`
  READY ERROR CURRENT_USER_UPDATE CURRENT_GUILD_MEMBER_UPDATE GUILD_STATUS GUILD_CREATE CHANNEL_CREATE
  RELATIONSHIP_UPDATE VOICE_CHANNEL_SELECT VOICE_STATE_CREATE VOICE_STATE_UPDATE VOICE_STATE_DELETE
  VOICE_SETTINGS_UPDATE VOICE_SETTINGS_UPDATE_2 VOICE_CONNECTION_STATUS SPEAKING_START SPEAKING_STOP MESSAGE_CREATE
  MESSAGE_UPDATE MESSAGE_DELETE NOTIFICATION_CREATE ACTIVITY_JOIN ACTIVITY_SPECTATE ACTIVITY_JOIN_REQUEST
  ACTIVITY_INVITE GAME_JOIN GAME_SPECTATE AUTHORIZE_REQUEST ENTITLEMENT_CREATE ENTITLEMENT_DELETE OVERLAY_UPDATE
  SCREENSHARE_STATE_UPDATE VIDEO_STATE_UPDATE QUEST_ENROLLMENT_STATUS_UPDATE ACTIVITY_LAYOUT_MODE_UPDATE
  ACTIVITY_PIP_MODE_UPDATE THERMAL_STATE_UPDATE ORIENTATION_UPDATE ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE
`);

const unknownEvents = words(`
  OVERLAY VOICE_SESSION_PARTICIPANTS_UPDATE FRAME_LAYOUT_MODE_UPDATE CAPTURE_SHORTCUT_CHANGE LOBBY_UPDATE
  LOBBY_DELETE LOBBY_MEMBER_CONNECT LOBBY_MEMBER_DISCONNECT LOBBY_MEMBER_UPDATE LOBBY_MESSAGE
  USER_ACHIEVEMENT_UPDATE constructor
`);

it('the registry holds the documented names and no others', () => {
  expect(Object.keys(commands).sort()).toEqual([...documented].sort());
  expect(Object.keys(events).sort()).toEqual([...documentedEvents].sort());
});

describe('every name', () => {
  it('of a command gets exactly one answer, and the session lives on', async () => {
    const bridge = await emulatorBridge({ applications: [{ id: ids.harbourExample, consent: 'ask' }] });
    const app = await bridge.app();
    const asked = [...documented, ...unknown];
    for (const name of asked) app.request(name, {}, { nonce: name });
    const answers = (await app.rest()).map(({ body }) => body as { nonce: string });
    const waiting = (await bridge.run('requests.list')) as { cmd?: string }[];
    const nonces = [...answers.map(({ nonce }) => nonce), ...waiting.map(({ cmd }) => cmd ?? 'AUTHORIZE')];
    expect(nonces.sort()).toEqual([...asked].sort());
    for (const { nonce, ...answer } of answers) {
      if (unknown.includes(nonce)) expect(answer).toMatchObject({ evt: 'ERROR', data: { code: 4002 } });
    }
    expect((await app.call('GET_PLATFORM_BEHAVIORS')).data).toEqual({});
  });

  it('of a recorded command waits for a person, and is answered once they have decided', async () => {
    const bridge = await emulatorBridge({ applications: [{ id: ids.harbourExample, consent: 'ask' }] });
    const app = await bridge.app();
    const nonce = app.request('OPEN_INVITE_DIALOG');
    await settled();
    const [request] = (await bridge.run('requests.list')) as { id: string; cmd: string }[];
    expect(request).toMatchObject({ cmd: 'OPEN_INVITE_DIALOG' });
    expect(await app.rest()).toEqual([]);
    await bridge.run('requests.approve', { id: request?.id });
    expect(await app.answer()).toMatchObject({ nonce, evt: null, data: null });
  });

  it('of a refused command is answered with its documented error', async () => {
    const { app } = await emulatorBridge();
    const peer = await app({ scopes: allScopes });
    const refused = documented.filter(
      (name) => findCommand(name)?.class === 'refused' && findCommand(name)?.args().safeParse({}).success,
    );
    expect(refused.length).toBeGreaterThan(6);
    for (const name of refused) {
      const { evt, data } = await peer.call(name);
      expect([name, evt, data.code]).toEqual([name, 'ERROR', findCommand(name)?.refusal?.code]);
    }
  });

  it('of an event gets exactly one answer to SUBSCRIBE and to UNSUBSCRIBE', async () => {
    const { app } = await emulatorBridge();
    const peer = await app({ scopes: allScopes });
    for (const cmd of ['SUBSCRIBE', 'UNSUBSCRIBE']) {
      for (const evt of [...documentedEvents, ...unknownEvents]) {
        peer.request(cmd, {}, { evt, nonce: evt });
        const answers = (await peer.rest()).map(
          ({ body }) => body as { nonce: string; data: { code?: number } },
        );
        const [answer, ...more] = answers.filter(({ nonce }) => nonce === evt);
        expect([evt, more]).toEqual([evt, []]);
        const unknowable = unknownEvents.includes(evt) || findEvent(evt)?.kind === 'unsubscribable';
        if (unknowable) expect([evt, answer?.data.code]).toEqual([evt, 4004]);
        else expect([evt, answer?.data]).not.toEqual([evt, undefined]);
      }
    }
  });
});

it('a voice app gets through its whole start', async () => {
  const bridge = await emulatorBridge({ applications: [{ id: ids.harbourExample, consent: 'ask' }] });
  for (const via of ['ipc', 'web'] as const) {
    const app = await bridge.app({ via });
    expect((await app.call('AUTHENTICATE', { access_token: null })).data.code).toBe(4009);
    const scopes = ['rpc', 'identify', 'rpc.voice.read', 'messages.read', 'rpc.notifications.read'];
    app.request('AUTHORIZE', { client_id: ids.harbourExample, scopes, prompt: 'none' });
    await settled();
    // No grant exists yet for this way in: a person is asked all the same.
    const [request] = (await bridge.run('requests.list')) as { id: string }[];
    await bridge.run('requests.approve', { id: request?.id });
    const { code } = (await app.answer()).data;
    const { access_token } = await bridge.emulator.oauth2.exchangeCode(
      { clientId: ids.harbourExample, clientSecret: 'any' },
      { code, issuer: 'http://127.0.0.1' },
    );
    expect((await app.call('AUTHENTICATE', { access_token })).data.user.username).toBe('river');
    const channel = { channel_id: ids.quay };
    const subscriptions: [string, object?][] = [
      ['VOICE_CHANNEL_SELECT'],
      ['VOICE_CONNECTION_STATUS'],
      ['VOICE_SETTINGS_UPDATE'],
      ['VOICE_STATE_CREATE', channel],
      ['VOICE_STATE_UPDATE', channel],
      ['VOICE_STATE_DELETE', channel],
      ['SPEAKING_START', channel],
      ['SPEAKING_STOP', channel],
      ['NOTIFICATION_CREATE'],
    ];
    for (const [evt, args] of subscriptions) app.request('SUBSCRIBE', args, { evt, nonce: 'same' });
    const frames = (await app.rest()).map(({ body }) => body as { nonce: string | null; evt: string | null });
    expect(frames.filter(({ nonce, evt }) => nonce === 'same' && evt === null)).toHaveLength(9);
    expect(frames.filter(({ nonce }) => nonce === null).map(({ evt }) => evt)).toEqual([
      'VOICE_CONNECTION_STATUS',
      'VOICE_SETTINGS_UPDATE',
      'VOICE_STATE_UPDATE',
    ]);
    expect((await app.call('GET_SELECTED_VOICE_CHANNEL')).data).toBeNull();
    expect((await app.call('GET_GUILDS')).data.guilds).toHaveLength(2);
    expect((await app.call('GET_CHANNELS', { guild_id: ids.harbour })).data.channels).toHaveLength(2);
  }
});
