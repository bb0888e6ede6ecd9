import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../src/transport/address.js';

describe('parseAddress', () => {
  it.each([
    ['ws://127.0.0.1:7433/', 'ws://127.0.0.1:7433/'],
    ['wss://host.example/ahp?tkn=x', 'wss://host.example/ahp?tkn=x'],
    ['http://127.0.0.1:7433/#token', 'ws://127.0.0.1:7433/'],
    ['https://host.example', 'wss://host.example/'],
  ])('%s', (url, expected) => {
    expect(parseAddress(url)).toEqual({ kind: 'websocket', url: expected });
  });

  it.each([
    ['unix:/run/moorage.sock', '/run/moorage.sock'],
    ['unix:///run/moorage.sock', '/run/moorage.sock'],
    ['unix:relative.sock', 'relative.sock'],
  ])('%s', (url, path) => {
    expect(parseAddress(url)).toEqual({ kind: 'unix', path });
  });

  it('takes a relative URL from a base', () => {
    expect(parseAddress('/ahp', 'https://host.example/page')).toEqual({
      kind: 'websocket',
      url: 'wss://host.example/ahp',
    });
  });

  it.each(['nonsense', 'ftp://host'])('refuses %s', (url) => {
    expect(() => parseAddress(url)).toThrow(expect.objectContaining({ name: 'ConnectError', kind: 'unreachable' }));
  });
});
