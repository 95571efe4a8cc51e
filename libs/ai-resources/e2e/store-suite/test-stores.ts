import type { AIGateway, AIPolicy } from '../../src/resource.ts';
import type { ResourceStore } from '../../src/resource-store.ts';

/** The stores of one empty namespace. */
export interface TestStores {
  readonly namespace: string;
  readonly policies: ResourceStore<AIPolicy>;
  readonly gateways: ResourceStore<AIGateway>;
  /** The same policies, as another process sees them. */
  readonly replica: ResourceStore<AIPolicy>;
  /** Makes the tokens of all lists expire. */
  expireTokens(): Promise<void>;
  close(): Promise<void>;
}

/** The stores of the test that runs now. */
export type GetStores = () => TestStores;

/** Versions that no resource has. */
export const FOREIGN_VERSIONS = ['0', '1', '', 'abc', '99999999999999999999999', '-1', '1.5', '*'];
