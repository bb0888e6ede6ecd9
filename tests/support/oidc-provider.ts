import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export const CLIENT_ID = 'moorage';

export interface TestAccount {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

/** A real OpenID Connect provider on this machine, with a form in which whoever enters a name of `accounts` is logged in. */
export class OidcProvider {
  readonly accounts: Record<string, TestAccount> = {
    ada: { email: 'ada@example.com', email_verified: true, groups: ['devs'] },
    bob: { email: 'Bob@example.com', email_verified: true },
    eve: { email: 'eve@elsewhere.example', email_verified: true },
    mallory: { email: 'ada@example.com', email_verified: false },
  };
  /** Changes what its tokens say. They are signed again with its key, unless the header has `alg: none` or `isForged`. */
  tamper: ((token: { header: Record<string, unknown>; payload: Record<string, unknown> }) => void) | undefined;
  issuer = '';
  readonly #key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  #server: Server | undefined;
  #port = 0;

  /** `redirectUris` are those of the hosts that it knows. */
  async start(redirectUris: readonly string[]): Promise<void> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.issuer = `http://127.0.0.1:${this.#port}`;
    const configuration: Configuration = {
      clients: [
        {
          client_id: CLIENT_ID,
          token_endpoint_auth_method: 'none',
          redirect_uris: [...redirectUris],
          grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
          response_types: ['code'],
        },
      ],
      jwks: { keys: [{ ...this.#key, kid: 'test', alg: 'RS256', use: 'sig' }] as never },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
      scopes: ['openid', 'email', 'groups'],
      cookies: { keys: ['test'] },
      features: { deviceFlow: { enabled: true }, devInteractions: { enabled: true } },
      findAccount: (_context, sub) => {
        const account = this.accounts[sub];
        return account && { accountId: sub, claims: () => ({ sub, ...account }) as { sub: string } };
      },
    };
    const provider = new Provider(this.issuer, configuration);
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (this.tamper && context.path === '/token' && body?.id_token) body.id_token = this.#changed(body.id_token);
    });
    server.on('request', provider.callback());
  }

  async stop(): Promise<void> {
    const server = this.#server;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  }

  #changed(token: string): string {
    const [header, payload] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    const parts = { header: JSON.parse(header ?? ''), payload: JSON.parse(payload ?? '') };
    this.tamper?.(parts);
    const text = [parts.header, parts.payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    if (parts.header.alg === 'none') return `${text.join('.')}.`;
    const key = parts.header.isForged
      ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
      : createPrivateKey({ key: this.#key, format: 'jwk' });
    return [...text, sign('RSA-SHA256', Buffer.from(text.join('.')), key).toString('base64url')].join('.');
  }
}

/** A browser without scripts: it follows redirects, keeps cookies, and fills in the forms of the provider. */
export class FormBrowser {
  readonly cookies = new Map<string, string>();
  /** Every address that it was at. */
  readonly visited: string[] = [];

  async go(address: string, form?: Record<string, string>): Promise<{ url: URL; status: number; text: string }> {
    const url = new URL(address);
    this.visited.push(url.href);
    const cookie = [...this.cookies].filter(([name]) => name.startsWith(`${url.port} `));
    const response = await fetch(url, {
      redirect: 'manual',
      // Servers come and go in these tests, at the same ports.
      headers: {
        connection: 'close',
        cookie: cookie.map(([name, value]) => `${name.split(' ')[1]}=${value}`).join('; '),
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(set)) this.cookies.delete(`${url.port} ${name}`);
      else this.cookies.set(`${url.port} ${name}`, value);
    }
    const next = response.headers.get('location');
    const text = await response.text();
    return { url: next === null ? url : new URL(next, url), status: response.status, text };
  }

  /** Goes on until something is shown, or until an address that `stop` knows is next. */
  async follow(address: string, stop: (url: URL) => boolean = () => false, form?: Record<string, string>) {
    let at = await this.go(address, form);
    while (at.status >= 300 && at.status < 400 && !stop(at.url)) at = await this.go(at.url.href);
    return at;
  }

  /** Logs in at the provider, agrees, and stops before the address that `stop` knows. */
  async logIn(address: string, login: string, stop: (url: URL) => boolean) {
    let at = await this.follow(address, stop);
    for (const form of [{ prompt: 'login', login, password: 'any' }, { prompt: 'consent' }]) {
      if (stop(at.url)) return at;
      const action = /<form[^>]*action="([^"]+)"/.exec(at.text)?.[1] ?? '';
      at = await this.follow(new URL(action, at.url).href, stop, form);
    }
    return at;
  }
}

/** Enters at the provider what `moorage login` says, as that person. */
export async function agree(said: string, login: string): Promise<string> {
  const [, address = '', code = ''] = /Open (\S+) on any device, and enter the code (\S+)/.exec(said) ?? [];
  const browser = new FormBrowser();
  const never = () => false;
  const entered = await browser.follow(address);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(entered.text)?.[1] ?? '';
  const action = /action="([^"]+)"/.exec(entered.text)?.[1] ?? address;
  let at = await browser.follow(new URL(action, address).href, never, { xsrf, user_code: code.replace(/-/g, '') });
  const again = /name="xsrf" value="([^"]+)"/.exec(at.text)?.[1] ?? '';
  at = await browser.follow(new URL(action, address).href, never, { xsrf: again, user_code: code, confirm: 'yes' });
  for (const form of [{ prompt: 'login', login, password: 'any' }, { prompt: 'consent' }]) {
    const next = /<form[^>]*action="([^"]+)"/.exec(at.text)?.[1] ?? '';
    at = await browser.follow(new URL(next, at.url).href, never, form);
  }
  return at.text;
}
