import { describe, expect, it } from 'vitest';
import { entryFrom } from '../src/connection/host-list.js';

const PAGE = { origin: 'http://127.0.0.1:7433', protocol: 'http:' };
const from = (address: string, token = '', name = '', page = PAGE) => entryFrom({ address, token, name }, [], page);

describe('the address of a host', () => {
  it('is the link that it printed, or where it is with its token', () => {
    const entry = { id: 'https://build.example:7433', token: 'a-b_c', name: 'build.example:7433' };
    expect(from('https://build.example:7433/#token=a-b_c')).toEqual(entry);
    expect(from('wss://BUILD.example:7433', ' a-b_c ')).toEqual(entry);
    expect(from('127.0.0.1:7434', 'x', 'mine')).toEqual({ id: 'http://127.0.0.1:7434', token: 'x', name: 'mine' });
  });

  it('is refused with a sentence when it cannot be one', () => {
    for (const wrong of ['', ' ', 'javascript:alert(1)', 'file:///etc/passwd', 'http://', 'a b'])
      expect([wrong, from(wrong, 'x')]).toEqual([wrong, expect.any(String)]);
    expect(from('http://127.0.0.1:7433', 'x')).toContain('serves this page');
    expect(from('http://other:1')).toContain('token is missing');
    expect(from('http://other:1', 'a b')).toContain('not a token');
    const secure = { origin: 'https://page', protocol: 'https:' };
    expect(from('http://other:1', 'x', '', secure)).toContain('TLS');
    expect(from('other:1', 'x', '', secure)).toMatchObject({ id: 'https://other:1' });
  });
});
