import { afterAll, describe, expect } from 'vitest';
import { PostReceiver, PushSubscriber } from '../support/push-service.js';
import { newSession, say, withBrowser } from '../support/web.js';

let service: PostReceiver | undefined;
afterAll(() => service?.close());

const inBrowser = withBrowser(
  async () => {
    service = await PostReceiver.start();
    return { notifications: { pushServices: [service.origin] } };
  },
  { whole: true }, // the shell shows no notifications
);

type OnPage = Parameters<Parameters<typeof inBrowser>[1]>[0];

/**
 * A page that has turned push messages on. Headless Chromium has no push service, so what `subscribe` would get from one is
 * put in its place: an address of ours and the public keys of a subscriber of the test. All else is real: the worker, its
 * registration, the permission, the host's encrypted messages and their delivery to the worker by the devtools.
 */
async function subscribedPage(on: OnPage, choice: string) {
  if (!service) throw new Error('no push service');
  const browser = new PushSubscriber(`${service.origin}/send/${crypto.randomUUID()}`);
  const { page, complaints } = await on.page();
  const context = page.context();
  await context.grantPermissions(['notifications'], { origin: new URL(page.url()).origin });
  const devtools = await context.newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations;
      if (found) resolve(found.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  await page.evaluate((subscription) => {
    const made = { ...subscription, toJSON: () => subscription, unsubscribe: async () => true };
    let current: unknown = null;
    Object.assign(PushManager.prototype, {
      subscribe: async (options: { applicationServerKey: string }) => {
        Object.assign(globalThis, { pushKey: options.applicationServerKey });
        current = made;
        return made;
      },
      getSubscription: async () => current,
    });
  }, browser.subscription);
  await page.getByLabel('When closed').selectOption(choice);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('moorage.push'))).toBe(choice);
  const publicKey = await page.evaluate(() => (globalThis as unknown as { pushKey: string }).pushKey);
  const before = service.received.length;
  const received = async () => {
    const request = await service?.request(before + 1);
    if (!request) throw new Error('no push service');
    return browser.read(request, publicKey);
  };
  const deliver = async (data: string) =>
    devtools.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(page.url()).origin,
      registrationId: await registration,
      data,
    });
  /** Playwright lets every page believe that it has the focus; from here on only the one in front has it. */
  const lookElsewhere = async () => {
    for (const open of context.pages()) {
      const each = await context.newCDPSession(open);
      await each.send('Emulation.setFocusEmulationEnabled', { enabled: false });
    }
    const elsewhere = await context.newPage();
    await elsewhere.bringToFront();
  };
  const shown = () =>
    page.evaluate(async () => {
      const all = await (await navigator.serviceWorker.ready).getNotifications();
      return all.map(({ title, body, data }) => ({ title, body, data }));
    });
  return { page, context, complaints, received, deliver, lookElsewhere, shown, browser };
}

describe('a page with push messages', () => {
  inBrowser('shows what a session needs, and opens it', async (on) => {
    const { page, context, complaints, received, deliver, lookElsewhere, shown } = await subscribedPage(on, 'needsYou');
    await newSession(page);
    await say(page, '/title Colours\n/ask Which colour? | red | blue');
    const message = (await received()) as { session: string; chat: string };
    expect(message).toMatchObject({ title: 'Colours needs you', body: expect.stringContaining('Which colour?') });

    await lookElsewhere();
    await page.evaluate(() => {
      location.hash = 'pane=new';
    });
    // The browser tells the worker a moment later; with the focus on the page there would be no notification.
    await expect.poll(() => context.serviceWorkers()[0]?.evaluate(hasFocusedPage)).toBe(false);
    await deliver(JSON.stringify(message));
    const { session, chat } = message;
    await expect
      .poll(shown, { timeout: 30_000 })
      .toEqual([{ title: 'Colours needs you', body: 'Asks: Which colour?', data: { session, chat } }]);

    // A click needs a screen; the worker gets the event that one causes.
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(async () => {
      const { registration, NotificationEvent, dispatchEvent } = globalThis as unknown as {
        registration: ServiceWorkerRegistration;
        NotificationEvent: new (type: string, init: object) => Event;
        dispatchEvent(event: Event): void;
      };
      const [notification] = await registration.getNotifications();
      dispatchEvent(new NotificationEvent('notificationclick', { notification }));
    });
    await page.getByRole('heading', { name: 'Colours', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('stays signed in, so that a notification can open its session in a new tab', async (on) => {
    const { page, context, deliver, lookElsewhere, shown } = await subscribedPage(on, 'all');
    const fresh = await context.newPage(); // what `openWindow` opens: no storage of the first tab
    await fresh.goto(new URL('/', page.url()).href);
    await fresh.getByLabel('When closed').waitFor();
    expect(await fresh.getByLabel('When closed').inputValue()).toBe('all');
    await lookElsewhere(); // whoever looks at the page is told there
    await deliver('nonsense');
    await expect.poll(shown, { timeout: 30_000 }).toMatchObject([{ title: 'moorage' }]);

    await page.bringToFront();
    await page.getByLabel('When closed').selectOption('nothing');
    await expect.poll(() => page.evaluate(() => ({ ...localStorage }))).toEqual({});
    await fresh.evaluate(() => sessionStorage.clear());
    await fresh.reload();
    await fresh.getByRole('heading', { name: 'Sign in to this host' }).waitFor();
  });

  inBrowser('can be installed', async (on) => {
    const { page, complaints } = await on.page();
    const devtools = await page.context().newCDPSession(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const { icons } = JSON.parse(data ?? '') as { icons: { src: string; sizes: string; type: string }[] };
    for (const { src, type } of icons) {
      const response = await page.request.get(new URL(src, page.url()).href);
      expect([response.status(), response.headers()['content-type']]).toEqual([200, type]);
    }
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** Run by the service worker. */
async function hasFocusedPage(): Promise<boolean> {
  const { clients } = globalThis as unknown as {
    clients: { matchAll(options: { type: 'window' }): Promise<{ focused: boolean }[]> };
  };
  return (await clients.matchAll({ type: 'window' })).some(({ focused }) => focused);
}
