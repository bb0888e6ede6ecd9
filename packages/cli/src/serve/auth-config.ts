/** What an agent of the configuration needs a token of clients for. */
export interface AuthConfig {
  readonly resource: string;
  readonly name?: string;
  readonly authorizationServers?: readonly string[];
  readonly scopes?: readonly string[];
  readonly documentation?: string;
  readonly required?: boolean;
}

/** What is wrong with the member "auth" of an agent: the path in it and what is expected there. */
export function authProblem(
  value: unknown,
  more: Readonly<Record<string, Check>> = {},
): { path: readonly string[]; expected: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { path: [], expected: 'an object with a member "resource"' };
  }
  const members = value as Record<string, unknown>;
  const checks = { ...CHECKS, ...more };
  const wrong = Object.entries(checks).find(([key, [isGood]]) => !isGood(members[key]));
  if (wrong) return { path: [wrong[0]], expected: wrong[1][1] };
  const unknown = Object.keys(members).find((key) => !Object.hasOwn(checks, key));
  if (unknown === undefined) return undefined;
  return { path: [unknown], expected: `one of the keys ${Object.keys(checks).join(', ')}` };
}

type Check = readonly [(value: unknown) => boolean, string];

const CHECKS: Readonly<Record<string, Check>> = {
  resource: [isUrl, 'the URL of what is protected, such as "https://models.example/"'],
  name: [optional(isText), 'a text'],
  authorizationServers: [optional(isUrlList), 'a list of URLs'],
  scopes: [optional(isTextList), 'a list of texts'],
  documentation: [optional(isUrl), 'a URL'],
  required: [optional((value) => typeof value === 'boolean'), 'true or false'],
};

/** An agent that is a program gets the token in a variable. */
export const TOKEN_ENV: Readonly<Record<string, Check>> = {
  tokenEnv: [
    (value) => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value),
    'the name of an environment variable, in which the agent gets the token',
  ],
};

function optional(isGood: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || isGood(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value);
}

function isUrlList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isUrl);
}
