import { describe, expect, it } from 'vitest';
import { PROTOCOL_VERSION } from '../src/index.js';
import { dialectOf, negotiate, negotiateVersion, supportedRanges, supportedVersions } from '../src/versions/index.js';

function agreed(...protocolVersions: unknown[]): unknown {
  const outcome = negotiate({ protocolVersions });
  return typeof outcome === 'object' && 'dialect' in outcome ? outcome.protocolVersion : outcome;
}

describe('negotiation', () => {
  it('speaks 1.0.0 natively, and every version that it names', () => {
    expect(PROTOCOL_VERSION).toBe('1.0.0');
    expect(negotiateVersion(supportedVersions)).toBe('1.0.0');
    expect(dialectOf('1.0.0')?.down).toBeUndefined();
    for (const version of supportedVersions) expect(agreed(version)).toBe(version);
  });

  it('takes the highest of 1.x and 0.9 in any order, and answers with that very text', () => {
    expect(agreed('0.9.0', '1.0.0')).toBe('1.0.0');
    expect(agreed('1.4.0')).toBe('1.4.0');
    expect(agreed('1.0.0', '1.10.0', '1.9.2', '0.9.7')).toBe('1.10.0');
    expect(agreed('0.4.0', '0.9.0', '0.9.12')).toBe('0.9.12');
  });

  it('V-40 answers VS Code of autumn with 0.9.0', () => {
    expect(agreed('0.9.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1')).toBe('0.9.0');
  });

  it('V-53 does not take the development number of August for the release', () => {
    expect(agreed('1.0.0', '0.8.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1')).toBe('0.7.0');
    expect(agreed('1.0.0', '0.9.0', '0.8.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1')).toBe('0.9.0');
    expect(agreed('0.8.0', '0.7.0', '0.6.0')).toBe('0.7.0');
    expect(agreed('1.0.0', '0.8.0')).toBe('nothing in common');
    expect(agreed('1.1.0', '1.0.0', '0.8.0')).toBe('1.1.0');
  });

  it('OQ-6 takes the first of the older versions that it speaks, in the order of the client', () => {
    expect(agreed('0.8.0', '0.4.0', '0.7.0')).toBe('0.4.0');
    expect(agreed('0.5.0', '0.4.0')).toBe('0.5.0');
    expect(agreed('0.4.3', '0.4.0')).toBe('0.4.3');
  });

  it.each(['0.4.0', '0.4.1', '0.4.17', '0.7.3', '0.5.9'])(
    'OQ-7 accepts %s and answers with that very text',
    (version) => {
      expect(agreed(version)).toBe(version);
    },
  );

  it.each([
    ['1.0.0', '1.0'],
    ['1.37.2', '1.0'],
    ['0.9.4', '0.9'],
    ['0.7.0', '0.7'],
    ['0.6.1', '0.6'],
    ['0.5.0', '0.5.0'],
    ['0.5.1', '0.5.1'],
    ['0.5.2', '0.5.2'],
    ['0.5.3', '0.5.2'],
    ['0.4.2', '0.4'],
    ['0.1.0', '0.1'],
    [1, 'v1'],
  ])('%s is served as %s', (version, name) => {
    expect(dialectOf(version)?.name).toBe(name);
  });

  it.each(['0.8.0', '0.10.0', '0.40.0', '0.0.9', '2.0.0', '10.0.0'])('does not speak %s', (version) => {
    expect(agreed(version)).toBe('nothing in common');
    expect(dialectOf(version)).toBeUndefined();
  });

  it.each([
    '',
    '0.4',
    '0.4.',
    '0.4.01',
    '0.4.0-beta',
    '1.0.0+1',
    '0.4.0 ',
    'v0.4.0',
    '^0.4.0',
    '0.04.0',
    '1',
    '0.4.0\n',
    1,
    null,
  ])('an offer with %j is an error, whatever else is offered', (version) => {
    expect(negotiate({ protocolVersions: ['1.0.0', version] })).toEqual({ malformed: version });
  });

  it('takes one version for a list of one, and any whole number from 1 for version 1', () => {
    expect(negotiate({ protocolVersion: '0.2.0' })).toMatchObject({ protocolVersion: '0.2.0' });
    expect(negotiate({ protocolVersion: 'latest' })).toEqual({ malformed: 'latest' });
    expect(negotiate({ protocolVersion: 3 })).toMatchObject({ protocolVersion: 1, dialect: { name: 'v1' } });
    expect(negotiate({ protocolVersion: 0 })).toBe('nothing in common');
  });

  it('has no answer to an empty offer, or to none', () => {
    expect(agreed()).toBe('nothing in common');
    expect(negotiate({})).toBe('no offer');
    expect(negotiate([])).toBe('no offer');
  });

  it('names what it speaks as ranges', () => {
    expect(supportedRanges).toEqual([
      '^1.0.0',
      '~0.9.0',
      '~0.7.0',
      '~0.6.0',
      '~0.5.0',
      '~0.4.0',
      '~0.3.0',
      '~0.2.0',
      '~0.1.0',
    ]);
  });
});
