import type { ErrorInfo } from '@moorage/protocol';
import { MAX_DETAIL_CHARS } from '../limits.js';
import type { ModelEndpoint } from '../options.js';
import { NoConnection, type Refused } from './http-request.js';
import { hasWords } from './offered-models.js';

/** Why the model did not answer, in words for the user. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly errorType: string;
  /** Whether the same request may succeed later. */
  readonly isPassing: boolean;
  /** Milliseconds after which the endpoint wants to be asked again. */
  readonly retryAfter: number | undefined;

  constructor(errorType: string, message: string, { isPassing = false, retryAfter, cause }: FailureDetails = {}) {
    super(message, { cause });
    this.errorType = errorType;
    this.isPassing = isPassing;
    this.retryAfter = retryAfter;
  }

  get info(): ErrorInfo {
    return { errorType: this.errorType, message: this.message };
  }
}

interface FailureDetails {
  readonly isPassing?: boolean;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** The SDK's errors are like ours (`APICallError`), so they are known by what they have: the SDK need not be loaded for that. */
type Refusal = Error & Pick<Refused, 'statusCode'> & Partial<Pick<Refused, 'responseHeaders' | 'responseBody'>>;

/** Explains any error of the SDK, the network or the endpoint. The endpoint's own words are cut short, and secrets removed. */
export function failureOf(error: unknown, endpoint: ModelEndpoint): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (isRefusal(error) && error.statusCode >= 300) return ofStatus(error, endpoint);
  const detail = detailOf(error, endpoint);
  const code = systemCode(error);
  if (code === undefined && !isNetworkError(error)) {
    const message = `The model endpoint broke off with an error: ${detail || 'it does not say which'}.`;
    return new ModelFailure('modelFailed', message, { isPassing: isOverload(error), cause: error });
  }
  const what = code === undefined ? '' : ` (${code})`;
  const message = `The connection to the model endpoint at ${originOf(endpoint)} failed${what}. Check that it is running.`;
  return new ModelFailure('modelUnreachable', message, { isPassing: true, cause: error });
}

function ofStatus(error: Refusal, endpoint: ModelEndpoint): ModelFailure {
  const { statusCode: status } = error;
  const said = detailOf(error, endpoint);
  const detail = said === '' ? '' : ` It says: ${said}`;
  const fail = (errorType: string, message: string, details: FailureDetails = {}) =>
    new ModelFailure(errorType, `${message}${detail}`, { ...details, cause: error });
  if (status === 401 || status === 403) {
    if (endpoint.token !== undefined) {
      return fail(
        'authRequired',
        `The model endpoint refused the token (${status}). Authenticate, then send it again.`,
      );
    }
    return fail('modelUnauthorized', `The model endpoint refused the credentials (${status}). ${keyAdvice(endpoint)}`);
  }
  if (status === 404) {
    const there = endpoint.listed ? ` ${hasWords(endpoint.listed)}` : '';
    const message = `The model endpoint does not know this model or address (404). Check the settings.${there}`;
    return fail('modelNotFound', message);
  }
  if (status < 400) {
    const message = `The model endpoint redirects us (${status}), but the key is sent nowhere else. Correct its baseURL.`;
    return fail('modelRedirected', message);
  }
  const retryAfter = retryAfterOf(error.responseHeaders);
  if (status === 429) {
    const message = 'The model endpoint limits how many requests it takes (429).';
    return fail('modelRateLimited', message, { isPassing: true, retryAfter });
  }
  if (isAboutTools(said)) return fail('noTools', `The model endpoint takes no tools for this model (${status}).`);
  if (status === 413 || isOverlong(said)) {
    return fail('contextOverflow', `The conversation is too long for the model (${status}).`);
  }
  if (status === 408 || status === 409 || status >= 500) {
    return fail('modelUnavailable', `The model endpoint has an internal problem (${status}).`, {
      isPassing: true,
      retryAfter,
    });
  }
  return fail('modelRejected', `The model endpoint rejected the request (${status}).`);
}

function keyAdvice({ apiKey, apiKeyEnv }: ModelEndpoint): string {
  if (apiKeyEnv === undefined)
    return 'Name the environment variable that holds its key as "apiKeyEnv" in the settings.';
  const verb = apiKey === undefined ? 'It is not set: set' : 'Correct';
  return `${verb} the environment variable ${apiKeyEnv} and start the host again.`;
}

/** There is no common code for this, so we look for the words that endpoints use. */
function isOverlong(text: string): boolean {
  return /context.{0,20}(length|window|size)|too (long|many tokens)|maximum.{0,30}tokens/i.test(text);
}

/** Ollama, vLLM, llama.cpp and OpenRouter, in their own words. */
function isAboutTools(text: string): boolean {
  return /not support (tool|function)|tool.{0,40}not supported|enable-auto-tool-choice|requires? --jinja|support tool use/i.test(
    text,
  );
}

function isOverload(error: unknown): boolean {
  return /overloaded|unavailable|try again|server_error|rate_limit/i.test(wordsOf(error));
}

function retryAfterOf(headers: Refusal['responseHeaders']): number | undefined {
  const milliseconds = Number(headers?.['retry-after-ms']);
  if (headers?.['retry-after-ms'] !== undefined && milliseconds >= 0) return milliseconds;
  const text = headers?.['retry-after'];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const until = Date.parse(text) - Date.now();
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}

function detailOf(error: unknown, { apiKey, token }: ModelEndpoint): string {
  const words = wordsOf(error).replaceAll(/\s+/g, ' ').trim();
  const withoutKey = apiKey ? words.replaceAll(apiKey, '[key]') : words;
  const safe = token ? withoutKey.replaceAll(token, '[token]') : withoutKey;
  return safe.length > MAX_DETAIL_CHARS ? `${safe.slice(0, MAX_DETAIL_CHARS)}…` : safe;
}

function wordsOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (isRefusal(error)) return bodyWords(error.responseBody) ?? error.message;
  if (typeof error !== 'object' || error === null) return '';
  if ('error' in error) return wordsOf(error.error);
  return 'message' in error && typeof error.message === 'string' ? error.message : '';
}

function bodyWords(body: string | undefined): string | undefined {
  if (body === undefined || body === '') return undefined;
  try {
    return wordsOf(JSON.parse(body)) || body;
  } catch {
    return body;
  }
}

function systemCode(error: unknown): string | undefined {
  // Of a connection any code is one, such as those of certificates; endpoints have codes of their own.
  const codes = error instanceof NoConnection ? /^[A-Z][A-Z0-9_]+$/ : /^(E[A-Z]+|UND_ERR\w*)$/;
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    if ('code' in at && typeof at.code === 'string' && codes.test(at.code)) return at.code;
    at = 'cause' in at ? at.cause : undefined;
  }
  return undefined;
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
}

/** Without a status, the SDK's error says that there was no answer. */
function isNetworkError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof NoConnection) return true;
  return error instanceof Error && error.name === 'AI_APICallError' && !isRefusal(error);
}

function originOf({ baseURL }: ModelEndpoint): string {
  return URL.canParse(baseURL) ? new URL(baseURL).origin : baseURL;
}
