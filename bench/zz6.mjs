import { cases } from './client.bench.mjs';

const [a] = cases({ smoke: false });
console.log(await a.run());
