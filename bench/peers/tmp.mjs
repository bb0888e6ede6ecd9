import { startModel } from './model.mjs'; import { startOurs } from './ours.mjs'; import { mkdtempSync } from 'node:fs'; import { execFileSync } from 'node:child_process';
const model = await startModel(); const med=a=>a.sort((x,y)=>x-y)[a.length>>1];
const folder=mkdtempSync('/tmp/pf-'); execFileSync('git',['-C',folder,'init','-q']);
const out={};
for(let i=0;i<7;i++) for(const [name,bin,wait] of [['before',process.cwd()+'/packages/cli/tmpb/bin/m.js',0],['after',undefined,0],['before+300',process.cwd()+'/packages/cli/tmpb/bin/m.js',300],['after+300',undefined,300]]){ if(bin) process.env.MOORAGE_BIN=bin; else delete process.env.MOORAGE_BIN;
 const o=await startOurs({home:mkdtempSync('/tmp/ph-'),folder,baseURL:model.baseURL}); const s=await o.session(); await new Promise(r=>setTimeout(r,wait)); const t=await o.turn(s,'hello'); (out[name]??=[]).push(t.firstMs); const t2=await o.turn(s,'again'); (out[name+' 2nd']??=[]).push(t2.firstMs); await o.stop(); }
for(const k in out) console.log(k, med(out[k]).toFixed(0), 'min', Math.min(...out[k]).toFixed(0)); model.close();
