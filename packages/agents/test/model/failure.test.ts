import { APICallError } from 'ai';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../src/model/endpoint/failure.js';

const ENDPOINT = { api: 'openai', baseURL: 'http://127.0.0.1:1/v1', apiKey: 'sk-secret', apiKeyEnv: 'MY_KEY' } as const;

function answered(statusCode: number, responseBody: string, responseHeaders: Record<string, string> = {}) {
  const url = 'http://127.0.0.1:1/v1/chat/completions';
  return new APICallError({ message: 'x', url, requestBodyValues: {}, statusCode, responseBody, responseHeaders });
}

describe('a failure of the endpoint', () => {
  it.each([
    [
      400,
      '{"error":{"message":"no such field"}}',
      'modelRejected',
      false,
      /rejected the request \(400\).*no such field/,
    ],
    [400, '{"error":{"message":"maximum context length is 8192 tokens"}}', 'contextOverflow', false, /too long/],
    [
      401,
      '{"error":"bad key sk-secret"}',
      'modelUnauthorized',
      false,
      /Correct the environment variable MY_KEY.*\[key\]/,
    ],
    [403, '', 'modelUnauthorized', false, /MY_KEY/],
    [404, 'not here', 'modelNotFound', false, /not here/],
    [413, '', 'contextOverflow', false, /too long/],
    [429, '{}', 'modelRateLimited', true, /limits how many requests/],
    [500, '<html>oops</html>', 'modelUnavailable', true, /oops/],
    [503, '', 'modelUnavailable', true, /503/],
  ])('with %i and %s is told as what it is', (status, body, errorType, isPassing, words) => {
    const failure = failureOf(answered(status, body), ENDPOINT);
    expect(failure).toMatchObject({ errorType, isPassing });
    expect(failure.message).toMatch(words);
    expect(failure.message).not.toContain('sk-secret');
  });

  it.each([
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after-ms': '15', 'retry-after': '2' }, 15],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('that asks for time as %o is given it', (headers, retryAfter) => {
    expect(failureOf(answered(429, '', headers), ENDPOINT).retryAfter).toEqual(retryAfter);
  });

  it('names the variable that is not set', () => {
    const failure = failureOf(answered(401, ''), { ...ENDPOINT, apiKey: undefined });
    expect(failure.message).toContain('It is not set: set the environment variable MY_KEY');
  });

  it('does not show pages of what it said', () => {
    expect(failureOf(answered(500, 'x'.repeat(100_000)), ENDPOINT).message.length).toBeLessThan(500);
  });

  it.each([
    [
      new TypeError('terminated', { cause: Object.assign(new Error(), { code: 'UND_ERR_SOCKET' }) }),
      'modelUnreachable',
      true,
    ],
    [
      new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) }),
      'modelUnreachable',
      true,
    ],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'modelFailed', true],
    [{ message: 'strange' }, 'modelFailed', false],
    ['just text', 'modelFailed', false],
    [null, 'modelFailed', false],
  ])('in the middle of an answer is told, too (%o)', (error, errorType, isPassing) => {
    expect(failureOf(error, ENDPOINT)).toMatchObject({ errorType, isPassing });
  });
});
