// The web page in a real Chromium: frames while a review of many files scrolls, against a plain list of the same height.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { median } from './lib/fit.mjs';
import { framesWhileScrolling, makeList } from './web/in-page.mjs';

const PLACES = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'];

export function cases({ smoke }) {
  const executablePath = PLACES.find((place) => place && existsSync(place));
  if (!executablePath) {
    process.stderr.write('web.bench.mjs: no Chromium here, so that nothing is measured\n');
    return [];
  }
  const files = smoke ? 200 : 10_000;
  return [
    {
      name: `scroll a review of ${files.toLocaleString('en')} files, 95th percentile of frames`,
      atMost: 1.5,
      work: 1,
      run: () => inPage(executablePath, files, smoke, 0.95),
    },
    {
      name: `scroll a review of ${files.toLocaleString('en')} files, median frame`,
      atMost: 1.1,
      work: 1,
      run: () => inPage(executablePath, files, smoke, 0.5),
    },
  ];
}

async function inPage(executablePath, files, smoke, percentile) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-web-'));
  const host = await startHost(folder, files);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const review = await openReview(browser, host.link, files);
    const height = await review.locator('.diff-scroll').evaluate((box) => box.scrollHeight);
    const plain = await browser.newPage({ viewport: VIEWPORT });
    await plain.setContent('<!doctype html><div id="box" style="height:700px;overflow:auto"></div>');
    await plain.evaluate(makeList, { height, rows: files });
    const baseline = [];
    const ours = [];
    const frames = smoke ? 20 : 240;
    for (let round = 0; round < (smoke ? 1 : 5); round++) {
      baseline.push(await scroll(plain, '#box', frames, percentile));
      ours.push(await scroll(review, '.diff-scroll', frames, percentile));
    }
    return { baselineMs: median(baseline), oursMs: median(ours) };
  } finally {
    await browser.close();
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const VIEWPORT = { width: 1280, height: 800 };
/** Pixels per frame: as fast as somebody spins a wheel to get through it all. */
const STEP_PX = 240;
const PATIENCE_MS = 240_000;

async function scroll(page, box, frames, percentile) {
  await page.bringToFront();
  const times = await page.evaluate(framesWhileScrolling, { box, frames, step: STEP_PX });
  return times.sort((a, b) => a - b)[Math.floor(times.length * percentile)];
}

async function openReview(browser, link, files) {
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(link);
  await page.getByRole('button', { name: 'New session' }).first().click();
  await page.getByLabel('First message').fill('/say ready');
  await page.getByRole('button', { name: 'Start session' }).click();
  await page.getByRole('button', { name: /^Changes/ }).click();
  const picker = page.getByLabel('Changes shown');
  await picker.selectOption(await picker.locator('option', { hasText: 'Uncommitted' }).getAttribute('value'));
  await page.locator('.review-total', { hasText: `of ${files.toLocaleString('en')}` }).waitFor();
  await page.locator('.diff-line').first().waitFor();
  return page;
}

async function startHost(folder, files) {
  const root = join(folder, 'repository');
  mkdirSync(join(root, 'many'), { recursive: true });
  const git = (...args) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' });
  git('init', '--quiet');
  for (let index = 0; index < files; index++) {
    const lines = Array.from({ length: 10 }, (_, line) => `const value${line} = ${index + line}; // of ${index}\n`);
    writeFileSync(join(root, 'many', `${String(index).padStart(5, '0')}.ts`), lines.join(''));
  }
  const bin = join(import.meta.dirname, '../packages/cli/bin/moorage.js');
  const args = ['serve', '--json', '--port', '0', '--data-dir', join(folder, 'data'), '--root', root];
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const line = await new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const stop = () => {
    child.kill();
    return ended;
  };
  return { link: JSON.parse(line).web, stop };
}
