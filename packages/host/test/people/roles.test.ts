import { requests } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { clientActions } from '../../src/core/rules/index.js';
import { ROLE_FOR_ACTION, ROLE_FOR_REQUEST } from '../../src/services/people/roles.js';

describe('the roles', () => {
  it('are said for every action that a client may send', () => {
    expect(Object.keys(ROLE_FOR_ACTION).sort()).toEqual([...clientActions].sort());
  });

  it('are said for every request that a client may make', () => {
    expect(Object.keys(ROLE_FOR_REQUEST).sort()).toEqual(Object.keys(requests).sort());
  });
});
