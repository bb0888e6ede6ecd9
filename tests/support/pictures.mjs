// Makes the pictures of the documentation: `npm run build && npm run pictures`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect, randomId } from '@moorage/client';
import { sessionUri } from '@moorage/protocol';
import { chromium } from 'playwright-core';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const BIN = fileURLToPath(new URL('../../packages/cli/bin/moorage.js', import.meta.url));

const STATIONS = `export interface Station {
  readonly name: string;
  readonly temperature: number;
}

export async function read(place: string): Promise<Station[]> {
  const answer = await fetch(\`/stations?near=\${place}\`);
  return answer.json();
}
`;
const FORECAST = `import { read } from './stations.js';

/** The forecast for a place, from the stations around it. */
export async function forecast(place: string): Promise<number> {
  const stations = await read(place);
  let sum = 0;
  for (const station of stations) {
    sum += station.temperature;
  }
  return sum / stations.length;
}

export function describe(degrees: number): string {
  if (degrees < 0) return 'frost';
  if (degrees < 15) return 'cool';
  return degrees < 25 ? 'mild' : 'hot';
}
`;
const WEIGHED = FORECAST.replace(
  '  for (const station of stations) {\n    sum += station.temperature;\n',
  '  let weights = 0;\n  for (const { temperature, distance } of stations) {\n    const weight = 1 / (1 + distance);\n    sum += weight * temperature;\n    weights += weight;\n',
).replace('stations.length', 'weights');
const MEASURED = STATIONS.replace(
  '  readonly temperature: number;\n',
  '  readonly temperature: number;\n  /** Kilometres from the place. */\n  readonly distance: number;\n',
);
const lines = (text) => text.replaceAll('\n', '\\n');

const folder = mkdtempSync(join(tmpdir(), 'moorage-pictures-'));
const weather = join(folder, 'weather');
const write = (path, text) => {
  mkdirSync(dirname(join(weather, path)), { recursive: true });
  writeFileSync(join(weather, path), text);
};
const git = (...args) => execFileSync('git', args, { cwd: weather });
write('src/stations.ts', STATIONS);
write('src/forecast.ts', FORECAST);
write('package-lock.json', '{ "lockfileVersion": 3 }\n');
git('init', '--quiet', '--initial-branch=main');
git('add', '.');
git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '--quiet', '-m', 'first');

const host = spawn(
  process.execPath,
  [BIN, 'serve', '--port', '0', '--json', '--data-dir', join(folder, 'data'), '--root', weather],
  { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HOME: folder } },
);
const [line] = await once(createInterface({ input: host.stdout }), 'line');
const { url, token, web } = JSON.parse(line);
const client = await connect({ url, token });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await session('/title Sort the stations by distance\n/say Done.');
  const weigh = await session(
    [
      'Weigh the stations by their distance.',
      '/title Weigh stations by distance',
      '/auto on',
      `/write src/stations.ts ${lines(MEASURED)}`,
      `/write src/forecast.ts ${lines(WEIGHED)}`,
      '/write package-lock.json { "lockfileVersion": 4 }\\n',
      '/usage 18000 2210',
      '/say Two files and the lock file changed. A place without stations is still `NaN`, as before.',
    ].join('\n'),
  );
  await session('/title Read the old format\n/fail overloaded');
  await session('/title Which licence?\n/ask Which licence? | MIT | Apache', false);
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(web);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, new URLSearchParams({ session: weigh, pane: 'chat' }).toString());
  await page.getByRole('button', { name: 'Review changes' }).click();
  await page.locator('.file-head', { hasText: 'stations.ts' }).first().waitFor();
  await page.locator('.tree-row', { hasText: 'forecast.ts' }).click();
  await page.locator('.diff-line', { hasText: 'const weight' }).getByLabel('Line 9, after').dblclick();
  await page.getByLabel('Comment', { exact: true }).fill('Is `distance` ever **negative**? Then this divides by zero.');
  await page.keyboard.press('Control+Enter');
  await page.getByLabel('Reply').fill('It comes from the API, so check it where it is read.');
  await page.keyboard.press('Enter');
  await page.locator('.thread-entry').nth(1).waitFor();
  await page.locator('.tree-row', { hasText: 'package-lock.json' }).click();
  await page.locator('.file-head', { hasText: 'package-lock.json' }).getByRole('checkbox').first().click();
  await page.getByText('1 of 3 viewed').waitFor();
  await page.locator('.tree-row', { hasText: 'forecast.ts' }).click();
  await page.locator('.toast').first().waitFor({ state: 'detached' });
  await page.locator('.diff-line', { hasText: 'const weight' }).last().hover();
  await page.screenshot({ path: join(DOCS, 'web.png') });
  await page.getByRole('region', { name: 'Review' }).focus();
  await page.keyboard.press('f');
  await page.keyboard.press('d');
  await page.locator('.diff-pair').first().waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(DOCS, 'web-review.png') });
} finally {
  await browser.close();
  await client.close();
  host.kill();
  await once(host, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a session with a message, and waits for the end of its turn. */
async function session(text, isWaited = true) {
  const channel = sessionUri.format(randomId());
  const workingDirectories = [client.hostInfo.defaultDirectory];
  await client.request('createSession', { channel, provider: 'demo', workingDirectories });
  const { confirmed } = await client.session(channel);
  const chat = await client.chat(confirmed.defaultChat);
  const startedAt = new Date().toISOString();
  const message = { text, origin: { kind: 'user' } };
  await chat.dispatch({ type: 'chat/turnStarted', turnId: randomId(), message, startedAt });
  while (isWaited && chat.confirmed.turns.length === 0) await new Promise((resolve) => chat.subscribe(resolve));
  return channel;
}
