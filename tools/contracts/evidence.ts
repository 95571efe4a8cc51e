import { globSync, readFileSync } from 'node:fs';
import { fromRoot, keyOf, services, unbuilt, wireOperations } from './services.ts';

/**
 * What the tests of this run have really seen. An operation counts as built only when its success and every status that the contract lists for it were
 * produced over HTTP and held against the document (libs/testing contract-client notes each).
 * @returns a line for each built operation that lacks evidence
 */
export const missingEvidence = (): string[] => {
  const seen = new Set<string>();
  for (const file of globSync('{apps,libs}/*/dist-test/contract/**/*.jsonl', { cwd: fromRoot('') })) {
    for (const line of readFileSync(fromRoot(file), 'utf8').split('\n').filter(Boolean)) {
      const { service, operation, status } = JSON.parse(line) as { service: string; operation: string; status: number };
      seen.add(`${service} ${operation} ${status}`);
    }
  }
  const listed = unbuilt();
  return services
    .filter(({ wire }) => wire)
    .flatMap(({ name }) =>
      wireOperations(name)
        .filter((operation) => !listed[name]?.includes(keyOf(operation)))
        .flatMap((operation) => {
          const missing = [operation.success.status, ...operation.errors].filter(
            (status) => !seen.has(`${name} ${keyOf(operation)} ${status}`),
          );
          return missing.length > 0 ? [`${name}: no test saw ${keyOf(operation)} answer ${missing.join(', ')}`] : [];
        }),
    );
};

if (import.meta.main) {
  const missing = missingEvidence();
  for (const line of missing) console.error(line);
  process.exitCode = missing.length > 0 ? 1 : 0;
}
