import { cases } from './zzc.mjs';
const [a] = cases({ smoke: false });
const r = await a.run();
console.log(r, r.oursMs / r.baselineMs);
