import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiReference, apiReport, referenceFile, reported, reportFile } from '../../scripts/api-report.mjs';

describe.each(Object.keys(reported))('the API report of %s', (name) => {
  const report = apiReport(name);

  it('is up to date: after a change that is meant, run npm run api', () => {
    expect(report).toBe(readFileSync(reportFile(name), 'utf8'));
  });

  it('has a reference in docs/api that is up to date as well', () => {
    expect(apiReference(name)).toBe(readFileSync(referenceFile(name), 'utf8'));
  });
});

it('shows names with their signatures', () => {
  expect(apiReport('client')).toContain('export function connect(options: ConnectOptions): Promise<Client>;');
  expect(apiReport('host')).toContain(
    'export type Authorize = (person: Person, attempt: Attempt) => string | undefined;',
  );
});

it('the reference has what the comments say, and how stable each entry is', () => {
  const reference = apiReference('host');
  expect(reference).toMatch(/## @moorage\/host\/testing\n\nStability: \*\*experimental\*\*/);
  expect(reference).toMatch(
    /### Authorize\n\nDecides whether a person may do something[\s\S]*?```ts\nexport type Authorize = /,
  );
});
