// Runs every attack against one host and prints what became of it. See `run`.
import { clients } from './clients.mjs';
import { content } from './content.mjs';
import { NotTried, startHost } from './host.mjs';
import { reading } from './reading.mjs';
import { requests } from './requests.mjs';
import { tenants } from './tenants.mjs';

const words = process.argv.slice(2);
// Those that use up limits and connections come last, because they would disturb the others.
const attacks = [...content, ...reading, ...tenants, ...requests, ...clients].filter(({ name }) => !words.length || words.some((word) => name.includes(word)));

/** Returns how the attack succeeded, or undefined; throws NotTried if it could not be carried out. */
async function carryOut(attack, host) {
  if (!host.runs()) throw new NotTried('the host is not running any more');
  const evidence = await attack.run(host);
  if (evidence) return evidence;
  if (!host.runs()) return 'the host has stopped';
  const answer = await host.send('/healthz', { site: '', timeout: 5000 }).catch((error) => error);
  return answer.status === 200 ? undefined : `the host does not answer any more (${answer.message ?? answer.status})`;
}

const host = await startHost();
const counts = { succeeded: 0, 'not tried': 0, refused: 0 };
for (const attack of attacks) {
  let [outcome, why] = ['refused', ''];
  try {
    why = (await carryOut(attack, host)) ?? '';
    if (why) outcome = 'succeeded';
  } catch (error) {
    [outcome, why] = ['not tried', error instanceof NotTried ? error.message : `${error.stack}`];
  }
  counts[outcome] += 1;
  console.log(`${outcome.padEnd(9)}  ${attack.name}`);
  if (why) console.log(`           success would be that ${attack.success}\n           ${why.split('\n').join('\n           ')}`);
}
const faults = await host.stop();
for (const fault of faults) console.log(`fault      ${fault}`);
if (!attacks.length) console.log('no attack has a name with one of these words');
console.log(`${attacks.length} attacks, ${counts.succeeded} succeeded${counts['not tried'] ? `, ${counts['not tried']} not tried` : ''}`);
process.exitCode = counts.succeeded || counts['not tried'] || faults.length || !attacks.length ? 1 : 0;
