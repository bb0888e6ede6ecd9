import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpHandler, type Log, PeopleError, type SignedIn } from '@moorage/host';
import { clearedJourney, journeyIn, keptJourney } from './journey-cookie.js';
import type { OidcSettings } from './options.js';
import { Provider, ProviderError } from './provider.js';
import { type Claims, nameOf, roleOf } from './rules.js';

export interface SignInOptions {
  readonly settings: OidcSettings;
  /** Other addresses of the page, such as that of a proxy in front. */
  readonly origins: readonly string[];
  readonly isSecure: boolean;
  readonly now: () => number;
  readonly log: Log;
  /** Lets somebody in, and gives the token for that. Throws a PeopleError for those who must stay out. */
  readonly admit: (somebody: SignedIn) => string | Promise<string>;
}

/** Journeys and questions under way, for whoever has not signed in yet. Others are told to come again. */
const MAX_AT_ONCE = 32;

/**
 * Signs people in with an OpenID Connect provider: browsers by its page, the command line by a code. Nothing is kept between two
 * requests, so that any gateway can answer the next one. Nobody is sent anywhere but to the provider and to our own page.
 */
export function signInWith(options: SignInOptions): HttpHandler {
  const { settings, isSecure, log } = options;
  const provider = new Provider(settings);
  let asked = 0;

  const begin = async (request: IncomingMessage, response: ServerResponse) => {
    const { url, journey } = await provider.begin(`${originOf(request, options)}${DONE}`);
    redirect(response, url.href, keptJourney(journey, isSecure));
  };

  const finish = async (request: IncomingMessage, response: ServerResponse) => {
    const journey = journeyIn(request, isSecure);
    if (!journey) throw new ProviderError('refused', 'this browser did not begin to sign in, or too long ago');
    const url = new URL(request.url ?? '', originOf(request, options));
    const { token } = await admitted(await provider.finish(url, journey));
    redirect(response, `/#token=${encodeURIComponent(token)}`, clearedJourney(isSecure));
  };

  const beginDevice = async (_request: IncomingMessage, response: ServerResponse) => {
    answerJson(response, 200, await provider.beginDevice());
  };

  const finishDevice = async (request: IncomingMessage, response: ServerResponse) => {
    const code = request.headers[DEVICE_HEADER];
    const claims =
      typeof code === 'string' && code.length <= MAX_CODE_CHARS ? await provider.finishDevice(code) : undefined;
    if (!claims) throw new ProviderError('refused', 'this code is none');
    if (typeof claims === 'string') answerJson(response, 202, { state: claims });
    else answerJson(response, 200, await admitted(claims));
  };

  const admitted = async (claims: Claims) => {
    const role = roleOf(claims, settings.rules, settings.groupsClaim);
    const name = nameOf(claims);
    if (!role) throw new ProviderError('refused', `${name} may not use this host: no rule of --oidc-allow says so`);
    const account = `${settings.issuer.href} ${claims.sub}`;
    const expiresAt = options.now() + settings.sessionMs;
    const token = await options.admit({ account, name, role, expiresAt });
    return { token, name, role, expiresAt };
  };

  const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>> = {
    'GET /sign-in': begin,
    [`GET ${DONE}`]: finish,
    'POST /sign-in/device': beginDevice,
    'POST /sign-in/device/done': finishDevice,
  };

  return async (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    if (request.method === 'GET' && path === '/sign-in/offer') {
      answerJson(response, 200, { name: settings.name });
      return true;
    }
    const route = routes[`${request.method} ${path}`];
    if (!route) return false;
    // A header of its own, which no page of another origin can send without being asked first.
    if (request.method === 'POST' && request.headers[DEVICE_HEADER] === undefined) return false;
    if (asked >= MAX_AT_ONCE) {
      answerText(response, 503, 'too many people sign in at this moment: try again');
      return true;
    }
    asked++;
    try {
      await route(request, response);
    } catch (error) {
      refuse(response, error, log);
    } finally {
      asked--;
    }
    return true;
  };
}

const DONE = '/sign-in/done';
const DEVICE_HEADER = 'x-moorage-device';
const MAX_CODE_CHARS = 1_024;

/** The address of the page, as the browser knows it. The listener has checked that it is one of ours. */
function originOf({ headers }: IncomingMessage, { origins, isSecure }: SignInOptions): string {
  const host = headers.host?.toLowerCase() ?? '';
  const listed = origins.find((origin) => URL.canParse(origin) && new URL(origin).host === host);
  return listed ? new URL(listed).origin : `${isSecure ? 'https' : 'http'}://${host}`;
}

function refuse(response: ServerResponse, error: unknown, log: Log): void {
  if (!(error instanceof ProviderError || error instanceof PeopleError)) throw error;
  const { cause, message } = error;
  const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
  if (error instanceof ProviderError && error.kind === 'unreachable') {
    log.write('error', 'login.unreachable', 'the provider that signs people in does not answer', { why });
    answerText(response, 503, UNREACHABLE);
    return;
  }
  log.write('warn', 'login.refused', 'somebody could not sign in with the provider', { error: message, why });
  answerText(response, 403, `Signing in failed: ${message}.`);
}

const UNREACHABLE =
  'Signing in failed: the provider does not answer. Try again later; whoever is signed in already is not affected.';

const PLAIN = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

function redirect(response: ServerResponse, location: string, cookie: string): void {
  response.writeHead(302, { ...PLAIN, location, 'set-cookie': cookie, 'content-length': 0 });
  response.end();
}

function answerText(response: ServerResponse, status: number, line: string): void {
  end(response, status, 'text/plain; charset=utf-8', `${line}\n`);
}

function answerJson(response: ServerResponse, status: number, value: object): void {
  end(response, status, 'application/json', JSON.stringify(value));
}

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...PLAIN, 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
