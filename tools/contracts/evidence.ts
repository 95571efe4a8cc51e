import { globSync, readFileSync } from 'node:fs';
import {
  documentedOperations,
  fromRoot,
  keyOf,
  services,
  type ServiceName,
  unbuilt,
  wireOperations,
} from './services.ts';

/** An operation and the statuses that tests owe for it. */
interface Owed {
  operation: string;
  statuses: number[];
}

/**
 * What the tests of this run have really seen. An operation of the contract counts as built only
 * when its success and every status that the contract lists for it were produced over HTTP and held
 * against the document (libs/testing contract-client notes each). An operation that is ours alone
 * owes every status that its document lists, but for 500, which no caller can bring about, 431,
 * which is the same for all, and for those of unseen.json.
 * @returns a line for each built operation that lacks evidence, and for each status of unseen.json
 * that was seen
 */
export const missingEvidence = (): string[] => {
  const seen = seenAnswers();
  const unseen = JSON.parse(readFileSync(fromRoot('tools/contracts/unseen.json'), 'utf8')) as Listed;
  return services.flatMap(({ name, wire }) => {
    const agreed = wire ? wireOperations(name) : [];
    const own = ownOperations(name, new Set(agreed.map(keyOf)));
    const listed = unbuilt()[name] ?? [];
    const owed: Owed[] = [
      ...agreed
        .map((operation) => ({
          operation: keyOf(operation),
          statuses: [operation.success.status, ...operation.errors],
        }))
        .filter(({ operation }) => !listed.includes(operation)),
      ...own.map(({ operation, statuses }) => ({
        operation,
        statuses: statuses.filter((status) => !unseen[name]?.[operation]?.includes(status)),
      })),
    ];
    return [
      ...owed.flatMap(({ operation, statuses }) => {
        const missing = statuses.filter((status) => !seen.has(`${name} ${operation} ${status}`));
        return missing.length > 0 ? [`${name}: no test saw ${operation} answer ${missing.join(', ')}`] : [];
      }),
      ...needless(name, unseen, own, seen),
    ];
  });
};

/** Statuses by operation by service. */
type Listed = Partial<Record<ServiceName, Record<string, number[]>>>;

/** unseen.json may only shrink: what was seen, or is not documented any more, leaves it. */
const needless = (name: ServiceName, unseen: Listed, own: Owed[], seen: Set<string>): string[] =>
  Object.entries(unseen[name] ?? {}).flatMap(([operation, statuses]) => {
    const documented = own.find((one) => one.operation === operation)?.statuses ?? [];
    const over = statuses.filter(
      (status) => !documented.includes(status) || seen.has(`${name} ${operation} ${status}`),
    );
    return over.length > 0 ? [`${name}: take ${over.join(', ')} of ${operation} off unseen.json`] : [];
  });

const seenAnswers = (): Set<string> => {
  const seen = new Set<string>();
  for (const file of globSync('{apps,libs}/*/dist-test/contract/**/*.jsonl', { cwd: fromRoot('') })) {
    for (const line of readFileSync(fromRoot(file), 'utf8').split('\n').filter(Boolean)) {
      const { service, operation, status } = JSON.parse(line) as { service: string; operation: string; status: number };
      seen.add(`${service} ${operation} ${status}`);
    }
  }
  return seen;
};

const ownOperations = (name: ServiceName, agreed: ReadonlySet<string>): Owed[] =>
  documentedOperations(name)
    .filter(({ operation }) => !agreed.has(operation))
    .map(({ operation, statuses }) => ({
      operation,
      statuses: statuses.filter((status) => ![431, 500].includes(status)),
    }));

if (import.meta.main) {
  const missing = missingEvidence();
  for (const line of missing) console.error(line);
  process.exitCode = missing.length > 0 ? 1 : 0;
}
