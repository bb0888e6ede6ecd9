import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiReport, reported, reportFile } from '../../scripts/api-report.mjs';

describe.each(Object.keys(reported))('the API report of %s', (name) => {
  const report = apiReport(name);

  it('is up to date: after a change that is meant, run npm run api', () => {
    expect(report).toBe(readFileSync(reportFile(name), 'utf8'));
  });
});

it('shows names with their signatures', () => {
  expect(apiReport('client')).toContain('export function connect(options: ConnectOptions): Promise<Client>;');
  expect(apiReport('host')).toContain(
    'export type Authorize = (person: Person, attempt: Attempt) => string | undefined;',
  );
});
