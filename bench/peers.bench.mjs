import { codex } from './peers/codex.mjs';
import { installPeers } from './peers/install.mjs';
import { opencode } from './peers/opencode.mjs';
import { ours } from './peers/ours.mjs';
import { hosted, laboratory, ROWS } from './peers/rows.mjs';

/**
 * Our host against other servers of agents, with the same model on loopback: "baseline" is the peer. A smoke run measures ours alone,
 * because the peers are large; a run of everything leaves them out, so that it needs no registry.
 */
export function cases({ smoke, isNamed }) {
  if (smoke) return aloneCases();
  if (!isNamed) return [];
  const { versions, problem } = installPeers();
  const systems = problem ? [ours] : [ours, opencode, codex];
  const measured = laboratory(systems, false);
  process.stderr.write(
    `peers: ${
      problem ??
      Object.entries(versions)
        .map((each) => each.join(' '))
        .join(', ')
    }\n`,
  );
  const rows = ROWS.flatMap((row) => [opencode, codex].map((peer) => against(row, peer, measured, problem)));
  return [...rows, ...['opencode', 'codex'].flatMap((name) => hostedCases(name, problem))];
}

function against({ group, name, unit, goals }, peer, measured, problem) {
  return {
    name: `${name}, against ${peer.name}`,
    ...(goals[peer.name] !== undefined && { atMost: goals[peer.name] }),
    work: 1,
    unit,
    async run() {
      if (problem) return { cannot: problem };
      const figureOf = await measured(group).catch((error) => () => ({ cannot: `not measured: ${error.message}` }));
      const [theirs, own] = [figureOf(name, peer), figureOf(name, ours)];
      if (theirs.cannot) return { cannot: theirs.cannot };
      return { baselineMs: sane(theirs.value, unit), oursMs: sane(own.value, unit) };
    },
  };
}

function hostedCases(name, problem) {
  let sides;
  const measured = () => {
    sides ??= hosted(ours, name, false);
    return sides;
  };
  const one = (what, pick) => ({
    name: `${name} under us against alone, ${what}`,
    atMost: 1.2,
    work: 1,
    async run() {
      if (problem) return { cannot: problem };
      try {
        const [alone, under] = await measured();
        return { baselineMs: pick(alone), oursMs: pick(under) };
      } catch (error) {
        return { cannot: `not measured: ${error.message}` };
      }
    },
  });
  return [one('until the first text', ({ first }) => first), one('CPU of a turn', ({ cpu }) => cpu)];
}

function aloneCases() {
  const measured = laboratory([ours], true);
  return ROWS.map(({ group, name, unit }) => ({
    name: `${name}, ours alone`,
    work: 1,
    unit,
    async run() {
      const { value } = (await measured(group))(name, ours);
      return { baselineMs: sane(value, unit), oursMs: sane(value, unit) };
    },
  }));
}

/** Nothing was lost, or a diff was there before the end of its turn: that has no ratio, so it counts as very little. */
function sane(value, unit) {
  return Math.max(value, unit === undefined ? 0.1 : 1e-3);
}
