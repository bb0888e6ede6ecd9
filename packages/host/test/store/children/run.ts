import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** A program as plain JavaScript, at a place from which Node finds the packages. */
export function buildChild(program: URL): { readonly script: string; remove(): void } {
  const cache = join(import.meta.dirname, '../../../../../node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'moorage-store-'));
  const script = join(folder, 'child.mjs');
  buildSync({
    entryPoints: [fileURLToPath(program)],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@photostructure/sqlite'],
  });
  return { script, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a command and reads what it prints, line by line; fails with what it said when it fails. */
export async function linesOf(command: string, args: readonly string[]): Promise<string[]> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, complaints, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), exitOf(child)]);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${complaints}`);
  return output.split('\n').filter((line) => line !== '');
}

export function exitOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}
