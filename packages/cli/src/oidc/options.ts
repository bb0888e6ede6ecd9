import type { Command } from 'commander';
import { readNamedFile } from '../files.js';
import { collect, parseHours, pathValue } from '../option-values.js';
import { isLoopback } from '../serve/checked-options.js';
import { UsageError } from '../usage-error.js';
import { type AllowRule, parseRule } from './rules.js';

/** As `moorage serve` and `moorage gateway` take them. */
export interface OidcOptions {
  readonly oidc?: string;
  readonly oidcClientId?: string;
  readonly oidcClientSecretFile?: string;
  readonly oidcAllow?: readonly string[];
  readonly oidcGroups: string;
  readonly oidcScope: string;
  readonly oidcHours: number;
  readonly oidcName?: string;
}

/** Who signs people in, and whom to let in. */
export interface OidcSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly rules: readonly AllowRule[];
  readonly groupsClaim: string;
  readonly scope: string;
  /** Milliseconds for which somebody is signed in. */
  readonly sessionMs: number;
  /** What the button says. */
  readonly name: string;
}

export function withOidcOptions(command: Command): Command {
  return command
    .option('--oidc <issuer>', 'let people sign in with this OpenID Connect provider, such as https://login.example')
    .option('--oidc-client-id <id>', 'what the provider calls this host')
    .option(
      '--oidc-client-secret-file <file>',
      'file with the secret that the provider gave, if it gave one',
      pathValue,
    )
    .option(
      '--oidc-allow <rule>',
      'whom to let in: @example.com=view, ada@example.com=admin, group:devs=steer or sub:ID=review; repeatable',
      collect,
    )
    .option('--oidc-groups <claim>', 'the claim with the groups of somebody', 'groups')
    .option('--oidc-scope <scopes>', 'what to ask the provider for', 'openid email')
    .option('--oidc-hours <number>', 'how long somebody is signed in', parseHours, 12)
    .option('--oidc-name <name>', 'what the button calls the provider (default: its host name)');
}

/** Throws a UsageError for options that do not go together. Undefined without a provider. */
export function readOidc(options: OidcOptions): OidcSettings | undefined {
  const { oidc, oidcClientId: clientId, oidcClientSecretFile: secretFile, oidcAllow = [] } = options;
  if (oidc === undefined) {
    if (clientId === undefined && oidcAllow.length === 0) return undefined;
    throw new UsageError('--oidc-client-id and --oidc-allow need the address of the provider: --oidc https://...');
  }
  if (clientId === undefined) throw new UsageError('--oidc needs --oidc-client-id: what the provider calls this host');
  const rules = oidcAllow.map((text) => {
    const rule = parseRule(text);
    if (rule) return rule;
    throw new UsageError(
      `--oidc-allow ${text}: expected such as @example.com=view, ada@example.com=admin, group:devs=steer`,
    );
  });
  if (rules.length === 0)
    throw new UsageError('--oidc lets nobody in without --oidc-allow, such as --oidc-allow @example.com=view');
  const issuer = issuerOf(oidc);
  return {
    issuer,
    clientId,
    clientSecret: secretFile === undefined ? undefined : readNamedFile('secret', secretFile).trim(),
    rules,
    groupsClaim: options.oidcGroups,
    scope: options.oidcScope,
    sessionMs: options.oidcHours * 3_600_000,
    name: options.oidcName ?? issuer.host,
  };
}

function issuerOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:') return url;
  if (url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''))) return url;
  throw new UsageError(`--oidc ${text}: expected an address that begins with https:`);
}
