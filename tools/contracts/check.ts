// Usage: npm run check:contracts
// Fails when a committed file differs from the generated one, when an operation of unbuilt.json
// conforms, when another operation does not conform, or when a flag of `run` has no test.
import { existsSync, readFileSync } from 'node:fs';
import { conformance } from './conformance.ts';
import { generated } from './generate.ts';
import { checkRunFlags } from './run-flags.ts';
import { fromRoot, getOperationKey, services, unbuilt, wireOperations } from './services.ts';

const problems: string[] = checkRunFlags();
const files = await generated();

for (const [path, content] of files) {
  const committed = existsSync(fromRoot(path)) ? readFileSync(fromRoot(path), 'utf8') : undefined;
  if (committed !== content) problems.push(`${path} differs from the generated file: run npm run contracts`);
}

const listed = unbuilt();
for (const { name, wire } of services) {
  if (!wire) continue;
  const { conforming, mismatches } = conformance(name, files.get(`libs/contracts/${name}/openapi.json`) ?? '');
  const list = new Set(listed[name] ?? []);
  const agreed = new Set(wireOperations(name).map(getOperationKey));
  for (const operation of list) {
    if (!agreed.has(operation)) problems.push(`${name}: ${operation} is in unbuilt.json but not in the contract`);
  }
  for (const operation of conforming) {
    if (list.has(operation)) problems.push(`${name}: ${operation} conforms: remove it from unbuilt.json`);
  }
  for (const [operation, differences] of mismatches) {
    if (!list.has(operation)) problems.push(`${name}: ${operation} does not conform:\n  ${differences.join('\n  ')}`);
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
