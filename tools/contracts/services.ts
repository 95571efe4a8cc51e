import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The services with a committed OpenAPI document. `wire`: whether an agreed contract exists. The AI
 * gateway has the formats of its vendors instead.
 */
export const services = [
  { name: 'enterprise-manager', wire: true },
  { name: 'connector-gateway', wire: true },
  { name: 'ai-gateway-mgmt', wire: true },
  { name: 'ai-gateway', wire: false },
] as const;

export type ServiceName = (typeof services)[number]['name'];

/**
 * The fields of an operation of a wire contract that these tools read. `errors`: its statuses
 * besides the success.
 */
export interface WireOperation {
  name: string;
  method: string;
  path: string;
  auth: 'none' | 'bearer';
  role: string;
  success: { status: number; headers: string[] };
  errors: number[];
}

const root = new URL('../../', import.meta.url);

/** Returns the absolute path of a file of the repository. */
export const fromRoot = (path: string): string => fileURLToPath(new URL(path, root));

/** Returns the operations of the wire contract of a service, in the order of the file. */
export const wireOperations = (service: ServiceName): WireOperation[] => {
  const contract = JSON.parse(readFileSync(fromRoot(`tools/contracts/wire/${service}.json`), 'utf8')) as {
    operations: WireOperation[];
  };
  return contract.operations;
};

/** Returns the name of an operation in lists and evidence: `GET /v1/users/{id}`. */
export const getOperationKey = ({ method, path }: { method: string; path: string }): string =>
  `${method.toUpperCase()} ${path}`;

/** Returns the agreed operations that are not built yet, by service. */
export const unbuilt = (): Record<string, string[]> =>
  JSON.parse(readFileSync(fromRoot('tools/contracts/unbuilt.json'), 'utf8')) as Record<string, string[]>;

/** Returns the operations of the committed document of a service, with their statuses. */
export const documentedOperations = (service: ServiceName): { operation: string; statuses: number[] }[] => {
  const { paths } = JSON.parse(readFileSync(fromRoot(`libs/contracts/${service}/openapi.json`), 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => ({
      operation: getOperationKey({ method, path }),
      statuses: Object.keys(responses).map(Number),
    })),
  );
};
