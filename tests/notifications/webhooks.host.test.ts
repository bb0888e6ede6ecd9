import { httpWebhook, type WebhookOptions } from '@moorage/host';
import { ManualClock } from '@moorage/host/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { choice, startTurn } from '../support/actions.js';
import { PostReceiver } from '../support/push-service.js';
import { TestHost, userMessage } from '../support/test-host.js';

let host: TestHost | undefined;
let receiver: PostReceiver | undefined;

afterEach(async () => {
  await host?.dispose();
  await receiver?.close();
  host = undefined;
  receiver = undefined;
});

/** What arrives when a turn of a session called "<b> & co" says something. */
async function received(
  options: Partial<WebhookOptions> & { readonly path?: string },
  prompt = '/say all is well',
  clock?: ManualClock,
) {
  const taking = await PostReceiver.start();
  receiver = taking;
  const { path = '/hook', ...rest } = options;
  const page = () => 'https://moor.example:7433/';
  const running = await TestHost.start({
    ...(clock && { clock }),
    notifications: () => ({ webhooks: [httpWebhook({ url: taking.origin + path, page, ...rest })] }),
  });
  host = running;
  const client = await running.client();
  const { session, chat } = await running.session(client);
  const message = userMessage(`/title <b> & co\n${prompt}`);
  client.dispatch(chat, { type: 'chat/turnStarted', turnId: 't', startedAt: new Date().toISOString(), message });
  const request = await taking.request();
  const link = `https://moor.example:7433/#${new URLSearchParams({ session, chat, pane: 'chat' })}`;
  return { request, body: JSON.parse(request.body.toString()), session, chat, link, client };
}

describe('a webhook', () => {
  it('gets everything as JSON, with its headers and a link to the session', async () => {
    const { request, body, session, chat, link } = await received({ headers: { Authorization: 'Bearer mine' } });
    expect(request.path).toBe('/hook');
    expect(request.headers).toMatchObject({ authorization: 'Bearer mine', 'content-type': 'application/json' });
    expect(body).toEqual({ topic: 'done', title: '<b> & co is done', body: 'all is well', session, chat, link });
  });

  it('of ntfy gets its own form, at the root of the server', async () => {
    const { request, body, link } = await received({ format: 'ntfy', path: '/below/my-topic' }, '/ask Which? | ä | b');
    expect(request.path).toBe('/below/');
    expect(body).toEqual({
      topic: 'my-topic',
      title: '<b> & co needs you',
      message: expect.stringContaining('Which?'),
      priority: 4,
      click: link,
    });
  });

  it('of Slack gets a text in which nothing is a mention or a link but ours', async () => {
    const { body, link } = await received({ format: 'slack' }, '/say hello <!channel>');
    expect(body).toEqual({
      text: `*&lt;b&gt; &amp; co is done*\nhello &lt;!channel&gt;\n<${link}|Open the session>`,
    });
  });

  it('hears only of the topics that it is for', async () => {
    const clock = new ManualClock();
    const { client, chat, session } = await received({ topics: ['done'] }, '/say first', clock);
    startTurn(client, chat, '/ask Which? | yes | no');
    const { request } = await client.action(session, 'session/inputNeededSet');
    clock.advance(60_000);
    if (request.kind === 'chatInput') client.dispatch(chat, choice(request.request, 'yes'));
    await receiver?.request(2);
    const topics = receiver?.received.map(({ body }) => JSON.parse(body.toString()).topic);
    expect(topics).toEqual(['done', 'done']);
  });

  it('does not follow a redirect', async () => {
    const taking = await PostReceiver.start();
    receiver = taking;
    taking.status = 307;
    const outcome = await httpWebhook({ url: `${taking.origin}/hook` }).send(
      { topic: 'done', title: 't', body: 'b', session: 'ahp-session:/s', chat: 'ahp-chat:/c' },
      new AbortController().signal,
    );
    expect(outcome).toMatchObject({ kind: 'failed', mayRetry: false });
    expect(taking.received.map(({ path }) => path)).toEqual(['/hook']);
  });
});
