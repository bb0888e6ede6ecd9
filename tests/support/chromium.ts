import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/chromium-browser',
];

/**
 * A real Chromium, or undefined where there is none: then the tests of the page are skipped, loudly. In CI that is a
 * failure, because nobody reads what was skipped there.
 */
export async function launchChromium(): Promise<Browser | undefined> {
  const shared = process.env.CHROMIUM_ENDPOINT; // set by one-chromium.ts
  if (shared !== undefined) return chromium.connect(shared);
  const path = chromiumPath();
  if (path !== undefined) return chromium.launch({ executablePath: path, args: ARGUMENTS });
  const line = 'No Chromium found (CHROMIUM_PATH, /usr/bin/chromium, google-chrome): the web page is NOT TESTED.';
  if (process.env.CI === 'true') throw new Error(line);
  process.stderr.write(`\n!!! ${line}\n\n`);
  return undefined;
}

/** The same, to be connected to by several processes. */
export async function startChromium(): Promise<BrowserServer | undefined> {
  const path = chromiumPath();
  return path === undefined ? undefined : chromium.launchServer({ executablePath: path, args: ARGUMENTS });
}

function chromiumPath(): string | undefined {
  return findChromium() ?? (installChromium() ? findChromium() : undefined);
}

function findChromium(): string | undefined {
  return PLACES.find((place) => place !== undefined && existsSync(place));
}

/** Debian's package, where we may install it. */
function installChromium(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  try {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], {
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
