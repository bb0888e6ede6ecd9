import { startChromium } from './chromium.js';

/** One Chromium for all test files; each gets contexts of its own in it. Without one, every file says what is missing. */
export default async function oneChromium(): Promise<() => Promise<void>> {
  const server = await startChromium();
  if (server) process.env.CHROMIUM_ENDPOINT = server.wsEndpoint();
  return async () => server?.close();
}
