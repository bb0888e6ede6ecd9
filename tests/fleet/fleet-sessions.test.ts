import type { AgentInfo, SessionSummary } from '@moorage/protocol';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { FleetSessions } from '../../packages/fleet/src/gateway/fleet-sessions.js';

const A = { id: 'a', name: 'north' };
const B = { id: 'b', name: 'south' };
const summary = (resource: string, modifiedAt: string, more: object = {}) =>
  ({ resource, provider: 'demo', title: resource, modifiedAt, ...more }) as unknown as SessionSummary;
const agent = (provider: string) => ({ provider }) as AgentInfo;

let heard: unknown[] = [];
let fleet: FleetSessions;
beforeEach(() => {
  heard = [];
  fleet = new FleetSessions(() => ({
    setAgents: (agents) => heard.push(['agents', ...agents.map(({ provider }) => provider)]),
    setActiveSessions: () => {},
    sessionAdded: ({ resource }) => heard.push(['added', resource]),
    sessionChanged: (uri, changes) => heard.push(['changed', uri, changes]),
    sessionRemoved: (uri) => heard.push(['removed', uri]),
  }));
});
const heardOfSessions = () => heard.filter((one) => (one as string[])[0] !== 'agents');
const listed = () => fleet.all.map(({ text }) => (JSON.parse(text) as SessionSummary).resource);

it('lists the sessions of all hosts, newest first, each with its host', () => {
  fleet.set(A, [], [summary('s1', '2026-01-01'), summary('s3', '2026-01-03', { _meta: { kept: 1 } })]);
  fleet.set(B, [], [summary('s2', '2026-01-02')]);
  expect(listed()).toEqual(['s3', 's2', 's1']);
  expect(JSON.parse(fleet.all[0]?.text ?? '')._meta).toEqual({
    kept: 1,
    'moorage.host': { id: 'a', name: 'north', address: '/hosts/a/' },
  });
  expect([fleet.ownerOf('s2'), fleet.ownerOf('s9')]).toEqual(['b', undefined]);
});

it('announces only what is different, and null for what is gone', () => {
  const [first, second] = [summary('s1', '1', { activity: 'thinking' }), summary('s2', '1')];
  fleet.set(A, [], [first, second]);
  heard = [];
  fleet.set(A, [], [summary('s1', '2'), second]);
  expect(heard.slice(-1)).toEqual([['changed', 's1', { modifiedAt: '2', activity: null }]]);
  heard = [];
  fleet.set(A, [], [second]);
  expect(heardOfSessions()).toEqual([['removed', 's1']]);
});

it('shows what a host has as away when it goes, and what is different when it is back', () => {
  const away = (id: string, name: string) => ({
    _meta: { 'moorage.host': { id, name, address: `/hosts/${id}/`, isAway: true } },
  });
  fleet.set(A, [], [summary('s1', '1'), summary('s2', '1')]);
  heard = [];
  fleet.remove(A);
  fleet.remove(A);
  expect(heardOfSessions()).toEqual([
    ['changed', 's1', away('a', 'north')],
    ['changed', 's2', away('a', 'north')],
  ]);
  expect([listed(), fleet.has('s1')]).toEqual([[], false]);
  heard = [];
  fleet.set(A, [], [summary('s2', '1'), summary('s3', '1')]);
  const here = { _meta: { 'moorage.host': { id: 'a', name: 'north', address: '/hosts/a/' } } };
  expect(heardOfSessions()).toEqual([
    ['removed', 's1'],
    ['changed', 's2', here],
    ['added', 's3'],
  ]);
});

it('keeps its list in order, whatever changes', () => {
  const check = fc.property(fc.array(fc.tuple(fc.nat(1), fc.nat(6), fc.nat(4))), (steps) => {
    const sessions = new FleetSessions(() => ({
      setAgents: () => {},
      setActiveSessions: () => {},
      sessionAdded: () => {},
      sessionChanged: () => {},
      sessionRemoved: () => {},
    }));
    const lists = [new Map<string, SessionSummary>(), new Map<string, SessionSummary>()];
    for (const [host, number, time] of steps) {
      const uri = `s${host}${number}`;
      if (time === 0) lists[host]?.delete(uri);
      else lists[host]?.set(uri, summary(uri, `2026-01-0${time}`));
      sessions.set([A, B][host] as typeof A, [], [...(lists[host]?.values() ?? [])]);
      const expected = lists.flatMap((list) => [...list.values()]);
      expected.sort((a, b) => b.modifiedAt.localeCompare(a.modifiedAt) || a.resource.localeCompare(b.resource));
      expect(sessions.all.map(({ shown }) => shown.resource)).toEqual(expected.map(({ resource }) => resource));
    }
  });
  fc.assert(check);
});

it('shows an agent once, however many hosts have it', () => {
  fleet.set(A, [agent('demo')], []);
  fleet.set(B, [agent('demo'), agent('other')], []);
  fleet.remove(A);
  expect(heard).toEqual([
    ['agents', 'demo'],
    ['agents', 'demo', 'other'],
    ['agents', 'demo', 'other'],
  ]);
});

it('does not let a host take over a session that another one lists', () => {
  fleet.set(A, [], [summary('s1', '1')]);
  fleet.set(B, [], [summary('s1', '2', { title: 'forged' }), summary('s2', '1')]);
  expect(fleet.ownerOf('s1')).toBe('a');
  expect(listed()).toEqual(['s1', 's2']);
  fleet.remove(B);
  expect(listed()).toEqual(['s1']);
});

it('does not believe a host that says it is another one', () => {
  fleet.set(A, [], [summary('s1', '1', { _meta: { 'moorage.host': { id: 'b', address: 'https://evil.example/' } } })]);
  expect(JSON.parse(fleet.all[0]?.text ?? '')._meta['moorage.host'].address).toBe('/hosts/a/');
});
