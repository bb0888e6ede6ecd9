import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { configFile } from '../../config-file.js';
import { expandHome } from '../../files.js';
import { qrCode } from '../../pairing-text.js';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
import { changeClientConfig, readClientConfig } from '../host/config.js';
import { namedHost } from '../host/find.js';
import { keepToken } from '../host/named.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';

interface LoginOptions extends CommonOptions {
  readonly name?: string;
  readonly default?: boolean;
}

interface Started {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete?: string;
  readonly expiresIn: number;
  readonly interval: number;
}

interface Admitted {
  readonly token: string;
  readonly name: string;
  readonly role: string;
  readonly expiresAt: number;
}

/** Signs in by a code that the person enters at the provider, on any device, and keeps the token. */
export async function login(host: string | undefined, options: LoginOptions): Promise<void> {
  const { name, url, tokenFile } = targetOf(host ?? namedHost(options), options.name);
  const page = new URL('/', url.replace(/^ws/i, 'http'));
  const started = (await ask(page, 'sign-in/device', 'new')) as Started;
  const { userCode, verificationUri, verificationUriComplete } = started;
  note(`Open ${plainLine(verificationUri)} on any device, and enter the code ${plainLine(userCode)}`);
  if (process.stderr.isTTY && verificationUriComplete !== undefined) note(await qrCode(verificationUriComplete));
  const { token, ...who } = await agreed(page, started);
  keepToken(tokenFile, token);
  changeClientConfig(['hosts', name], { url, tokenFile });
  if (options.default) changeClientConfig(['default'], name);
  if (options.json) return printLine(jsonLine({ host: name, ...who }));
  const until = `${new Date(who.expiresAt).toISOString().slice(0, 16)}Z`;
  printLine(`signed in to ${name} as ${plainLine(who.name)} with the role ${plainLine(who.role)}, until ${until}`);
}

/** Asks again and again, as often as the provider wants to be asked. */
async function agreed(page: URL, { deviceCode, expiresIn, interval }: Started): Promise<Admitted> {
  const until = Date.now() + expiresIn * 1_000;
  let pause = Math.max(1, interval);
  while (Date.now() < until) {
    await wait(pause * 1_000);
    const answer = (await ask(page, 'sign-in/device/done', deviceCode)) as Admitted | { readonly state: string };
    if (!('state' in answer)) return answer;
    if (answer.state === 'slower') pause += 5;
  }
  throw new CommandError('nobody has entered the code in time: run moorage login again');
}

async function ask(page: URL, path: string, code: string): Promise<unknown> {
  const headers = { 'X-Moorage-Device': code };
  const answer = await fetch(new URL(path, page), { method: 'POST', headers, redirect: 'error' }).catch(() => {
    throw new CommandError(`${page.origin} does not answer`);
  });
  if (answer.ok) return answer.json();
  if (answer.status === 405 || answer.status === 404)
    throw new CommandError(`${page.origin} offers no sign-in: it was started without --oidc`);
  throw new CommandError(plainLine((await answer.text()).trim().slice(0, MAX_CHARS)));
}

const MAX_CHARS = 500;

function targetOf(host: string | undefined, wanted: string | undefined) {
  if (host === undefined) throw new UsageError('say which host: moorage login https://work.example:7433');
  const isUrl = /^(wss?|https?):/i.test(host);
  const known = isUrl ? undefined : readClientConfig().hosts[host];
  if (!isUrl && !known)
    throw new UsageError(`there is no host named "${host}": give its address, such as https://${host}:7433`);
  const url = known?.url ?? host.replace(/#.*$/s, '');
  const name = wanted ?? (isUrl ? new URL(url).hostname : host);
  if (!/^[\w.-]+$/.test(name)) throw new UsageError(`"${name}" cannot be a name: use letters, digits and any of . _ -`);
  const kept = known?.tokenFile;
  return { name, url, tokenFile: kept === undefined ? join(dirname(configFile()), `${name}.token`) : expandHome(kept) };
}
