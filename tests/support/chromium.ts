import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';

/** The same engine without a browser's window, profile and notifications. It starts a page at a third of the cost. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const WHOLE_BROWSERS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/chromium-browser',
];

const BROWSERS = [process.env.CHROMIUM_PATH, HEADLESS_SHELL, ...WHOLE_BROWSERS];

/**
 * A real Chromium, or undefined where there is none: then the tests of the page are skipped, loudly. In CI that is a
 * failure, because nobody reads what was skipped there.
 */
export async function launchChromium(): Promise<Browser | undefined> {
  const shared = process.env.CHROMIUM_ENDPOINT; // set by one-chromium.ts
  return shared === undefined ? launch(BROWSERS) : chromium.connect(shared);
}

/** One that can show notifications, too. */
export function launchWholeChromium(): Promise<Browser | undefined> {
  return launch(WHOLE_BROWSERS);
}

/** The same as `launchChromium`, to be connected to by several processes. */
export async function startChromium(): Promise<BrowserServer | undefined> {
  const path = chromiumPath(BROWSERS);
  return path === undefined ? undefined : chromium.launchServer({ executablePath: path, args: ARGUMENTS });
}

async function launch(places: readonly (string | undefined)[]): Promise<Browser | undefined> {
  const path = chromiumPath(places);
  if (path !== undefined) return chromium.launch({ executablePath: path, args: ARGUMENTS });
  const line = `No Chromium found (${places.filter((place) => place !== undefined).join(', ')}): the web page is NOT TESTED.`;
  if (process.env.CI === 'true') throw new Error(line);
  process.stderr.write(`\n!!! ${line}\n\n`);
  return undefined;
}

function chromiumPath(places: readonly (string | undefined)[]): string | undefined {
  const find = () => places.find((place) => place !== undefined && existsSync(place));
  return find() ?? (installChromium() ? find() : undefined);
}

/** Debian's packages, where we may install them. */
function installChromium(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  try {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'chromium-headless-shell'], {
      stdio: 'ignore',
      timeout: 300_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return true;
  } catch {
    return false;
  }
}

/** As root there is no sandbox, and nothing but the page shall use the network. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
