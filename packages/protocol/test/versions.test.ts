import { describe, expect, it } from 'vitest';
import { PROTOCOL_VERSION, supportedVersions } from '../src/index.js';
import { negotiateVersion } from '../src/versions/index.js';

describe('negotiateVersion', () => {
  it('speaks 0.4.0', () => {
    expect(PROTOCOL_VERSION).toBe('0.4.0');
    expect(negotiateVersion(supportedVersions)).toBe('0.4.0');
  });

  it.each(['0.4.0', '0.4.1', '0.4.17'])('OQ-7 accepts %s and answers with that very text', (version) => {
    expect(negotiateVersion([version])).toBe(version);
  });

  it('OQ-6 takes the first that it speaks, in the order of the client', () => {
    expect(negotiateVersion(['0.6.0', '0.4.0', '0.4.3'])).toBe('0.4.0');
    expect(negotiateVersion(['0.5.0', '0.4.0'])).toBe('0.5.0');
    expect(negotiateVersion(['0.4.3', '0.4.0'])).toBe('0.4.3');
  });

  it.each([
    '',
    '0.4',
    '0.4.',
    '0.4.01',
    '0.4.0-beta',
    '0.4.0 ',
    'v0.4.0',
    '^0.4.0',
    '0.40.0',
    '0.6.0',
    '0.0.9',
    '0.04.0',
    '1',
    '0.4.0\n',
  ])('does not speak %j', (version) => {
    expect(negotiateVersion([version])).toBeUndefined();
  });

  it('has no answer to an empty offer', () => {
    expect(negotiateVersion([])).toBeUndefined();
  });
});
